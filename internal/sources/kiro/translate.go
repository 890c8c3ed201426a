package kiro

import (
	"slices"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// empty is the rule that hides entries without text, calls and results.
const empty = "empty messages"

// A translator turns a conversation into records.
type translator struct {
	sources.Builder
	open  []string // calls whose results the next entry may have, in order
	calls int
}

// Translate turns a conversation into records.
func (t *translator) Translate(pos transcript.Pos, v jsontext.Value) ([]transcript.Record, []transcript.Problem) {
	t.Begin(pos, v)
	t.open, t.calls = nil, 0
	var p sources.Object
	p.Read(v)
	folder := ""
	if inner := p.Get("conversation"); transcript.Kind(inner) == '{' && p.Get(rowHead) != nil {
		folder = p.Text("folder")
		p.Read(inner)
	}
	history := p.Get("history")
	if transcript.Kind(history) != '[' {
		return t.Done("conversation")
	}
	t.SessionID, t.CWD = p.Text("conversation_id"), folder
	if t.CWD == "" {
		t.CWD = sources.FirstString(v, currentFolder)
	}
	t.Value = sources.Make("conversation_id", t.SessionID)
	t.Remark("", "Session started", "folder", t.CWD)
	entries := slices.Collect(transcript.Elements(history))
	n := 0
	for e := range t.Parts(history) {
		n++
		var next jsontext.Value
		if n < len(entries) {
			next = entries[n]
		}
		t.entry(e, next)
	}
	return t.Done("conversation")
}

// entry translates what the user or the program said, and the answer to it. next tells whether the results of calls of
// the answer are in the log.
func (t *translator) entry(v, next jsontext.Value) {
	if transcript.Kind(v) != '{' {
		t.Add(transcript.Record{Type: "entry"})
		return
	}
	before := t.Added()
	user := transcript.Field(v, "user")
	t.SetTime(transcript.Field(user, "timestamp"))
	t.user(transcript.Field(user, "content"))
	for kind, said := range transcript.Members(transcript.Field(v, "assistant")) {
		switch kind {
		case "ToolUse", "Response":
			content := transcript.Field(transcript.Field(next, "user"), "content")
			t.answer(said, next != nil && transcript.Kind(content) != '{')
		default:
			t.Add(transcript.Record{Type: "assistant " + kind})
		}
	}
	if t.Added() == before {
		t.Hide("message", empty)
	}
}

// user translates a prompt, or the results of the calls before.
func (t *translator) user(content jsontext.Value) {
	for kind, value := range transcript.Members(content) {
		switch kind {
		case "Prompt":
			t.prompt(value)
		case "ToolUseResults", "CancelledToolUses":
			t.results(value, kind == "CancelledToolUses")
			t.prompt(value)
		default:
			t.Add(transcript.Record{Type: "user " + kind})
		}
	}
	t.open = nil
}

func (t *translator) prompt(v jsontext.Value) {
	if text := transcript.String(transcript.Field(v, "prompt")); text != "" {
		t.User(transcript.PromptText, t.Text(text))
	}
}

// results translates the list of results, whatever its member is called.
func (t *translator) results(v jsontext.Value, cancelled bool) {
	list := v
	for _, value := range transcript.Members(v) {
		if transcript.Kind(value) == '[' {
			list = value
			break
		}
	}
	n := 0
	for e := range t.Parts(list) {
		var o sources.Object
		o.Read(e)
		id := o.Text("tool_use_id")
		if id == "" && n < len(t.open) { // ids may be blanked out
			id = t.open[n]
		}
		n++
		failed := o.Text("status") == "Error" || o.Text("status") == "error"
		r := t.Result(id, failed || cancelled, t.blocks(o.Get("content"))...)
		if cancelled {
			sources.Rare(r).ToolDenialKind = "user-rejected"
		}
	}
}

// blocks returns the content of a result: a text, or a list of {"Text": ...} and {"Json": ...}.
func (t *translator) blocks(content jsontext.Value) []transcript.Block {
	if transcript.Kind(content) == '"' {
		return []transcript.Block{t.Text(transcript.String(content))}
	}
	var all []transcript.Block
	for e := range transcript.Elements(content) {
		text := transcript.TextOf(e)
		for _, value := range transcript.Members(e) {
			text = transcript.TextOf(value)
			break
		}
		all = append(all, t.Text(text))
	}
	return all
}

// answer translates what the model wrote, and its calls; unlogged says that the log leaves their results out.
func (t *translator) answer(v jsontext.Value, unlogged bool) {
	var p sources.Object
	p.Read(v)
	var blocks []transcript.Block
	if text := p.Text("content"); text != "" {
		blocks = append(blocks, t.Text(text))
	}
	for e := range transcript.Elements(p.Get("tool_uses")) {
		var o sources.Object
		o.Read(e)
		id := o.Text("id")
		if id == "" {
			t.calls++
			id = "call " + strconv.Itoa(t.calls)
		}
		b := t.Call(id, o.Text("name"), sources.Arguments(o.Get("args")))
		b.Raw, b.NoResult = e, unlogged
		blocks = append(blocks, b)
		t.open = append(t.open, id)
	}
	if len(blocks) > 0 {
		t.Answer(blocks...)
	}
}
