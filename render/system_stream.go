package render

import "slices"

// System records of SDK streams, and rare ones of session files, with a few fields.
var (
	_ = register(systems, "task_started", "event", viewSystemEvent("bell", "Background task started", atTools))
	_ = register(systems, "task_notification", "event", viewSystemEvent("bell", "Background task reports", atTools))
	_ = register(systems, "api_retry", "event", viewSystemEvent("clock", "API request retried", atTools))
	_ = register(systems, "permission_denied", "event", viewSystemEvent("key", "Permission denied", atTools))
	_ = register(systems, "files_persisted", "event", viewSystemEvent("file", "Files kept", atEverything))
	_ = register(systems, "post_turn_summary", "event", viewSystemEvent("list", "Summary of the turn", atTools))
	_ = register(systems, "local_command_output", "event", viewSystemEvent("term", "Output of a command", atTools))
	_ = register(systems, "elicitation_complete", "event", viewSystemEvent("question", "Question answered", atTools))
	_ = register(systems, "command_input", "event", viewSystemEvent("term", "Command", atTools))
	_ = register(systems, "thinking", "event", viewSystemEvent("message", "Thought", atTools))
	_ = register(systems, "notification", "event", viewSystemEvent("bell", "Notice", atTools))
	_ = register(systems, "memory_recall", "event", viewSystemEvent("memory", "Memories recalled", atEverything))
	_ = register(systems, "task_summary", "event", viewSystemEvent("list", "Summary of the task", atTools))
	_ = register(systems, "plugin_install", "event", viewSystemEvent("plug", "Plugins installed", atEverything))
	_ = register(systems, "code_change_published", "event", viewSystemEvent("git", "Change published", atTools))
	_ = register(systems, "vcs_state_changed", "event", viewSystemEvent("git", "Repository changed", atTools))
	_ = register(systems, "per_turn_effort_changed", "event", viewSystemEvent("gear", "Effort changed", atTools))
	_ = register(systems, "cloud_session_status", "event", viewSystemEvent("gear", "Cloud session", atTools))
	_ = register(systems, "turn_preempted", "event", viewSystemEvent("clock", "Turn preempted", atTools))
	_ = register(systems, "instruction_size_warning", "event",
		viewSystemEvent("warn", "Instructions are large", atTools))
	_ = register(systems, "file_attachments_missing", "event",
		viewSystemEvent("warn", "Attached files are missing", atTools))
	_ = register(systems, "mirror_error", "event", viewSystemEvent("warn", "Copy of the session failed", atTools))
	_ = register(systems, "peer_message_hold", "event",
		viewSystemEvent("message", "Message of another session waits", atTools))
	_ = register(systems, "dev_intent", "event", viewSystemEvent("folder", "Kind of project", atEverything))
	_ = register(systems, "feedback_draft_queued", "event",
		viewSystemEvent("message", "Feedback drafted", atEverything))
	_ = register(systems, "tool_host_result", "event", viewSystemEvent("plug", "Call on another machine", atTools))
	_ = register(systems, "file_snapshot", "event", viewSystemEvent("file", "Files noted", atEverything))
)

// viewSystemEvent draws the name and the text of an event on its line, and lists the rest.
func viewSystemEvent(icon, what string, at level) func(event) (recordEvent, error) {
	return func(e event) (recordEvent, error) {
		v, err := viewRecord(icon, what, at, "")(e)
		var in struct{ Content, Message, Summary, Description, Text, URL, Kind, Title, Label text }
		if err := decode(e.Record.Raw, &in); err != nil {
			return v, err
		}
		said := ""
		for _, s := range []text{
			in.Summary, in.Description, in.Message, in.Content, in.Text, in.URL, in.Kind, in.Title, in.Label,
		} {
			if s != "" {
				v.Text, said = what+dot+oneLine(string(s), 160), string(s)
				break
			}
		}
		v.Rows = slices.DeleteFunc(v.Rows, func(f field) bool {
			return envelopeField[f.Name] || f.Value == said && !f.Long || f.Value == "[]"
		})
		return v, err
	}
}

// envelopeField are the fields that every record has.
var envelopeField = map[string]bool{
	"parentUuid": true, "isSidechain": true, "userType": true, "entrypoint": true, "cwd": true, "sessionId": true,
	"version":   true,
	"gitBranch": true, "isMeta": true, "slug": true, "level": true, "logicalParentUuid": true,
}
