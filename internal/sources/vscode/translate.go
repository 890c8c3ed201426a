package vscode

import (
	"cmp"
	"path"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// The rules that hide records, in addition to those shared by all writers.
const (
	bookkeeping = "bookkeeping"
	empty       = "empty messages"
)

// A translator turns the values of one file into records.
type translator struct {
	sources.Builder
	parent  string // the id of the last record
	details string // of the model: its name, and how much each request to it counts
	told    string // the description of the workspace for the model

	request sources.Object
	id      string
	removed bool            // the human took the request back
	agent   string          // the call that started the agent of the current part
	text    strings.Builder // of the parts before, which form one text
	fence   fence
	calls   []*round
	edited  map[string]bool // paths that calls of the request change
}

// Translate turns the session or a request into records.
func (t *translator) Translate(pos transcript.Pos, v jsontext.Value) ([]transcript.Record, []transcript.Problem) {
	t.Begin(pos, v)
	t.Complete = t.fill
	t.Time, t.id, t.removed, t.agent, t.fence = time.Time{}, "", false, "", fence{}
	t.request.Read(v)
	if t.request.Get("requestId") == nil && t.request.Get("message") == nil && t.request.Get("response") == nil {
		t.head()
		return t.Done("request")
	}
	t.id, t.Time = t.request.Text("requestId"), sources.Milliseconds(t.request.Get("timestamp"))
	t.removed = t.isRemoved()
	t.Model = t.request.Text("modelId")
	t.Model = t.Model[strings.LastIndexByte(t.Model, '/')+1:]
	if t.CWD == "" {
		t.CWD = (Source{}).FolderOf(v)
	}
	result := t.request.Get("result")
	metadata := transcript.Field(result, "metadata")
	t.prompt(metadata)
	if details := transcript.String(transcript.Field(result, "details")); details != "" && details != t.details {
		t.details = details
		t.Settings("model", details)
	}
	t.rounds(metadata)
	for part := range transcript.Elements(t.request.Get("response")) {
		t.part(part)
	}
	t.flush()
	t.agent = ""
	for _, r := range t.calls { // calls that the answer does not show
		if !r.used {
			t.called(r, nil)
		}
	}
	t.end(result, metadata)
	return t.Done("request")
}

// isRemoved reports whether the human took the request back: the editor deletes it when the next one is sent. One of
// which only some edits were undone stays.
func (t *translator) isRemoved() bool {
	v := t.request.Get("shouldBeRemovedOnSend")
	return transcript.Kind(v) == '{' && transcript.Field(v, "afterUndoStop") == nil
}

// head translates the description of the session, without the names of people and without text that was not sent.
func (t *translator) head() {
	o := t.request
	known := o.Get("version") != nil || o.Get("creationDate") != nil || o.Get("sessionId") != nil
	if !known {
		t.Add(transcript.Record{Type: "change"})
		return
	}
	t.SessionID, t.Time = o.Text("sessionId"), sources.Milliseconds(o.Get("creationDate"))
	title, generated := o.Text("customTitle"), false
	if title == "" {
		title, generated = o.Text("computedTitle"), true
	}
	if title != "" {
		t.Add(sources.TitleRecord(title, generated))
	}
	t.Hide("session", bookkeeping)
}

// fill fills in what all records of the request share.
func (t *translator) fill(r *transcript.Record) {
	if t.id != "" {
		r.UUID = t.id
		if n := t.Added() - 1; n > 0 {
			r.UUID += "." + strconv.Itoa(n)
		}
		r.ParentUUID, t.parent = t.parent, r.UUID
	}
	if t.removed {
		sources.Rare(r).TakenBack = true
	}
	if t.agent != "" {
		r.AgentID, r.IsSidechain = t.agent, true
		sources.Rare(r).ParentToolUseID = t.agent
	}
	if t.id != "" && (r.Type != "user" || t.Added() > 1) {
		r.Timestamp = time.Time{} // only that of the prompt is known
	}
}

// say adds what the model said.
func (t *translator) say(blocks ...transcript.Block) {
	m := &transcript.Message{ID: t.id, Role: "assistant", Model: t.Model, Content: blocks}
	if t.agent != "" {
		m.ID += "@" + t.agent
	}
	t.Add(transcript.Record{Type: "assistant", Message: m})
}

// flush adds the text gathered so far.
func (t *translator) flush() {
	s := t.text.String()
	t.text.Reset()
	t.fence.cut()
	if strings.TrimSpace(s) != "" {
		t.say(t.Text(strings.Trim(s, "\r\n")))
	}
}

// prompt translates a prompt and its attachments.
func (t *translator) prompt(metadata jsontext.Value) {
	message := t.request.Get("message")
	asked := transcript.String(message)
	if transcript.Kind(message) == '{' {
		asked = transcript.String(transcript.Field(message, "text"))
		if asked == "" {
			var b strings.Builder
			for part := range transcript.Elements(transcript.Field(message, "parts")) {
				b.WriteString(transcript.String(transcript.Field(part, "text")))
			}
			asked = b.String()
		}
	}
	var contexts []jsontext.Value
	context := func(pairs ...any) { contexts = append(contexts, sources.Make(pairs...)) }
	for e := range transcript.Elements(transcript.Field(t.request.Get("variableData"), "variables")) {
		var o sources.Object
		o.Read(e)
		value := o.Get("value")
		file := pathOf(value)
		if inner := transcript.Field(value, "uri"); inner != nil {
			file = pathOf(inner)
		}
		text := ""
		if transcript.Kind(value) == '"' {
			text = transcript.String(value)
		}
		if kind := o.Text("kind"); kind == "image" || kind == "paste" && text == "" {
			text = ""
		}
		context("type", o.Text("kind"), "label", o.Text("name"), "fullPath", file,
			"lines", linesOf(transcript.Field(value, "range")), "content", text)
	}
	if told := rendered(transcript.Field(metadata, "renderedGlobalContext")); told != "" && told != t.told {
		t.told = told
		context("label", "told about the workspace", "content", told)
	}
	if sent := rendered(transcript.Field(metadata, "renderedUserMessage")); sent != "" && sent != asked {
		context("label", "as it was sent", "content", sent)
	}
	r := sources.UserRecord(transcript.PromptText, t.Text(asked))
	if contexts != nil {
		r.Contexts = sources.MakeList(contexts...)
	}
	t.Add(r)
}

// rendered returns the text of what was sent.
func rendered(v jsontext.Value) string {
	var all strings.Builder
	for e := range transcript.Elements(v) {
		all.WriteString(transcript.String(transcript.Field(e, "text")))
	}
	return strings.TrimSpace(all.String())
}

// pathOf returns the path of a URI, which VS Code writes as an object.
func pathOf(v jsontext.Value) string {
	if s := transcript.String(transcript.Field(v, "fsPath")); s != "" {
		return s
	}
	p := transcript.String(transcript.Field(v, "path"))
	if scheme := transcript.String(transcript.Field(v, "scheme")); scheme != "" && scheme != "file" {
		return scheme + "://" + transcript.String(transcript.Field(v, "authority")) + p
	}
	return p
}

// linesOf returns the lines of a range: "3–9".
func linesOf(v jsontext.Value) string {
	start, end := transcript.Field(v, "startLineNumber"), transcript.Field(v, "endLineNumber")
	if start == nil {
		return ""
	}
	if string(start) == string(end) || end == nil {
		return string(start)
	}
	return string(start) + "–" + string(end)
}

// part translates a part of the answer.
func (t *translator) part(v jsontext.Value) {
	var o sources.Object
	o.Read(v)
	kind := o.Text("kind")
	switch kind {
	case "", "markdownContent", "markdownVuln":
		t.text.WriteString(t.fence.pass(textOf(o.Get("value", "content"))))
		return
	case "inlineReference":
		t.reference(&o)
		return
	case "undoStop", "codeblockUri", "prepareToolInvocation", "mcpServersStarting", "references", "reference", "move",
		"clearToPreviousToolInvocation", "disabledClaudeHooks", "voiceProgress", "usage", "usedContext", "codeCitation":
		return // they mark places for the editor
	}
	t.flush()
	t.agent = o.Text("subAgentInvocationId")
	switch kind {
	case "thinking":
		text := ""
		if value := o.Get("value"); transcript.Kind(value) == '[' {
			var b strings.Builder
			for e := range transcript.Elements(value) {
				b.WriteString(transcript.String(e))
			}
			text = b.String()
		} else {
			text = transcript.String(value)
		}
		if strings.TrimSpace(text) != "" {
			t.say(transcript.Block{Type: "thinking", Raw: v, Text: text})
		}
	case "toolInvocationSerialized", "toolInvocation":
		t.invocation(&o, v)
	case "textEditGroup", "notebookEditGroup":
		t.edits(&o, v)
	case "progressMessage", "progressTask", "progressTaskSerialized", "warning", "confirmation", "elicitation",
		"elicitationSerialized", "command", "systemNotification", "info":
		t.remark(kind, &o)
	case "autoModeResolution":
		t.routed(&o)
	default:
		t.later(kind, &o, v)
	}
}

// textOf returns a text, given as a string or as an object with a value.
func textOf(v jsontext.Value) string {
	if transcript.Kind(v) == '{' {
		return transcript.String(transcript.Field(v, "value"))
	}
	return transcript.String(v)
}

// reference writes the file or the symbol that a text refers to.
func (t *translator) reference(o *sources.Object) {
	name := o.Text("name")
	inner := o.Get("inlineReference")
	name = cmp.Or(name, transcript.String(transcript.Field(inner, "name")))
	if uri := transcript.Field(inner, "uri"); name == "" && uri != nil {
		inner = uri
	}
	if name == "" {
		name = path.Base(strings.ReplaceAll(pathOf(inner), `\`, "/"))
	}
	if name == "" || name == "." {
		return
	}
	t.text.WriteString("`" + strings.ReplaceAll(name, "`", "'") + "`")
}

// remark adds a line that the program wrote.
func (t *translator) remark(kind string, o *sources.Object) {
	var all []string
	for _, name := range []string{"title", "message", "content", "command"} {
		v := o.Get(name)
		text := textOf(v)
		if name == "command" {
			text = transcript.String(transcript.Field(v, "title"))
		}
		if text != "" {
			all = append(all, text)
		}
	}
	if len(all) == 0 {
		return
	}
	r := t.Add(sources.SystemRecord("informational", strings.Join(all, ": "), "state", o.Get("state")))
	if kind == "warning" {
		r.Rare = &transcript.Rare{Level: "warning"}
	}
}

// The states in which a request ends badly (modelState.value).
const (
	cancelled = "2"
	failed    = "3"
)

// end translates how the request ended, and its tokens.
func (t *translator) end(result, metadata jsontext.Value) {
	state := string(transcript.Field(t.request.Get("modelState"), "value"))
	switch failure := transcript.Field(result, "errorDetails"); {
	case string(t.request.Get("isCanceled")) == "true" || state == cancelled || state == "" && isCanceled(failure):
		t.User(transcript.InterruptionText, t.Text("[Request interrupted by user]"))
	case failure != nil || state == failed:
		t.Fail(cmp.Or(transcript.String(transcript.Field(failure, "message")), "The request failed"))
	}
	used := transcript.Usage{
		Input:  sources.Number(transcript.Field(metadata, "promptTokens")),
		Output: sources.Number(transcript.Field(metadata, "outputTokens")),
	}
	if used == (transcript.Usage{}) {
		used.Input, used.Output = t.number("promptTokens"), t.number("completionTokens")
	}
	took := sources.Number(transcript.Field(transcript.Field(result, "timings"), "totalElapsed"))
	ended := sources.Milliseconds(transcript.Field(t.request.Get("modelState"), "completedAt"))
	if took <= 0 && !t.Time.IsZero() && ended.After(t.Time) {
		took = ended.Sub(t.Time).Milliseconds()
	}
	for i := t.Added() - 1; i > 0; i-- {
		r := t.Record(i)
		if r.Type != "assistant" || r.AgentID != "" || r.IsAPIError {
			continue
		}
		if used != (transcript.Usage{}) {
			r.Message.Usage, r.Message.HasUsage = used, true
		}
		if took > 0 && took < 1e9 && !t.Time.IsZero() && i == t.Added()-1 {
			r.Timestamp = t.Time.Add(time.Duration(took) * time.Millisecond)
		}
		break
	}
}

// isCanceled reports whether the user stopped the request, in versions that write no state.
func isCanceled(failure jsontext.Value) bool {
	return transcript.String(transcript.Field(failure, "code")) == "canceled"
}

func (t *translator) number(name string) int64 { return sources.Number(t.request.Get(name)) }

// A fence removes the marks of empty code blocks, which VS Code puts around edits. Each mark is a separate part.
type fence struct {
	open   string // not written yet
	inside bool   // within a code block with content
	drop   bool   // the mark that it would close was removed
}

// pass returns what to write of a text.
func (f *fence) pass(text string) string {
	bare := strings.TrimSpace(text)
	if len(bare) < 3 || strings.Trim(bare, "`") != "" {
		text = f.open + text
		f.inside = f.inside || f.open != ""
		f.open, f.drop = "", false
		return text
	}
	switch {
	case f.drop:
		f.drop = false
	case f.inside:
		f.inside = false
		return text
	case f.open != "":
		f.open = ""
	default:
		f.open = text
	}
	return ""
}

// cut ends a text, because something else follows.
func (f *fence) cut() { *f = fence{drop: f.open != ""} }
