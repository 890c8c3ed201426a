package kiro

import (
	"cmp"
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
	t.Model = transcript.String(transcript.Field(p.Get("model_info"), "model_id"))
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
	user, assistant := parts(v)
	if user == nil && assistant == nil && transcript.Kind(v) != '{' {
		t.Add(transcript.Record{Type: "entry"})
		return
	}
	before := t.Added()
	t.SetTime(transcript.Field(user, "timestamp"))
	t.user(transcript.Field(user, "content"))
	request := transcript.Field(v, "request_metadata")
	if end := transcript.Field(request, "stream_end_timestamp_ms"); end != nil {
		t.SetTime(end)
	}
	t.Model = cmp.Or(transcript.String(transcript.Field(request, "model_id")), t.Model)
	for kind, said := range transcript.Members(assistant) {
		switch kind {
		case "ToolUse", "Response":
			asked, _ := parts(next)
			t.answer(said, next != nil && transcript.Kind(transcript.Field(asked, "content")) != '{')
		default:
			t.Add(transcript.Record{Type: "assistant " + kind})
		}
	}
	if t.Added() == before {
		t.Hide("message", empty)
	}
}

// parts returns the two sides of an entry. Older versions write them as a list.
func parts(entry jsontext.Value) (user, assistant jsontext.Value) {
	if transcript.Kind(entry) != '[' {
		return transcript.Field(entry, "user"), transcript.Field(entry, "assistant")
	}
	n := 0
	for side := range transcript.Elements(entry) {
		if n++; n == 1 {
			user = side
		} else if n == 2 {
			assistant = side
		}
	}
	if transcript.Kind(user) != '{' || transcript.Kind(assistant) != '{' {
		return nil, nil
	}
	return user, assistant
}

// user translates a prompt, or the results of the calls before.
func (t *translator) user(content jsontext.Value) {
	for kind, value := range transcript.Members(content) {
		text := transcript.String(transcript.Field(value, "prompt"))
		switch kind {
		case "Prompt":
			t.prompt(text)
		case "ToolUseResults":
			t.results(value, "")
			t.prompt(text)
		case "CancelledToolUses":
			why := "user-rejected"
			if text == interrupted {
				why = "interrupted"
			}
			t.results(value, why)
			t.prompt(text)
		default:
			t.Add(transcript.Record{Type: "user " + kind})
		}
	}
	t.open = nil
}

// Texts that the program writes in the name of the human.
const (
	interrupted = "The user interrupted the tool execution."
	denied      = "I deny this tool request. Ask a follow up question clarifying the expected action"
	tooLong     = "You took too long to respond - try to split up the work into smaller steps."
	summarize   = "In a few words, summarize our conversation so far." // when a session is continued
)

func (t *translator) prompt(text string) {
	switch text {
	case "":
	case interrupted, denied, tooLong, summarize:
		t.User(transcript.InjectedText, t.Text(text))
	default:
		t.User(transcript.PromptText, t.Text(text))
	}
}

// results translates the list of results, whatever its member is called.
// cancelled says why the calls did not run, see transcript.Rare.ToolDenialKind.
func (t *translator) results(v jsontext.Value, cancelled string) {
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
		blocks, exit := t.blocks(o.Get("content"))
		r := t.Result(id, failed || exit || cancelled != "", blocks...)
		if cancelled != "" {
			sources.Rare(r).ToolDenialKind = cancelled
		}
	}
}

// blocks returns the content of a result: a text, or a list of {"Text": ...} and {"Json": ...}. failed reports that a
// command ended with another code than 0.
func (t *translator) blocks(content jsontext.Value) (all []transcript.Block, failed bool) {
	if transcript.Kind(content) == '"' {
		return []transcript.Block{t.Text(transcript.String(content))}, false
	}
	for e := range transcript.Elements(content) {
		text := transcript.TextOf(e)
		for _, value := range transcript.Members(e) {
			text = transcript.TextOf(value)
			if output, code, ok := commandOutput(value); ok {
				if text = output; code != "0" {
					text, failed = sources.WithExitCode(code, output), true
				}
			}
			break
		}
		all = append(all, t.Text(text))
	}
	return all, failed
}

// commandOutput returns the output of a command and its exit code.
func commandOutput(v jsontext.Value) (output, code string, ok bool) {
	var o sources.Object
	o.Read(v)
	code = transcript.TextOf(o.Get("exit_status"))
	output, errors := o.Text("stdout"), o.Text("stderr")
	if output != "" && errors != "" && output[len(output)-1] != '\n' {
		output += "\n"
	}
	return output + errors, code, code != ""
}

// Texts that the program writes in the name of the model.
const (
	stopped  = "Tool uses were interrupted, waiting for the next user prompt"
	halted   = "Response was interrupted by the user"
	timedOut = "Response timed out - message took too long to generate"
)

// answer translates what the model wrote, and its calls; unlogged says that the log leaves their results out.
func (t *translator) answer(v jsontext.Value, unlogged bool) {
	var p sources.Object
	p.Read(v)
	var blocks []transcript.Block
	switch text := p.Text("content"); text {
	case "":
	case stopped, halted:
		t.User(transcript.InterruptionText, t.Text("[Request interrupted by user]"))
	case timedOut:
		t.Fail(text)
	default:
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
