package normalize

import "time"

// markCopies hides a history that Claude Code copied to the end of the same file when it resumed a session (seen in
// 2.1.14): with other uuids, but the times, ids and texts of the records before. Records of equal ids are a copy if
// another prompt or answer is between them: the parts of one answer may repeat each other.
func markCopies(messages []*Message) {
	if !goesBack(messages) {
		return
	}
	type identity struct {
		kind, text string
		at         time.Time
	}
	seen := make(map[identity]int) // how many prompts and answers were before
	var copies []*Message
	certain, said, answer := false, 0, ""
	for _, m := range messages {
		r := m.Record
		switch id := RequestID(r); {
		case id != "" && id != answer:
			answer = id
			said++
		case m.Kind == Prompt:
			said++
		}
		if r.UUID == "" || r.Timestamp.IsZero() || m.Rule == ruleRepeated {
			continue
		}
		text, named := told(m)
		key := identity{r.Type + " " + r.Subtype, text, r.Timestamp.UTC()}
		before, again := seen[key]
		switch {
		case !again:
			seen[key] = said
		case before < said:
			copies = append(copies, m)
			certain = certain || named
		}
	}
	if !certain {
		return
	}
	for _, m := range copies {
		if m.Rule == "" {
			m.Rule = ruleRepeated
		}
	}
}

// goesBack reports whether a record of the chat is older than an answer before it, as the first one of a copy is.
func goesBack(messages []*Message) bool {
	var latest time.Time
	for _, m := range messages {
		switch at := m.Time(); {
		case at.IsZero() || m.Part > 0:
		case m.Record.Type == "assistant":
			if at.Before(latest) {
				return true
			}
			latest = at
		case m.Kind == Prompt && at.Before(latest):
			return true
		}
	}
	return false
}

// told returns what a message says, and whether it has an id of the API.
func told(m *Message) (text string, named bool) {
	switch r, b := m.Record, m.Block; {
	case b != nil:
		id := r.Message.ID + b.ID + b.ToolUseID
		return b.Type + "\n" + id + "\n" + b.Text, id != ""
	case r.Attachment != nil:
		return string(r.Attachment.Raw), false
	default:
		return string(r.Content), false
	}
}
