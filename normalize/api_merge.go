package normalize

import "slices"

// mergeEntries merges the records of one API message, which may be apart, and consecutive user messages.
func mergeEntries(s *sending) {
	mergeAnswers(s)
	mergeNeighbours(s, "user")
}

// mergeAnswers joins the records of a message id, never across a human prompt:
// a copied history repeats ids.
func mergeAnswers(s *sending) {
	open := make(map[string]*entry)
	s.keep(func(e *entry) bool {
		if e.prompt {
			clear(open)
		}
		id := RequestID(e.record)
		if e.role != "assistant" || id == "" {
			return true
		}
		if first := open[id]; first != nil {
			first.take(e)
			return false
		}
		open[id] = e
		return true
	})
	dropBare(s)
}

// dropBare removes placeholders from answers that have content.
func dropBare(s *sending) {
	if len(s.bare) == 0 {
		return
	}
	bare, dropped := make(map[*Message]bool), make(map[*Message]bool)
	for _, m := range s.bare {
		bare[m] = true
	}
	for _, e := range s.entries {
		if e.role != "assistant" || !slices.ContainsFunc(e.blocks, func(b APIBlock) bool { return !bare[b.From] }) {
			continue
		}
		e.blocks = slices.DeleteFunc(e.blocks, func(b APIBlock) bool {
			if bare[b.From] {
				s.drop(whyBlank, b.From)
				dropped[b.From] = true
			}
			return bare[b.From]
		})
	}
	s.bare = slices.DeleteFunc(s.bare, func(m *Message) bool { return dropped[m] })
}

// mergeNeighbours merges neighbouring messages of the same role, which is one of these.
func mergeNeighbours(s *sending, roles ...string) {
	var last *entry
	s.keep(func(e *entry) bool {
		if last != nil && last.role == e.role && slices.Contains(roles, e.role) {
			last.take(e)
			return false
		}
		last = e
		return true
	})
}

// take appends the content of another entry.
func (e *entry) take(more *entry) {
	e.parts = append(e.parts, more.parts...)
	e.blocks = append(e.blocks, more.blocks...)
	e.prompt = e.prompt || more.prompt
}

// alternate is the last step: it merges neighbouring messages of one role, and makes the first one the user's.
func alternate(s *sending) {
	mergeNeighbours(s, "user", "assistant")
	if len(s.entries) > 0 && s.entries[0].role == "assistant" {
		nobody := &entry{record: s.entries[0].record, role: "user", blocks: []APIBlock{{Block: textBlock(noContent)}}}
		s.entries = append([]*entry{nobody}, s.entries...)
	}
}
