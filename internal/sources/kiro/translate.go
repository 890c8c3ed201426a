package kiro

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// empty is the rule that hides entries without text, calls and results.
const empty = "empty messages"

// A translator turns a conversation, or the lines of a log, into records.
type translator struct {
	sources.Builder
	open  []string // calls whose results the next entry may have, in order
	calls int
	session
	log
}

// Translate turns a conversation or a line of a log into records.
func (t *translator) Translate(pos transcript.Pos, v jsontext.Value) ([]transcript.Record, []transcript.Problem) {
	t.Begin(pos, v)
	var p sources.Object
	p.Read(v)
	if of := p.Get(sessionMember); of != nil {
		t.begin(of, promptIn(&p))
		t.Value = sources.WithoutMember(v, sessionMember)
	}
	if payload := p.Get("payload"); payload != nil {
		return t.event(&p, payload)
	}
	if kind := p.Text("kind"); kind != "" {
		return t.message(kind, &p)
	}
	return t.conversation(v, p)
}

// conversation translates a conversation, which is one value.
func (t *translator) conversation(v jsontext.Value, p sources.Object) ([]transcript.Record, []transcript.Problem) {
	t.open, t.calls = nil, 0
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
	switch {
	case text == "":
	case isNotTyped(text):
		t.User(transcript.InjectedText, t.Text(text))
	default:
		t.User(transcript.PromptText, t.Text(text))
	}
}

// isNotTyped reports whether the program wrote a prompt.
func isNotTyped(text string) bool {
	return text == interrupted || text == denied || text == tooLong || text == summarize
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
			if output, bad, ok := commandOutput(value); ok {
				text, failed = output, failed || bad
			}
			break
		}
		all = append(all, t.Text(text))
	}
	return all, failed
}

// commandOutput returns the output of a command, after its exit code if it failed.
func commandOutput(v jsontext.Value) (output string, failed, ok bool) {
	var o sources.Object
	o.Read(v)
	status := transcript.TextOf(o.Get("exit_status"))
	output, errors := o.Text("stdout"), o.Text("stderr")
	if output != "" && errors != "" && output[len(output)-1] != '\n' {
		output += "\n"
	}
	output += errors
	code := strings.TrimPrefix(strings.TrimPrefix(status, "exit status: "), "exit code: ") // the latter on Windows
	switch {
	case code == "" || code == "0":
		return output, false, code != ""
	case strings.Trim(code, "0123456789-xabcdef") == "":
		return sources.WithExitCode(code, output), true, true
	}
	return status + "\n" + output, true, true // "signal: 9 (SIGKILL)"
}

// Texts that the program writes in the name of the model.
const (
	stopped  = "Tool uses were interrupted, waiting for the next user prompt"
	halted   = "Response was interrupted by the user"
	timedOut = "Response timed out - message took too long to generate"
)

// noted translates a text that the program wrote in the name of the model, and returns false for any other.
func (t *translator) noted(text string) bool {
	switch text {
	case stopped, halted:
		t.User(transcript.InterruptionText, t.Text("[Request interrupted by user]"))
	case timedOut:
		t.Fail(text)
	default:
		return false
	}
	return true
}

// answer translates what the model wrote, and its calls; unlogged says that the log leaves their results out.
func (t *translator) answer(v jsontext.Value, unlogged bool) {
	var p sources.Object
	p.Read(v)
	var blocks []transcript.Block
	if text := p.Text("content"); text != "" && !t.noted(text) {
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
