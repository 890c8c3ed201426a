package cursor

import (
	"bytes"
	"cmp"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// The rules that hide records from databases.
const (
	bookkeeping = "bookkeeping"
	unlisted    = "messages that the chat does not list"
)

// store translates the description of a session in a database of the command.
func (t *translator) store(meta jsontext.Value) {
	var o sources.Object
	o.Read(meta)
	t.SessionID, t.CWD, t.Model = o.Text("agentId"), o.Text("workspacePath"), o.Text("lastUsedModel")
	t.head(o.Text("name"))
	t.Record(0).Timestamp = sources.Milliseconds(o.Get("createdAt"))
}

// composer translates the description of a chat of the editor.
func (t *translator) composer(head jsontext.Value) {
	var o sources.Object
	o.Read(head)
	t.SessionID = o.Text("composerId")
	t.Model = transcript.String(transcript.Field(o.Get("modelConfig"), "modelName"))
	t.CWD = transcript.String(transcript.Field(transcript.Field(o.Get("workspaceIdentifier"), "uri"), "fsPath"))
	t.head(o.Text("name"))
	t.Record(0).Timestamp = sources.Milliseconds(o.Get("createdAt"))
}

// head adds the head of a session, and its title unless that is the default.
func (t *translator) head(title string) {
	t.Hide("session", bookkeeping)
	if title != "" && title != "New Agent" && title != "New Chat" {
		t.Add(sources.TitleRecord(title, true))
	}
}

// bubble translates a message of the editor: type 1 is the user, 2 the model.
func (t *translator) bubble(v, list jsontext.Value) {
	var o sources.Object
	o.Read(v)
	if string(list) == "true" {
		t.Hide("bubble", unlisted)
		return
	}
	if name := transcript.String(transcript.Field(o.Get("modelInfo"), "modelName")); name != "" && name != "default" {
		t.Model = name
	}
	text := o.Text("text")
	if string(o.Get("type")) == "1" {
		t.asked(&o, text)
		return
	}
	var said []transcript.Block
	thought := o.Get("thinking")
	if transcript.Kind(thought) == '{' {
		thought = transcript.Field(thought, "text")
	}
	if s := transcript.String(thought); strings.TrimSpace(s) != "" {
		said = append(said, transcript.Block{Type: "thinking", Raw: v, Text: s})
	}
	if strings.TrimSpace(text) != "" {
		said = append(said, transcript.Block{Type: "text", Raw: v, Text: text})
	}
	called := o.Get("toolFormerData")
	var result *transcript.Record
	if transcript.Kind(called) == '{' && transcript.Field(called, "name") != nil {
		var call transcript.Block
		call, result = t.former(called)
		said = append(said, call)
	}
	if len(said) > 0 {
		r := t.say("assistant", said...)
		r.Message.ID = t.id
		tokens := o.Get("tokenCount")
		used := transcript.Usage{
			Input:  sources.Number(transcript.Field(tokens, "inputTokens")),
			Output: sources.Number(transcript.Field(tokens, "outputTokens")),
		}
		if used != (transcript.Usage{}) {
			r.Message.Usage, r.Message.HasUsage = used, true
		}
	}
	if result != nil {
		t.Add(*result)
	}
	if failure := o.Get("errorDetails"); failure != nil {
		message := cmp.Or(transcript.String(transcript.Field(failure, "message")), transcript.TextOf(failure))
		text := transcript.Block{Type: "text", Raw: v, Text: message}
		t.Add(sources.FailureRecord(text))
	}
}

// asked translates a message of the user and the files that it names.
func (t *translator) asked(o *sources.Object, text string) {
	if strings.TrimSpace(text) == "" {
		return
	}
	r := t.say("user", t.Text(text))
	r.TextIs = transcript.PromptText
	var contexts []jsontext.Value
	for _, list := range []string{"fileSelections", "folderSelections", "selections"} {
		for e := range transcript.Elements(transcript.Field(o.Get("context"), list)) {
			uri := transcript.Field(e, "uri")
			file := cmp.Or(transcript.String(transcript.Field(uri, "fsPath")),
				transcript.String(transcript.Field(uri, "path")))
			if file == "" {
				continue
			}
			label := file[strings.LastIndexAny(file, `/\`)+1:]
			contexts = append(contexts, sources.Make("type", "file", "label", label, "fullPath", file,
				"content", transcript.Field(e, "text")))
		}
	}
	if contexts != nil {
		r.Contexts = sources.MakeList(contexts...)
	}
}

// former translates a call of the editor, with its result if it has one.
func (t *translator) former(v jsontext.Value) (transcript.Block, *transcript.Record) {
	var o sources.Object
	o.Read(v)
	id := cmp.Or(o.Text("toolCallId"), t.id+"#call")
	input := inner(o.Get("rawArgs"))
	if transcript.Kind(input) != '{' {
		input = inner(o.Get("params"))
	}
	if transcript.Kind(input) != '{' {
		input = sources.Make("input", input)
	}
	name := strings.TrimSuffix(o.Text("name"), "_v2")
	call := transcript.Block{Type: "tool_use", Raw: v, ID: id, Name: name, Input: input}
	status, decision := o.Text("status"), o.Text("userDecision")
	text, structured := resultOf(inner(o.Get("result")))
	denied := decision == "rejected"
	if text == "" && !denied && status != "error" && status != "cancelled" && status != "completed" {
		return call, nil // running, or waiting for permission
	}
	failure := transcript.String(transcript.Field(inner(o.Get("error")), "clientVisibleErrorMessage"))
	text = cmp.Or(text, failure)
	if text == "" && status == "completed" && !denied {
		call.NoResult = true
		return call, nil
	}
	code := transcript.String(transcript.Field(structured, "exitCode"))
	failed := status == "error" || denied || code != "" && code != "0"
	b := transcript.Block{Type: "tool_result", Raw: v, ToolUseID: id, IsError: failed}
	if text != "" {
		b.Content = []transcript.Block{{Type: "text", Raw: v, Text: text}}
	}
	m := &transcript.Message{Role: "user", Content: []transcript.Block{b}}
	r := &transcript.Record{Type: "user", Message: m, ToolUseResult: structured, Rare: new(transcript.Rare)}
	switch {
	case denied:
		r.ToolDenialKind = "user-rejected"
	case status == "cancelled":
		m.Content[0].IsError, r.ToolDenialKind = true, "interrupted"
	}
	return call, r
}

// inner returns JSON that may be quoted as a string.
func inner(v jsontext.Value) jsontext.Value {
	if transcript.Kind(v) != '"' {
		return v
	}
	in := jsontext.Value(bytes.TrimSpace([]byte(transcript.String(v))))
	if kind := transcript.Kind(in); (kind == '{' || kind == '[') && transcript.Valid(in) {
		return in
	}
	return v
}

// resultOf returns the text of a result and its structured part.
func resultOf(v jsontext.Value) (text string, structured jsontext.Value) {
	if transcript.Kind(v) != '{' {
		return transcript.TextOf(v), nil
	}
	for _, name := range []string{"output", "contents", "result", "content", "text"} {
		if s := transcript.String(transcript.Field(v, name)); s != "" {
			text = s
			break
		}
	}
	code := transcript.Or(transcript.Field(v, "exitCodeV2"), transcript.Field(v, "exitCode"))
	var diff strings.Builder
	for chunk := range transcript.Elements(transcript.Field(transcript.Field(v, "diff"), "chunks")) {
		s := transcript.String(transcript.Field(chunk, "diffString"))
		if s == "" {
			continue
		}
		start := func(name string) string {
			n := transcript.Field(chunk, name)
			if len(n) == 0 {
				return "1"
			}
			return string(n)
		}
		diff.WriteString("@@ -" + start("oldStart") + " +" + start("newStart") + " @@\n")
		diff.WriteString(strings.TrimRight(s, "\n") + "\n")
	}
	if made := sources.Make("exitCode", string(code), "fileDiff", diff.String()); len(made) > len("{}") {
		structured = made
	}
	if text == "" && len(v) > len("{}") {
		text = string(v)
	}
	return text, structured
}
