package normalize

import (
	"fmt"

	"viewer/internal/transcript"
)

// withdraw hides the messages that tombstones name, which are parts of an answer that a model fallback took back, and
// the messages of calls among them. A tombstone names a record by its uuid, or all records of an API message by its id.
// One that matches nothing is a problem. Records of SDK streams name answers that they take back, too; session files
// mostly have such records without the answers.
func withdraw(messages []*Message) []transcript.Problem {
	var tombstones []*Message
	retracted := retractedAnswers(messages)
	for _, m := range messages {
		if m.Record.Type == "tombstone" {
			m.Rule = ruleWithdrawn
			tombstones = append(tombstones, m)
		}
	}
	if len(tombstones) == 0 && len(retracted) == 0 {
		return nil
	}
	byUUID, byID := make(map[string]bool), make(map[string]bool) // whether there is such a record
	for _, m := range tombstones {
		if uuid, id := target(m); uuid != "" {
			byUUID[uuid] = false
		} else if id != "" {
			byID[id] = false
		}
	}
	calls := make(map[string]bool) // whether all calls of an id are withdrawn
	for _, m := range messages {
		r := m.Record
		gone := retracted[r.UUID] && r.Type == "assistant" // a prompt that was refused stays
		if _, named := byUUID[r.UUID]; named {
			byUUID[r.UUID], gone = true, true
		}
		if r.Type == "assistant" && r.Message != nil {
			if _, named := byID[r.Message.ID]; named {
				byID[r.Message.ID], gone = true, true
			}
		}
		if m.Kind == Call && m.Block.ID != "" {
			others, ok := calls[m.Block.ID]
			calls[m.Block.ID] = gone && (others || !ok)
		}
		if gone {
			m.Rule = ruleWithdrawn
		}
	}
	for _, m := range messages {
		if calls[m.belongsTo()] {
			m.Rule = ruleWithdrawn
		}
	}
	var problems []transcript.Problem
	for _, m := range tombstones {
		text := ""
		switch uuid, id := target(m); {
		case uuid == "" && id == "":
			text = "a tombstone that names no message"
		case uuid != "" && !byUUID[uuid]:
			text = fmt.Sprintf("a tombstone for unknown record %.60q", uuid)
		case uuid == "" && !byID[id]:
			text = fmt.Sprintf("a tombstone for unknown message %.60q", id)
		default:
			continue
		}
		problems = append(problems, transcript.Problem{Pos: m.Record.Pos, Text: text})
	}
	return problems
}

// retractedAnswers returns the uuids of the answers that other records take back, nil for none.
func retractedAnswers(messages []*Message) map[string]bool {
	var uuids map[string]bool
	for _, m := range messages {
		for v := range transcript.Elements(m.Record.Retracted) {
			if uuid := transcript.String(v); uuid != "" && uuid != m.Record.UUID {
				if uuids == nil {
					uuids = make(map[string]bool)
				}
				uuids[uuid] = true
			}
		}
	}
	return uuids
}

// target returns what a tombstone withdraws: the uuid of a record, and the id of its API message.
func target(m *Message) (uuid, id string) {
	inner := transcript.Field(m.Record.Raw, "message")
	return transcript.String(transcript.Field(inner, "uuid")),
		transcript.String(transcript.Field(transcript.Field(inner, "message"), "id"))
}

// belongsTo returns the id of the call that a message is part of or is about, "" for none.
func (m *Message) belongsTo() string {
	switch m.Kind {
	case Injected:
		return m.Record.SourceToolUseID
	case System:
		return m.Record.ToolUseID
	}
	return m.callID()
}
