package render

import "viewer/internal/transcript"

// Events of SDK streams between the messages.
var (
	_ = register(records, "rate_limit_event", "event",
		viewRecord("clock", "Rate limit", atEverything, "rate_limit_info"))
	_ = register(records, "ended-by-model", "event", viewRecord("stop", "The model ended the conversation", atChat, ""))
	_ = register(records, "auth_status", "event", viewRecord("key", "Authentication", atEverything, ""))
	// with --personal
	_ = register(records, "bridge-session", "event", viewRecord("globe", "Remote control", atEverything, ""))
	_ = register(records, "conversation_reset", "event", viewRecord("compact", "Conversation reset", atTools, ""))
)

type recordEvent struct {
	line
	Rows []field
}

// viewRecord draws the name of an event and lists its members, those of inner if that is not "".
func viewRecord(icon, what string, at level, inner string) func(event) (recordEvent, error) {
	return func(e event) (recordEvent, error) {
		v := recordEvent{line: line{Icon: icon, Text: what, Level: at, Look: "note"}}
		if e.read != nil {
			e.read.all = true
		}
		raw := e.Record.Raw
		if inner != "" {
			if in := transcript.Field(raw, inner); in != nil {
				raw = in
			}
		}
		for _, f := range e.d.fields(raw) {
			switch f.Name {
			case "type", "subtype", "uuid", "sessionId", "session_id", "timestamp", "parent_tool_use_id":
			default:
				v.Rows = append(v.Rows, f)
			}
		}
		return v, nil
	}
}
