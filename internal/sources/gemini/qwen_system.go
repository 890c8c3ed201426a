package gemini

import (
	"cmp"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// qwenHidden are the rules that hide lines of the program, by subtype.
var qwenHidden = map[string]string{
	"rewind":                    bookkeeping, // later lines name the line that they continue from
	"session_artifact_event":    bookkeeping,
	"session_artifact_snapshot": bookkeeping,
	"session_sources_snapshot":  bookkeeping,
	"session_source":            bookkeeping,
	"session_execution_engine":  bookkeeping,
	"session_notes":             bookkeeping,
	"parent_session":            bookkeeping,
	"branch_checkpoint":         bookkeeping,
	"attribution_snapshot":      bookkeeping,
	"file_history_snapshot":     bookkeeping,
	"user_text_elements":        bookkeeping,
	"omni_recall":               bookkeeping, // ids of what was remembered for the prompt
	"agent_session_ready":       bookkeeping,
	"agent_launch_prompt":       repeated,
	"agent_bootstrap":           repeated, // the history that an agent was given
	"goal_state":                bookkeeping,
	"goal_turn_end":             bookkeeping,
	"managed_session_event_v1":  bookkeeping,
	"managed_session_commit_v1": bookkeeping,
}

// system translates a line of the program.
func (t *qwenTranslator) system(subtype string) {
	p := t.payload
	switch subtype {
	case "custom_title":
		t.title(p.Text("customTitle"), p.Text("titleSource") == "auto")
	case "slash_command":
		t.command()
	case "at_command":
		text := "Files were read for the prompt"
		if message := p.Text("message"); message != "" {
			text = message
		}
		r := t.System("informational", text, "files", p.Get("filesRead"), "prompt", p.Text("userText"))
		if p.Text("status") == "error" {
			sources.Rare(r).Level = "error"
		}
	case "chat_compression":
		t.compressed()
	case "session_model":
		t.Settings("model", p.Text("modelId"))
	case "session_approval_mode":
		t.Settings("approvals", p.Text("mode"))
	case "agent_retry":
		t.System("informational", "The agent was started again", "attempt", p.Get("attempt"))
	case "ui_telemetry":
		t.telemetry()
	case "turn_result":
		t.turnResult()
	case "managed_session_header_v1": // the log only refers to messages
		sources.Rare(t.System("informational", "The messages of this session are in other files, which are not read",
			"folder", "resources/"+t.line.Text("sessionId"))).Level = "warning"
	default:
		if rule := qwenHidden[subtype]; rule != "" {
			t.Hide("system", rule)
			return
		}
		t.System(subtype, transcript.String(p.Get("displayText")), "payload", t.line.Get("systemPayload"))
	}
}

// title adds the title of the session. The last one counts, whoever wrote it.
func (t *qwenTranslator) title(s string, generated bool) {
	t.titled = t.titled || !generated
	t.Add(sources.TitleRecord(s, !t.titled))
}

// command translates a command of the user to the program, or its output.
func (t *qwenTranslator) command() {
	raw := t.payload.Text("rawCommand")
	items := t.payload.Get("outputHistoryItems")
	if t.payload.Text("phase") != "result" && raw != "" {
		t.User(transcript.CommandText, t.Text(raw))
		return
	}
	var texts []string
	var others []jsontext.Value
	for e := range transcript.Elements(items) {
		if text := transcript.String(transcript.Field(e, "text")); text != "" {
			texts = append(texts, text)
			continue
		}
		others = append(others, e)
	}
	if len(texts) > 0 {
		t.User(transcript.OutputText, t.Text(strings.Join(texts, "\n")))
	}
	if len(others) > 0 {
		t.System("informational", strings.TrimSpace("Output of "+raw), "shown", sources.MakeList(others...))
	}
	if t.Added() == 0 {
		t.Hide("system", empty)
	}
}

// compressed translates a summary that replaced what was said before.
func (t *qwenTranslator) compressed() {
	info := t.payload.Get("info")
	meta := sources.Make("preTokens", transcript.Field(info, "originalTokenCount"),
		"postTokens", transcript.Field(info, "newTokenCount"))
	t.System("compact_boundary", "", "compactMetadata", meta)
	for e := range transcript.Elements(t.payload.Get("compressedHistory")) {
		if text := textOf(transcript.Field(e, "parts")); text != "" {
			t.User(transcript.SummaryText, t.Text(text)).IsCompactSummary = true
		}
		break // what follows was kept
	}
}

// telemetry translates metrics of the program. Only failed requests are drawn; everything else is logged elsewhere,
// too.
func (t *qwenTranslator) telemetry() {
	var event sources.Object
	event.Read(t.payload.Get("uiEvent"))
	text := event.Text("error_message", "error")
	if event.Get("function_name") != nil || text == "" {
		t.Hide("system", "telemetry")
		return
	}
	t.failed = true
	t.Fail(text)
}

// turnResult translates how a turn ended, unless other lines say the same.
func (t *qwenTranslator) turnResult() {
	p := t.payload
	switch state, reason := p.Text("state"), p.Text("stopReason"); {
	case state == "cancelled" || reason == "cancelled":
		t.User(transcript.InterruptionText, t.Text("[Request interrupted by user]"))
	case state == "error" && !t.failed:
		text := transcript.String(transcript.Field(p.Get("error"), "message"))
		t.Fail(cmp.Or(text, "The turn ended with an error"))
	case reason == "max_tokens" || reason == "refusal":
		t.Answer().Message.StopReason = reason
	default:
		t.Hide("system", repeated)
	}
}
