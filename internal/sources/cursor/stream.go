package cursor

import (
	"cmp"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// streamed is the rule that hides events of a stream whose text a later record has.
const streamed = "stream events"

// tokens is the rule that hides the tokens of a run, which are counted.
const tokens = "token counts"

// A Stream reads what Cursor's command prints with --output-format stream-json. It has no ids and few times.
type Stream struct{ sources.Defaults }

// Writer reports that streams do not tell what the model was sent.
func (Stream) Writer() transcript.Writer { return transcript.Writer{Name: "Cursor CLI", NotSent: true} }

// Match accepts files that begin like a stream of Claude Code, but do not list the tools, which Claude Code always
// does.
func (Stream) Match(head sources.Head) bool {
	return transcript.String(head.Value("type")) == "system" && transcript.String(head.Value("subtype")) == "init" &&
		head.Has("apiKeySource") && head.Has("session_id") && !head.Has("tools")
}

// NewTranslator returns a translator for one stream.
func (Stream) NewTranslator() sources.Translator { return new(streamTranslator) }

type streamTranslator struct {
	sources.Builder
	line          sources.Object
	thought, said strings.Builder // of events that have no record yet
	open          map[string]bool // the calls that have started
}

// Translate turns a line into records.
func (t *streamTranslator) Translate(pos transcript.Pos, v jsontext.Value) (
	[]transcript.Record, []transcript.Problem,
) {
	t.Begin(pos, v)
	t.line = t.line[:0]
	t.line.Read(v)
	t.SetTime(t.line.Get("timestamp_ms"))
	kind := t.line.Text("type")
	if kind != "thinking" {
		t.endThought()
	}
	if kind != "assistant" {
		t.endText()
	}
	t.event(kind)
	return t.Done(kind)
}

func (t *streamTranslator) event(kind string) {
	subtype := t.line.Text("subtype")
	switch kind {
	case "system":
		if subtype == "init" {
			t.SessionID, t.CWD = t.line.Text("session_id"), t.line.Text("cwd")
			t.Model = t.line.Text("model")
			t.Remark("", "Session started", "model", t.Model, "permissions", t.line.Text("permissionMode"))
		}
	case "user":
		t.User(transcript.PromptText, t.blocks()...)
	case "thinking":
		t.thought.WriteString(t.line.Text("text"))
		if subtype != "delta" {
			t.endThought()
		}
		if t.Added() == 0 {
			t.Hide(kind, streamed)
		}
	case "assistant":
		t.answer()
	case "tool_call":
		t.call(subtype)
	case "interaction_query":
		t.Hide(kind, bookkeeping)
	case "result":
		t.end(subtype)
	}
}

func (t *streamTranslator) blocks() []transcript.Block {
	return t.ChatBlocks(transcript.Field(t.line.Get("message"), "content"))
}

// answer translates a text, or a part of one: parts have a time, and the whole text may follow them.
func (t *streamTranslator) answer() {
	blocks := t.blocks()
	text := sources.JoinTexts(blocks)
	if t.line.Get("timestamp_ms") != nil && t.line.Get("model_call_id") == nil {
		t.said.WriteString(text)
		t.Hide("assistant", streamed)
		return
	}
	if strings.HasSuffix(strings.TrimSpace(text), strings.TrimSpace(t.said.String())) {
		t.said.Reset()
	}
	t.endText()
	t.Answer(blocks...)
}

func (t *streamTranslator) endThought() {
	if text := t.thought.String(); strings.TrimSpace(text) != "" {
		t.Answer(transcript.Block{Type: "thinking", Raw: t.Value, Text: text})
	}
	t.thought.Reset()
}

func (t *streamTranslator) endText() {
	if text := t.said.String(); strings.TrimSpace(text) != "" {
		t.Answer(t.Text(text))
	}
	t.said.Reset()
}

// call translates the start or the end of a call. The only member of tool_call with an object of arguments has the name
// of the tool.
func (t *streamTranslator) call(subtype string) {
	var name string
	var body sources.Object
	for key, value := range transcript.Members(t.line.Get("tool_call")) {
		if transcript.Kind(value) == '{' && (strings.HasSuffix(key, "ToolCall") || key == "function") {
			name = strings.TrimSuffix(key, "ToolCall")
			body.Read(value)
			break
		}
	}
	if name == "" {
		return
	}
	id := cmp.Or(t.line.Text("call_id"),
		transcript.String(transcript.Field(t.line.Get("tool_call"), "toolCallId")), name)
	if !t.open[id] {
		tool, input := toolOf(name, body)
		t.Answer(t.Call(id, tool, input))
		if t.open == nil {
			t.open = make(map[string]bool)
		}
		t.open[id] = true
	} else if subtype == "started" {
		t.Hide("tool_call", streamed)
	}
	if subtype == "completed" {
		t.result(id, body.Get("result"))
	}
}

// toolNames has the names that other logs of Cursor have for tools of streams, where these differ in more than the
// first letter.
var toolNames = map[string]string{
	"ls": "LS", "edit": "StrReplace", "updateTodos": "TodoWrite", "semSearch": "SemanticSearch", "fetch": "WebFetch",
	"createPlan": "create_plan",
}

// toolOf returns the name of a tool and its input.
func toolOf(name string, body sources.Object) (string, jsontext.Value) {
	args := body.Get("args")
	field := func(name string) string { return transcript.String(transcript.Field(args, name)) }
	switch name {
	case "function":
		return cmp.Or(body.Text("name"), name), sources.Arguments(body.Get("arguments"))
	case "shell":
		description := cmp.Or(field("description"), body.Text("description"))
		return "Shell", sources.Make("command", field("command"), "description", description,
			"workingDirectory", field("workingDirectory"))
	case "write":
		return "Write", sources.Make("path", field("path"), "contents", field("fileText")+field("contents"))
	case "edit":
		if change := transcript.Field(args, "strReplace"); transcript.Kind(change) == '{' {
			args = sources.Make("path", field("path"), "old_string", transcript.Field(change, "oldText"),
				"new_string", transcript.Field(change, "newText"))
		}
	case "mcp":
		if server := field("providerIdentifier"); server != "" {
			return "mcp__" + server + "__" + cmp.Or(field("toolName"), field("name")), transcript.Field(args, "args")
		}
	}
	if known := toolNames[name]; known != "" {
		return known, args
	}
	_, n := utf8.DecodeRuneInString(name)
	return strings.ToUpper(name[:n]) + name[n:], args
}

// result translates the result of a call: an object whose only member says how it ended.
func (t *streamTranslator) result(id string, v jsontext.Value) {
	how, value := "success", v
	for key, inner := range transcript.Members(v) {
		how, value = key, inner
		break
	}
	text, structured := endOf(value)
	code := string(transcript.Field(value, "exitCode"))
	r := t.Result(id, how != "success" || code != "" && code != "0")
	if text != "" {
		r.Message.Content[0].Content = []transcript.Block{t.Text(text)}
	}
	r.ToolUseResult = structured
	switch how {
	case "rejected", "permissionDenied": // nobody can be asked while the command prints a stream
		sources.Rare(r).ToolDenialKind = "permission-rule"
		if strings.Contains(text, "blocked by a hook") {
			sources.Rare(r).ToolDenialKind = "hook"
		}
	case "aborted":
		sources.Rare(r).ToolDenialKind = "interrupted"
	}
}

// endOf returns the text of a result and its structured part: the exit code of a command, the diff of an edit.
func endOf(v jsontext.Value) (text string, structured jsontext.Value) {
	if transcript.Kind(v) != '{' {
		return transcript.TextOf(v), nil
	}
	field := func(name string) string { return transcript.String(transcript.Field(v, name)) }
	code, diff := transcript.Field(v, "exitCode"), field("diffString")
	created := ""
	if strings.HasPrefix(diff, "--- /dev/null") {
		created = "create"
	}
	structured = sources.Make("exitCode", string(code), "type", created, "fileDiff", diff)
	if len(structured) == len("{}") {
		structured = nil
	}
	text = cmp.Or(field("interleavedOutput"), field("stdout")+field("stderr"))
	for _, name := range []string{"content", "message", "errorMessage", "error", "reason", "output", "markdown"} {
		text = cmp.Or(text, field(name))
	}
	if text == "" {
		text = listed(v)
	}
	if text == "" && code == nil && diff == "" && len(v) > len("{}") {
		text = string(v)
	}
	return text, structured
}

// listed returns the texts of a result that is a list: of files, or of what a tool of a server returned.
func listed(v jsontext.Value) string {
	var lines []string
	for e := range transcript.Elements(transcript.Field(v, "files")) {
		lines = append(lines, transcript.TextOf(e))
	}
	for e := range transcript.Elements(transcript.Field(v, "content")) {
		lines = append(lines, transcript.String(transcript.Field(transcript.Field(e, "text"), "text")))
	}
	return strings.Join(lines, "\n")
}

// end translates the end of a run, with the tokens of all requests.
func (t *streamTranslator) end(subtype string) {
	t.Add(transcript.Record{Type: "result", Subtype: subtype})
	var u sources.Object
	u.Read(t.line.Get("usage"))
	used := transcript.Usage{
		Input: sources.Number(u.Get("inputTokens")), Output: sources.Number(u.Get("outputTokens")),
		CacheRead: sources.Number(u.Get("cacheReadTokens")), CacheWrite: sources.Number(u.Get("cacheWriteTokens")),
	}
	if used != (transcript.Usage{}) {
		t.UsedTogether(used, tokens)
	}
}
