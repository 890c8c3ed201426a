package cline

import (
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// empty is the rule that hides messages without content.
const empty = "empty messages"

// A translator turns a task into records.
type translator struct {
	sources.Builder
	calls    int             // number of calls written in texts
	open     []written       // those without a result
	answered map[string]bool // the ids of calls by which the model answered
	ended    []string        // the ids of those in the current message that have more than the answer
}

// A written call is one in a text, in tags.
type written struct{ id, name string }

// Translate turns a document into records, or one message of a list that spans several lines.
func (t *translator) Translate(pos transcript.Pos, v jsontext.Value) ([]transcript.Record, []transcript.Problem) {
	t.Begin(pos, v)
	var p sources.Object
	p.Read(v)
	if t.CWD == "" {
		t.CWD = Source{}.FolderOf(v)
	}
	if list := p.Get("messages"); list != nil {
		t.SessionID = p.Text("sessionId")
		t.Value = sources.Make("sessionId", t.SessionID, "agent", p.Text("agent"))
		t.SetTime(nil)
		t.Remark("", "Session started", "agent", p.Text("agent"))
		if prompt := p.Text("system_prompt"); prompt != "" {
			t.Snapshot(prompt, nil)
		}
		for e := range t.Parts(list) {
			t.message(e)
		}
		return t.Done("session")
	}
	t.message(v)
	return t.Done("message")
}

// message translates a message.
func (t *translator) message(v jsontext.Value) {
	var m sources.Object
	m.Read(v)
	t.SetTime(m.Get("ts"))
	var blocks []transcript.Block
	if content := m.Get("content"); content != nil {
		blocks = transcript.Blocks(content)
	}
	before := t.Added()
	switch role := m.Text("role"); {
	case string(m.Get("isSummary")) == "true": // of what Roo Code no longer sends
		t.System("compact_boundary", "")
		t.User(transcript.SummaryText, blocks...).IsCompactSummary = true
	case role == "user":
		t.user(blocks)
	case role == "assistant":
		t.assistant(m, blocks)
	default:
		t.Add(transcript.Record{Type: role})
		return
	}
	if t.Added() == before {
		t.Hide("message", empty)
	}
}

func (t *translator) assistant(m sources.Object, blocks []transcript.Block) {
	for _, name := range []string{"modelId", "id"} { // of tasks, and of the command line
		if model := transcript.String(transcript.Field(m.Get("modelInfo"), name)); model != "" {
			t.Model = model[strings.LastIndexByte(model, '/')+1:]
		}
	}
	var said []transcript.Block
	for _, b := range blocks {
		switch {
		case b.Type == "text":
			said = append(said, t.split(b)...)
		case b.Type == "thinking" && b.Text == "":
			b.Text = transcript.String(transcript.Field(b.Raw, "text"))
			said = append(said, b)
		case b.Type == "tool_use":
			said = append(said, t.answer(b)...)
		default:
			said = append(said, b)
		}
	}
	if len(said) == 0 {
		return
	}
	t.said(t.Answer(said...), m)
	for _, id := range t.ended {
		t.Result(id, false)
	}
	t.ended = t.ended[:0]
}

// said completes an answer by its tokens and its cost.
func (t *translator) said(r *transcript.Record, m sources.Object) {
	var usage sources.Object
	usage.Read(m.Get("metrics"))
	if tokens := usage.Get("tokens"); tokens != nil {
		usage.Read(tokens)
		r.Message.HasUsage = true
		r.Message.Usage = transcript.Usage{
			Input: sources.Number(usage.Get("prompt")), Output: sources.Number(usage.Get("completion")),
			CacheRead: sources.Number(usage.Get("cached")),
		}
		return
	}
	if usage.Get("inputTokens") == nil && usage.Get("outputTokens") == nil {
		return
	}
	u := transcript.Usage{
		Output: sources.Number(usage.Get("outputTokens")), CacheRead: sources.Number(usage.Get("cacheReadTokens")),
		CacheWrite: sources.Number(usage.Get("cacheWriteTokens")),
	}
	u.Input = max(0, sources.Number(usage.Get("inputTokens"))-u.CacheRead-u.CacheWrite) // which it contains
	r.Message.Usage, r.Message.HasUsage = u, true
	if cost := sources.Dollars(usage.Get("cost")); cost > 0 {
		sources.Rare(r).CostUSD = cost
	}
}

// operations returns the result of a call of the command line: one object for each element of the list in the input.
func (t *translator) operations(b *transcript.Block) {
	content := transcript.Field(b.Raw, "content")
	if transcript.Kind(content) == '{' { // of a call without a list
		content = slices.Concat(jsontext.Value("["), content, jsontext.Value("]"))
	}
	var all []string
	failed, count := false, 0
	for e := range transcript.Elements(content) {
		var o sources.Object
		o.Read(e)
		if o.Get("query") == nil || o.Get("result") == nil && o.Get("error") == nil {
			return
		}
		count++
		text := transcript.TextOf(o.Get("result"))
		if failure := o.Text("error"); failure != "" {
			failed = true
			if !strings.Contains(text, failure) {
				text = strings.TrimSpace(text + "\n" + failure)
			}
		}
		all = append(all, "# "+o.Text("query"), text)
	}
	if count == 1 {
		all = all[1:]
	}
	if text := strings.Join(all, "\n"); count > 0 {
		b.Content = []transcript.Block{{Type: "text", Raw: b.Raw, Text: text}}
		b.IsError = b.IsError || failed
	}
}

// typedIn returns the text inside <user_input mode="act">, which the command line puts around prompts.
func typedIn(text string) (string, bool) {
	head, rest, ok := strings.Cut(text, ">")
	if !ok || head != "<user_input" && !strings.HasPrefix(head, "<user_input ") {
		return "", false
	}
	inside, ok := strings.CutSuffix(rest, "</user_input>")
	return strings.TrimSpace(inside), ok
}

// split separates calls from a text: <read_file>, the input as tags, </read_file>.
func (t *translator) split(b transcript.Block) []transcript.Block {
	var all []transcript.Block
	text := func(s string) {
		if s = strings.TrimSpace(s); s != "" {
			all = append(all, transcript.Block{Type: "text", Raw: b.Raw, Text: s})
		}
	}
	rest := b.Text
	for at := 0; ; {
		n := strings.IndexByte(rest[at:], '<')
		if n < 0 {
			break
		}
		at += n
		name, inside, behind, ok := element(rest[at:])
		if !ok || at > 0 && rest[at-1] != '\n' || !strings.Contains(name, "_") {
			at++
			continue
		}
		if s := thought(rest[:at]); s != "" {
			all = append(all, transcript.Block{Type: "thinking", Raw: b.Raw, Text: s})
		} else {
			text(rest[:at])
		}
		t.calls++
		id := "call " + strconv.Itoa(t.calls)
		t.open = append(t.open, written{id, name})
		call := t.Call(id, name, members(inside))
		call.Raw = b.Raw
		all = append(all, t.answer(call)...)
		rest, at = behind, 0
	}
	text(rest)
	return all
}

// thought returns the text inside <thinking>, if the text has nothing else.
func thought(s string) string {
	name, inside, behind, ok := element(strings.TrimSpace(s))
	if !ok || name != "thinking" || strings.TrimSpace(behind) != "" {
		return ""
	}
	return strings.TrimSpace(inside)
}

// element splits a text that begins with a tag: the inside of the element, and what follows it.
func element(s string) (name, inside, behind string, ok bool) {
	rest, ok := strings.CutPrefix(s, "<")
	if !ok {
		return "", "", "", false
	}
	name, rest, ok = strings.Cut(rest, ">")
	if !ok || name == "" || strings.Trim(name, "abcdefghijklmnopqrstuvwxyz_") != "" {
		return "", "", "", false
	}
	inside, behind, ok = strings.Cut(rest, "</"+name+">")
	return name, inside, behind, ok
}

// members returns the tags in a call as a JSON object.
func members(inside string) jsontext.Value {
	var pairs []any
	rest := strings.TrimSpace(inside)
	for {
		name, value, behind, ok := element(rest)
		if !ok {
			break
		}
		pairs = append(pairs, name, strings.Trim(value, "\n"))
		rest = strings.TrimSpace(behind)
	}
	if rest != "" {
		pairs = append(pairs, "text", rest)
	}
	return sources.Make(pairs...)
}
