package normalize

import (
	"iter"
	"slices"

	"viewer/internal/transcript"
)

// A Branch is an attempt that the user took back: a prompt that was later sent again in other words, and everything
// that followed it. It is an item at the place where it began.
type Branch struct {
	Conversation *Conversation
}

func (*Branch) isItem() {}

// Head returns the prompt that was taken back, or the first message that is drawn.
func (b *Branch) Head() *Message {
	for _, m := range b.Conversation.Messages {
		if m.Rule == "" {
			return m
		}
	}
	return b.Conversation.Messages[0]
}

// maxNesting limits attempts inside attempts. Real sessions have a few.
const maxNesting = 32

// splitTakenBack separates messages that were taken back from the others, each list in file order. The program writes
// nothing when the user goes back: the next prompt only names the same parent. So only human prompts with the same
// parent are alternatives; parallel calls, hooks and local commands share parents, too. Other programs write a record
// (Rewind), which takes the place of the next prompt. The attempt with the last record of the file was not taken back.
func splitTakenBack(messages []*Message) (main []*Message, taken [][]*Message) {
	if !anyTwice(messages) {
		return messages, nil
	}
	t := newTree(messages)
	t.findAlternatives(messages)
	if len(t.alternatives) == 0 {
		return messages, nil
	}
	back := t.takenBack(messages)
	if len(back) == 0 {
		return messages, nil
	}
	index := make(map[*transcript.Record]int) // of an attempt in taken
	for _, m := range messages {
		outer := t.outermost(m.Record, back)
		if outer == nil {
			main = append(main, m)
			continue
		}
		i, ok := index[outer]
		if !ok {
			i = len(taken)
			index[outer] = i
			taken = append(taken, nil)
		}
		taken[i] = append(taken[i], m)
	}
	if len(main) == 0 { // a cycle: every record descends from one that was taken back
		return messages, nil
	}
	return main, taken
}

// splitMarked separates messages that are marked as taken back, each list in file order. They are at the end: the
// program deletes them when the human goes on.
func splitMarked(messages []*Message) (kept []*Message, taken [][]*Message) {
	isKept := func(m *Message) bool { return !m.Record.TakenBack }
	at := slices.IndexFunc(messages, func(m *Message) bool { return m.Record.TakenBack })
	if at < 0 || !slices.ContainsFunc(messages, isKept) {
		return messages, nil
	}
	kept = messages[:at:at]
	var gone []*Message
	for _, m := range messages[at:] {
		if isKept(m) {
			kept = append(kept, m)
		} else {
			gone = append(gone, m)
		}
	}
	return kept, [][]*Message{gone}
}

// A tree has the records of a conversation by their parents, and the prompts with siblings.
type tree struct {
	parent       map[*transcript.Record]*transcript.Record
	alternatives map[*transcript.Record][]*transcript.Record // by parent, in file order, two or more
	isAttempt    map[*transcript.Record]bool
	nearest      map[*transcript.Record]*transcript.Record // the attempt that a record belongs to
	outer        map[*transcript.Record]*transcript.Record // see outermost, by attempt
}

func newTree(messages []*Message) *tree {
	t := &tree{
		parent:    make(map[*transcript.Record]*transcript.Record, len(messages)),
		isAttempt: make(map[*transcript.Record]bool),
		nearest:   make(map[*transcript.Record]*transcript.Record, len(messages)),
		outer:     make(map[*transcript.Record]*transcript.Record),
	}
	byID := make(map[string]*transcript.Record, len(messages))
	for _, m := range messages {
		if r := m.Record; r.UUID != "" && byID[r.UUID] == nil {
			byID[r.UUID] = r
		}
	}
	for _, m := range messages {
		r := m.Record
		if p := byID[parentID(r)]; p != nil && p != r {
			t.parent[r] = p
		}
	}
	return t
}

// parentID returns the id of the parent of a record.
func parentID(r *transcript.Record) string {
	if r.ParentUUID == "" {
		return r.LogicalParentUUID // a compaction starts a new chain
	}
	return r.ParentUUID
}

// prompted yields the records of human prompts, and those by which the human went back.
func prompted(messages []*Message) iter.Seq[*transcript.Record] {
	return func(yield func(*transcript.Record) bool) {
		var last *transcript.Record
		for _, m := range messages {
			isPrompt := m.Kind == Prompt && m.Rule == "" && !m.Queued && !m.Blocked()
			if !isPrompt && !m.Record.Rewind || m.Record == last {
				continue
			}
			if last = m.Record; !yield(last) {
				return
			}
		}
	}
}

// anyTwice reports whether two prompts have the same parent. In most files none have, so that the tree is not needed.
func anyTwice(messages []*Message) bool {
	named := make(map[string]bool)
	for r := range prompted(messages) {
		id := parentID(r)
		if id != "" && named[id] {
			return true
		}
		named[id] = true
	}
	return false
}

// findAlternatives finds the human prompts that share a parent.
func (t *tree) findAlternatives(messages []*Message) {
	children := make(map[*transcript.Record][]*transcript.Record)
	for r := range prompted(messages) {
		if t.parent[r] != nil {
			children[t.parent[r]] = append(children[t.parent[r]], r)
		}
	}
	t.alternatives = make(map[*transcript.Record][]*transcript.Record)
	for p, prompts := range children {
		if len(prompts) > 1 {
			t.alternatives[p] = prompts
			for _, r := range prompts {
				t.isAttempt[r] = true
			}
		}
	}
}

// attempt returns the alternative that a record is or descends from, nil for none. Parents may form a cycle in a
// damaged file.
func (t *tree) attempt(r *transcript.Record) *transcript.Record {
	var path []*transcript.Record
	var found *transcript.Record
	for r != nil {
		if nearest, ok := t.nearest[r]; ok {
			found = nearest
			break
		}
		path = append(path, r)
		t.nearest[r] = nil // a circle ends here
		if t.isAttempt[r] {
			found = r
			break
		}
		r = t.parent[r]
	}
	for _, p := range path {
		t.nearest[p] = found
	}
	return found
}

// outermost returns the outermost attempt that contains a record that was taken back, nil for none; inner attempts are
// found when that one is built. In a damaged file attempts may form a cycle.
func (t *tree) outermost(r *transcript.Record, back map[*transcript.Record]bool) *transcript.Record {
	at := t.attempt(r)
	var path []*transcript.Record // attempts whose outermost one is not known yet
	for at != nil {
		if _, ok := t.outer[at]; ok {
			break
		}
		path = append(path, at)
		t.outer[at] = nil // a circle ends here
		at = t.attempt(t.parent[at])
	}
	outer := t.outer[at]
	for i := len(path) - 1; i >= 0; i-- {
		if outer == nil && back[path[i]] {
			outer = path[i]
		}
		t.outer[path[i]] = outer
	}
	return outer
}

// takenBack returns the alternatives that were taken back.
func (t *tree) takenBack(messages []*Message) map[*transcript.Record]bool {
	active := make(map[*transcript.Record]bool)
	for i := len(messages) - 1; i >= 0; i-- {
		if r := messages[i].Record; r.UUID != "" && r.Type != "progress" {
			for at := t.attempt(r); at != nil && !active[at]; at = t.attempt(t.parent[at]) {
				active[at] = true
			}
			break
		}
	}
	back := make(map[*transcript.Record]bool)
	for _, prompts := range t.alternatives {
		counts := prompts[len(prompts)-1]
		for _, r := range prompts {
			if active[r] {
				counts = r
			}
		}
		for _, r := range prompts {
			if r != counts {
				back[r] = true
			}
		}
	}
	return back
}
