package copilot

import (
	"bytes"
	"cmp"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// A session of 2025 is one document with two logs. chatMessages are what the model was sent and answered, in the format
// of the OpenAI API. timeline is what the screen showed, with times. The timeline is drawn. Messages add what it lacks:
// the results as the model was sent them, and texts that were never shown.

// isHistory reports whether a value is such a document.
func isHistory(p sources.Object) bool {
	return p.Get("type") == nil && (p.Get("chatMessages") != nil || p.Get("timeline") != nil)
}

// An entry is an entry of the timeline.
type entry struct {
	chatMessage
	kind string
	text string
	call string
	said []chatMessage // messages after it that no entry shows
	sent string        // the message that it shows, if the model was sent more than is shown
}

// A chatMessage is a part of the document with its place.
type chatMessage struct {
	value jsontext.Value
	pos   transcript.Pos
}

// history translates such a document.
func (t *translator) history(whole jsontext.Value) {
	p, pos := t.line, t.Pos
	t.head.id = p.Text("sessionId")
	t.SetTime(p.Get("startTime"))
	t.Model = p.Text("selectedModel")
	t.head.cwd = folderIn(whole)
	t.Value = sources.Make("type", "session", "sessionId", t.head.id)
	t.Remark("", "Session started", "folder", t.head.cwd, "model", t.Model)
	entries := []entry{{}} // the first one holds messages from before the timeline
	for at, e := range sources.ElementsIn(pos, whole, p.Get("timeline")) {
		read := readEntry(e)
		read.pos = at
		entries = append(entries, read)
	}
	var messages []chatMessage
	for at, m := range sources.ElementsIn(pos, whole, p.Get("chatMessages")) {
		messages = append(messages, chatMessage{m, at})
	}
	results := match(messages, entries)
	for i := range entries {
		e := &entries[i]
		if e.value != nil {
			t.Value, t.Pos = e.value, e.pos
			t.SetTime(transcript.Field(e.value, "timestamp"))
			t.show(e, results)
		}
		for _, m := range e.said {
			t.Value, t.Pos = m.value, m.pos
			t.chatMessage(m.value)
		}
	}
}

func readEntry(e jsontext.Value) entry {
	var p sources.Object
	p.Read(e)
	read := entry{kind: p.Text("type"), text: p.Text("text", "content"), call: p.Text("callId")}
	read.value = e
	return read
}

// maxSearched limits how many entries are searched for the one that shows a message.
const maxSearched = 500

// match assigns each message that no entry shows to the entry before it. It returns the results of calls by id.
func match(messages []chatMessage, entries []entry) map[string]jsontext.Value {
	results := make(map[string]jsontext.Value)
	calls := make(map[string]int)
	for i, e := range entries {
		if e.kind == "tool_call_requested" {
			calls[e.call] = i
		}
	}
	at := 0
	texts := func(kind, text string) bool { // finds the next entry with that text
		for i := at + 1; i < len(entries) && i <= at+maxSearched; i++ {
			e := &entries[i]
			shown := strings.TrimSpace(e.text)
			if e.kind != kind || shown == "" || !strings.Contains(text, shown) {
				continue
			}
			if at = i; kind == "user" {
				e.sent = text
			}
			return true
		}
		return false
	}
	for _, m := range messages {
		var p sources.Object
		p.Read(m.value)
		text := contentOf(p.Get("content"))
		switch p.Text("role") {
		case "tool":
			id := p.Text("tool_call_id")
			results[id] = transcript.Or(results[id], m.value)
			if _, shown := calls[id]; shown {
				continue
			}
		case "user":
			if texts("user", text) {
				continue
			}
		case "assistant":
			shown := text == "" || texts("copilot", text)
			for c := range transcript.Elements(p.Get("tool_calls")) {
				i, ok := calls[transcript.String(transcript.Field(c, "id"))]
				shown = shown && ok
				at = max(at, i)
			}
			if shown {
				continue
			}
		}
		entries[at].said = append(entries[at].said, m)
	}
	return results
}

// show draws an entry of the timeline.
func (t *translator) show(e *entry, results map[string]jsontext.Value) {
	var p sources.Object
	p.Read(e.value)
	switch e.kind {
	case "user":
		r := t.User(transcript.PromptText, t.Text(e.text))
		if before, after, ok := strings.Cut(e.sent, strings.TrimSpace(e.text)); ok {
			if added := strings.TrimSpace(strings.TrimSpace(before) + "\n" + strings.TrimSpace(after)); added != "" {
				sources.Rare(r).Contexts = sources.Make("label", "sent with the prompt", "content", added)
			}
		}
	case "copilot":
		t.says(e.text)
	case "tool_call_requested":
		t.requested(e.call, p.Text("name"), p.Get("arguments"))
	case "tool_call_completed":
		if t.calls[e.call] == nil {
			t.requested(e.call, p.Text("name"), p.Get("arguments"))
		}
		t.completed(e.call, p.Get("result"), results[e.call])
	case "info":
		t.Remark("", e.text)
	case "warning", "warn":
		t.Remark("warning", e.text)
	case "error":
		t.failed(name(e.text, "error"))
	default:
		t.Add(transcript.Record{Type: name(e.kind, "entry")})
	}
}

// says adds a text of the model.
func (t *translator) says(text string) {
	m := &transcript.Message{ID: "o" + t.place(), Role: "assistant", Model: t.Model}
	m.Content = []transcript.Block{t.Text(text)}
	t.Add(transcript.Record{Type: "assistant", Message: m})
}

// editors are the tools that replaced one tool of 2025, by its command.
var editors = map[string]string{"view": "view", "create": "create", "str_replace": "edit"}

// requested adds a call.
func (t *translator) requested(id, tool string, input jsontext.Value) {
	c := &call{id: id, tool: tool, name: tool, start: t.Time, input: arguments(input, tool == "apply_patch")}
	command := transcript.String(transcript.Field(c.input, "command"))
	if now := editors[command]; tool == "str_replace_editor" && now != "" {
		c.tool, c.name = now, now
	}
	if t.keep(c) == nil {
		t.hide("tool_call_requested", repeated)
		return
	}
	t.addCall(c)
}

// completed adds the result of a call, as the model was sent it if a message has it, otherwise as the screen showed it.
func (t *translator) completed(id string, shown, sent jsontext.Value) {
	c := t.calls[id]
	if c == nil {
		c = &call{id: id}
		t.calls[id] = c
	}
	if c.answered || c.intent != "" {
		c.answered = true
		t.hide("tool_call_completed", repeated)
		return
	}
	c.answered = true
	text := cmp.Or(contentOf(transcript.Field(sent, "content")), contentOf(transcript.Field(shown, "log")),
		contentOf(transcript.Field(shown, "content")), contentOf(transcript.Field(shown, "message")))
	var o outcome
	switch transcript.String(transcript.Field(shown, "type")) {
	case "failure", "error", "timeout":
		o.failed = true
	case "rejected":
		o.failed, o.denied = true, "user-rejected"
	case "denied":
		o.failed, o.denied = true, "permission-rule"
	}
	if shells[c.tool] {
		text = o.shell(text)
	}
	if log := contentOf(transcript.Field(shown, "log")); strings.Contains(log, "\n@@ ") {
		o.hunks = hunks(log)
	}
	if took := t.Time.Sub(c.start); !t.Time.IsZero() && !c.start.IsZero() && took > 0 {
		o.seconds = took.Seconds()
	}
	block := transcript.Block{Type: "tool_result", Raw: t.Value, ToolUseID: id, IsError: o.failed}
	if text != "" {
		block.Content = []transcript.Block{t.Text(text)}
	}
	r := transcript.Record{Type: "user", Message: &transcript.Message{Role: "user", Content: []transcript.Block{block}}}
	r.ToolUseResult = o.encode(c)
	if o.denied != "" {
		sources.Rare(&r).ToolDenialKind = o.denied
	}
	t.Add(r)
}

// chatMessage draws a message that the timeline does not show.
func (t *translator) chatMessage(m jsontext.Value) {
	var p sources.Object
	p.Read(m)
	text := contentOf(p.Get("content"))
	switch p.Text("role") {
	case "system", "developer":
		t.Snapshot(text, nil)
	case "user":
		is := transcript.PromptText
		if strings.HasPrefix(strings.TrimSpace(text), "<") { // <environment_context>, <reminder>
			is = transcript.InjectedText
		}
		t.User(is, t.Text(text))
	case "assistant":
		if text != "" {
			t.says(text)
		}
		for c := range transcript.Elements(p.Get("tool_calls")) {
			f := transcript.Field(c, "function")
			id := transcript.String(transcript.Field(c, "id"))
			if t.calls[id] == nil {
				t.requested(id, transcript.String(transcript.Field(f, "name")), transcript.Field(f, "arguments"))
			}
		}
	case "tool":
		t.completed(p.Text("tool_call_id"), nil, m)
	default:
		t.Add(transcript.Record{Type: name(p.Text("role"), "message")})
	}
}

// contentOf returns the text of content: a string, or a list of texts.
func contentOf(v jsontext.Value) string {
	if transcript.Kind(v) != '[' {
		return transcript.String(v)
	}
	var texts []string
	for e := range transcript.Elements(v) {
		texts = append(texts, transcript.String(transcript.Field(e, "text")))
	}
	return strings.Join(texts, "\n")
}

// folderMark comes before the working directory in a text from the program to the model.
const folderMark = "Current working directory: "

// folderIn returns the working directory from JSON that contains such a text.
func folderIn(v []byte) string {
	_, rest, ok := bytes.Cut(v, []byte(folderMark))
	folder, _, closed := bytes.Cut(rest, []byte(`\n`))
	if !ok || !closed || bytes.ContainsAny(folder, "\"\n") {
		return ""
	}
	return strings.TrimSpace(transcript.String(append(append([]byte{'"'}, folder...), '"')))
}
