package grok

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// empty is the rule that hides messages without content.
const empty = "empty messages"

// A translator turns the lines of one file into records.
type translator struct{ sources.Builder }

// Translate turns a line into records.
func (t *translator) Translate(pos transcript.Pos, v jsontext.Value) ([]transcript.Record, []transcript.Problem) {
	t.Begin(pos, v)
	var p sources.Object
	p.Read(v)
	if model := p.Text("model_id"); model != "" {
		t.Model = model
	}
	kind := p.Text("type")
	switch kind {
	case "system":
		t.Snapshot(transcript.TextOf(p.Get("content")), nil)
	case "user":
		t.user(p)
	case "assistant":
		blocks := t.ChatBlocks(p.Get("content"))
		for c := range transcript.Elements(p.Get("tool_calls")) {
			blocks = append(blocks, t.ChatCall(c))
		}
		if len(blocks) > 0 {
			t.Answer(blocks...)
		}
	case "reasoning":
		t.reasoning(p)
	case "tool_result":
		t.Result(p.Text("tool_call_id"), false, t.ChatBlocks(p.Get("content"))...)
	case "backend_tool_call":
		t.search(p.Get("kind"))
	case "": // of the first version
		if !t.Chat(p) {
			return t.Done("message")
		}
	default:
		return t.Done(kind)
	}
	if t.Added() == 0 {
		t.Hide("message", empty)
	}
	return t.Done(kind)
}

// user translates a message in the role of the user: typed, or text of the program.
func (t *translator) user(p sources.Object) {
	blocks := t.ChatBlocks(p.Get("content"))
	if len(blocks) == 0 {
		return
	}
	switch p.Text("synthetic_reason") {
	case "", "interjection":
		if reason := p.Text("prior_turn_interrupt"); reason != "" {
			t.User(transcript.InterruptionText, t.Text("[Request interrupted by user]"))
		}
		t.User(transcript.PromptText, blocks...)
	default:
		if t.CWD == "" {
			t.CWD = workspaceOf(blocks[0].Text, "\n")
		}
		t.User(transcript.InjectedText, blocks...)
	}
}

// workspaceOf returns the folder that the program named to the model on a line of its own.
func workspaceOf(text, end string) string {
	_, rest, ok := strings.Cut(text, "Workspace Path: ")
	folder, _, closed := strings.Cut(rest, end)
	if !ok || !closed || strings.ContainsAny(folder, "\"\n") {
		return ""
	}
	return folder
}

// reasoning translates the part of the reasoning that the log contains.
func (t *translator) reasoning(p sources.Object) {
	var all []string
	for e := range transcript.Elements(p.Get("summary")) {
		all = append(all, transcript.String(transcript.Field(e, "text")))
	}
	b := transcript.Block{Type: "thinking", Text: strings.Join(all, "\n\n")}
	sealed := len(p.Text("encrypted_content"))
	if b.Text == "" {
		b.Encrypted = int64(sealed)
	}
	b.Raw = sources.Make("type", "thinking", "thinking", b.Text, "encrypted bytes", sealed)
	t.Answer(b)
}

// search translates a call that ran on the server. The log has no result of it.
func (t *translator) search(v jsontext.Value) {
	var kind sources.Object
	kind.Read(v)
	call := t.Call(kind.Text("id"), kind.Text("tool_type"), kind.Get("action"))
	call.NoResult = true
	t.Answer(call)
}
