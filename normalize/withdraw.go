package normalize

import "viewer/transcript"

// withdraw hides the messages that tombstones name: parts of an answer that a
// model fallback took back (reference 002, section 8.9).
func withdraw(messages []*Message) {
	gone := make(map[string]bool)
	for _, m := range messages {
		if m.Record.Type != "tombstone" {
			continue
		}
		m.Rule = ruleWithdrawn
		inner := transcript.Field(m.Record.Raw, "message")
		for _, id := range []string{
			transcript.String(transcript.Field(inner, "uuid")),
			transcript.String(transcript.Field(transcript.Field(inner, "message"), "id")),
		} {
			if id != "" {
				gone[id] = true
			}
		}
	}
	if len(gone) == 0 {
		return
	}
	for _, m := range messages {
		r := m.Record
		if gone[r.UUID] || r.Type == "assistant" && r.Message != nil && gone[r.Message.ID] {
			m.Rule = ruleWithdrawn
		}
	}
}
