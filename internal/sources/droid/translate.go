package droid

import (
	"cmp"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// The rules that hide records, in addition to those shared by all writers.
const (
	repeatedState = "repeated state" // lists of things to do, which the calls have
	repeatedText  = "repeated texts" // the last answer, at the end of a stream
	empty         = "empty messages"
	tokens        = "token counts"
	bookkeeping   = "bookkeeping"
)

// The visibility of messages in the role of the user that the human did not write.
const (
	forModel = "llm_only"
	forUser  = "user_only"
)

// A translator turns the lines of one file into records.
type translator struct {
	sources.Builder
	line   sources.Object
	titled string // the last title
	said   string // the last text of the model
}

// Translate turns a line into records.
func (t *translator) Translate(pos transcript.Pos, v jsontext.Value) ([]transcript.Record, []transcript.Problem) {
	t.Begin(pos, v)
	t.line.Read(v)
	p := t.line
	if t.SessionID == "" {
		t.SessionID = sessionOf(p)
		if caller := callerOf(p); caller != "" {
			t.SessionID, t.AgentID = caller, t.SessionID
		}
	}
	t.CWD = cmp.Or(t.CWD, p.Text("cwd"))
	t.SetTime(p.Get("timestamp"))
	kind := p.Text("type")
	switch kind {
	case "session_start":
		t.start()
	case "message":
		t.message()
	case "todo_state":
		t.Hide(kind, repeatedState)
	case "compaction_state":
		t.System("compact_boundary", "")
		if summary := p.Text("summaryText"); summary != "" {
			t.User(transcript.SummaryText, t.Text(summary)).IsCompactSummary = true
		}
	case "agent_turn_outcome":
		t.outcome()
	case "session_end":
		t.Remark("", "Session ended", "why", p.Text("reason"))
	case "system":
		t.Model = p.Text("model")
		t.Remark("", "Session started", "folder", p.Text("cwd"))
		t.Settings("model", t.Model, "effort", p.Text("reasoning_effort"))
	case "tool_call":
		t.Answer(t.Call(callOf(p), p.Text("toolName"), p.Get("parameters")))
	case "tool_result":
		t.streamResult()
	case "completion":
		t.completion()
	case "error":
		t.Fail(p.Text("message"))
	case settingsLine:
		t.settings()
	}
	return t.Done(kind)
}

// sessionOf returns the session that a line names.
func sessionOf(p sources.Object) string {
	if p.Text("type") == "session_start" {
		return p.Text("id")
	}
	return p.Text("session_id", "sessionId")
}

// callerOf returns the session that a call of started this one as an agent, "" for none.
func callerOf(p sources.Object) string {
	if caller := p.Text("callingSessionId"); p.Text("type") == "session_start" && caller != p.Text("id") {
		return caller
	}
	return ""
}

// start translates the first line of a session, without the account in it.
func (t *translator) start() {
	p := t.line
	version := transcript.TextOf(p.Get("version"))
	what := "Session started"
	if t.AgentID != "" {
		what = "Agent started"
	}
	r := t.Remark("", what, "folder", p.Text("cwd"), "version of the format", version,
		"started by", p.Text("parent", "callingSessionId"))
	if t.AgentID != "" {
		sources.Rare(r).ParentToolUseID = p.Text("callingToolUseId")
	}
	if title := p.Text("sessionTitle", "title"); title != "" && title != t.titled {
		t.titled = title
		t.Add(sources.TitleRecord(title, true))
	}
}

// message translates a message: content of the Anthropic API, or a text in the stream.
func (t *translator) message() {
	p := t.line
	role, content, visibility := p.Text("role"), p.Get("text"), p.Text("visibility")
	if v := p.Get("message"); v != nil {
		var m sources.Object
		m.Read(v)
		role, content, visibility = m.Text("role"), m.Get("content"), cmp.Or(m.Text("visibility"), visibility)
		t.Model = cmp.Or(m.Text("modelId", "model"), t.Model)
	}
	var blocks []transcript.Block
	if content != nil {
		blocks = transcript.Blocks(content)
	}
	switch {
	case role != "user":
	case visibility == forUser:
		role, blocks = "system", t.remarks(t.results(blocks))
	case visibility == forModel:
		role, blocks = "system", t.results(blocks)
	}
	switch role {
	case "user":
		t.user(blocks)
	case "assistant":
		for _, b := range blocks {
			if b.Type == "text" {
				t.said = b.Text
			}
		}
		if len(blocks) > 0 {
			t.Answer(blocks...)
		}
	case "system":
		if len(blocks) > 0 {
			t.User(transcript.InjectedText, blocks...)
		}
	default:
		return
	}
	if t.Added() == 0 {
		t.Hide("message", empty)
	}
}

// outcome translates the end of a turn.
func (t *translator) outcome() {
	reason, result := t.line.Text("reason"), t.line.Text("resultKind")
	switch {
	case reason == "cancelled" || reason == "interrupted":
		t.User(transcript.InterruptionText, t.Text("[Request interrupted by user]"))
	case reason == "error" || strings.HasSuffix(result, "error"):
		t.Fail("The turn failed: " + strings.ReplaceAll(cmp.Or(result, reason), "_", " "))
	case reason == "process_exit":
		t.Remark("warning", "The program ended during the turn")
	case reason == "" || reason == "completed" || reason == "spec_handoff":
		t.Hide("agent_turn_outcome", bookkeeping)
	default:
		t.Fail("The turn failed: " + strings.ReplaceAll(reason, "_", " "))
	}
}

// user translates a message in the role of the user: results of calls, reminders of the program, and typed text.
func (t *translator) user(blocks []transcript.Block) {
	var typed, added []transcript.Block
	for _, b := range t.results(blocks) {
		switch {
		case b.Type == "text" && t.shell(b.Text):
		case b.Type == "text":
			reminder, rest := cutReminders(b.Text)
			if reminder != "" {
				added = append(added, transcript.Block{Type: "text", Raw: b.Raw, Text: reminder})
			}
			if rest != "" {
				typed = append(typed, transcript.Block{Type: "text", Raw: b.Raw, Text: rest})
			}
		default:
			typed = append(typed, b)
		}
	}
	if len(added) > 0 {
		t.User(transcript.InjectedText, added...)
	}
	if len(typed) > 0 {
		t.User(transcript.PromptText, typed...)
	}
}

// shell translates a command that the human ran, and its output: a record as JSON in a text. It returns false for any
// other text.
func (t *translator) shell(text string) bool {
	v := jsontext.Value(text)
	if !strings.HasPrefix(text, "{") || !strings.Contains(text, `"bash_result"`) || !transcript.Valid(v) {
		return false
	}
	var o sources.Object
	o.Read(v)
	command := o.Text("command")
	if o.Text("type") != "bash_result" || command == "" {
		return false
	}
	t.User(transcript.ShellText, t.Text(command))
	output := o.Text("stdout") + o.Text("stderr")
	if code := transcript.TextOf(o.Get("exitCode")); code != "" && code != "0" {
		output = sources.WithExitCode(code, output)
	}
	if output != "" {
		t.User(transcript.OutputText, t.Text(output))
	}
	return true
}

// results adds the results of calls, and returns the other blocks.
func (t *translator) results(blocks []transcript.Block) []transcript.Block {
	return slices.DeleteFunc(blocks, func(b transcript.Block) bool {
		if b.Type != "tool_result" {
			return false
		}
		failed := b.IsError || len(b.Content) > 0 && strings.HasPrefix(b.Content[0].Text, "Error: Command failed (")
		t.Result(b.ToolUseID, failed, b.Content...)
		return true
	})
}

// remarks adds texts that only the human sees, and returns the other blocks.
func (t *translator) remarks(blocks []transcript.Block) []transcript.Block {
	return slices.DeleteFunc(blocks, func(b transcript.Block) bool {
		if b.Type == "text" && b.Text != "" {
			t.Remark("", b.Text)
		}
		return b.Type == "text"
	})
}

// cutReminders separates a prompt from the tags that the program puts before it.
func cutReminders(text string) (reminders, rest string) {
	rest = strings.TrimSpace(text)
	var all []string
	for {
		inner, ok := strings.CutPrefix(rest, "<system-reminder>")
		if !ok {
			break
		}
		inner, rest, _ = strings.Cut(inner, "</system-reminder>")
		all, rest = append(all, strings.TrimSpace(inner)), strings.TrimSpace(rest)
	}
	if len(all) == 0 {
		return "", text
	}
	return strings.Join(all, "\n\n"), rest
}

// callOf returns the id of a call in a stream.
func callOf(p sources.Object) string { return p.Text("toolCallId", "id") }

// streamResult translates the result of a call in a stream: a text or an object.
func (t *translator) streamResult() {
	p := t.line
	value := p.Get("value")
	code := transcript.Field(value, "exitCode")
	text := transcript.TextOf(value)
	if stdout := transcript.Field(value, "stdout"); stdout != nil {
		text = transcript.String(stdout) + transcript.String(transcript.Field(value, "stderr"))
	}
	failed := string(p.Get("isError")) == "true" || sources.Number(code) > 0
	r := t.Result(callOf(p), failed, t.Text(text))
	if transcript.Kind(value) == '{' {
		r.ToolUseResult = value
	}
	if message := transcript.TextOf(p.Get("error")); message != "" && text == "" {
		r.Message.Content[0].IsError = true
		r.Message.Content[0].Content[0].Text = message
	}
}

// completion translates the end of a stream: the last answer and the tokens of all requests.
func (t *translator) completion() {
	p := t.line
	text := p.Text("finalText")
	r := t.Answer(t.Text(text))
	if text == "" || text == t.said {
		sources.Rare(r).Hidden = repeatedText
	}
	var u sources.Object
	u.Read(p.Get("usage"))
	r.Message.HasUsage, r.Message.Several = len(u) > 0, true
	r.Message.Usage = transcript.Usage{
		Input: sources.Number(u.Get("input_tokens")), Output: sources.Number(u.Get("output_tokens")),
		CacheRead:  sources.Number(u.Get("cache_read_input_tokens")),
		CacheWrite: sources.Number(u.Get("cache_creation_input_tokens")),
	}
}

// settings translates what is read of the settings of a session: the tokens of all its requests, without those of its
// agents.
func (t *translator) settings() {
	if t.line.Get("unread") != nil {
		t.Problem("the settings next to the log cannot be read")
	}
	var u sources.Object
	u.Read(t.line.Get("tokenUsage"))
	t.Model = cmp.Or(t.Model, t.line.Text("model"))
	used := transcript.Usage{
		Input: sources.Number(u.Get("inputTokens")), Output: sources.Number(u.Get("outputTokens")),
		CacheRead:  sources.Number(u.Get("cacheReadTokens")),
		CacheWrite: sources.Number(u.Get("cacheCreationTokens")),
	}
	if used == (transcript.Usage{}) {
		t.Hide(settingsLine, bookkeeping)
		return
	}
	t.UsedBySession(used, tokens)
}
