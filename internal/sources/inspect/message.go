package inspect

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// take translates a message.
func (t *translator) take(e jsontext.Value) {
	var m sources.Object
	m.Read(e)
	switch role := m.Text("role"); role {
	case "system":
		t.user(transcript.InjectedText, &m)
	case "user":
		is := transcript.InjectedText // written by a solver
		if m.Text("source") == "input" || !t.asked {
			is, t.asked = transcript.PromptText, true
		}
		t.user(is, &m)
	case "assistant":
		t.answer(&m)
	case "tool":
		t.result(&m)
	default:
		t.Add(transcript.Record{Type: strings.TrimSpace("message " + role)}) // shown as it is
	}
}

func (t *translator) user(is transcript.TextKind, m *sources.Object) {
	if blocks, _ := t.blocks(m.Get("content")); len(blocks) > 0 {
		t.User(is, blocks...)
	}
}

// blocks returns the blocks of content, a text or a list of parts, and the results of calls that the provider ran.
func (t *translator) blocks(content jsontext.Value) (all, results []transcript.Block) {
	if transcript.Kind(content) == '"' {
		if s := t.resolved(transcript.String(content)); strings.TrimSpace(s) != "" {
			all = append(all, transcript.Block{Type: "text", Raw: t.Value, Text: s})
		}
		return all, nil
	}
	for e := range transcript.Elements(content) {
		var o sources.Object
		o.Read(e)
		switch kind := o.Text("type"); kind {
		case "text":
			if s := t.resolved(o.Text("text")); strings.TrimSpace(s) != "" {
				all = append(all, transcript.Block{Type: "text", Raw: e, Text: s})
			}
		case "reasoning":
			all = append(all, t.reasoning(&o, e))
		case "image":
			all = append(all, t.image(&o, e))
		case "tool_use":
			call, result := t.served(&o, e)
			all, results = append(all, call), append(results, result)
		default:
			all = append(all, transcript.Block{Type: kind, Raw: e})
		}
	}
	return all, results
}

// reasoning returns the reasoning of the model, or the summary of reasoning that the provider does not disclose.
func (t *translator) reasoning(o *sources.Object, raw jsontext.Value) transcript.Block {
	text := t.resolved(o.Text("reasoning"))
	if string(o.Get("redacted")) != "true" {
		return transcript.Block{Type: "thinking", Raw: raw, Text: text}
	}
	return transcript.Block{Type: "thinking", Raw: raw, Text: o.Text("summary"), Encrypted: int64(len(text))}
}

// image returns a picture, given as data or by its address.
func (t *translator) image(o *sources.Object, raw jsontext.Value) transcript.Block {
	at := t.resolved(o.Text("image"))
	b := transcript.Block{Type: "image", Raw: raw}
	if rest, ok := strings.CutPrefix(at, "data:"); ok {
		kind, data, isBase64 := strings.Cut(rest, ";base64,")
		if isBase64 {
			b.Source = transcript.Source{Kind: "base64", MediaType: kind, Data: sources.Quote(data)}
			return b
		}
	}
	if strings.HasPrefix(at, "https://") || strings.HasPrefix(at, "http://") {
		b.Source = transcript.Source{Kind: "url", URL: at}
		return b
	}
	return transcript.Block{Type: "text", Raw: raw, Text: "(a picture that is not in the log: " + at + ")"}
}

// served returns a call that the provider of the model ran, and its result.
func (t *translator) served(o *sources.Object, raw jsontext.Value) (call, result transcript.Block) {
	id := o.Text("id")
	call = transcript.Block{Type: "tool_use", Raw: raw, ID: id, Name: o.Text("name"), Input: input(o.Get("arguments"))}
	result = transcript.Block{
		Type: "tool_result", Raw: raw, ToolUseID: id, Plain: true, IsError: o.Get("error") != nil,
	}
	text := t.words(o.Get("result"))
	if result.IsError {
		text = transcript.TextOf(o.Get("error"))
	}
	if text != "" {
		result.Content = []transcript.Block{{Type: "text", Raw: raw, Text: text}}
	}
	return call, result
}

// input returns the input of a call as an object.
func input(v jsontext.Value) jsontext.Value {
	if transcript.Kind(v) == '"' {
		text := transcript.String(v)
		if inner := jsontext.Value(text); transcript.Valid(inner) && inner.Kind() == '{' {
			return inner
		}
		return sources.Make("arguments", text)
	}
	if transcript.Kind(v) != '{' {
		return sources.Make("arguments", v)
	}
	return v
}

// answer translates text and calls of the model.
func (t *translator) answer(m *sources.Object) {
	said, results := t.blocks(m.Get("content"))
	n := 0
	for e := range transcript.Elements(m.Get("tool_calls")) {
		var c sources.Object
		c.Read(e)
		n++
		id := cmp.Or(c.Text("id"), t.key+"-"+strconv.Itoa(t.message)+"-"+strconv.Itoa(n))
		name := c.Text("function")
		if transcript.Kind(c.Get("function")) == '{' { // as the API has it
			name = transcript.String(transcript.Field(c.Get("function"), "name"))
		}
		said = append(said, transcript.Block{
			Type: "tool_use", Raw: e, ID: id, Name: name, Input: t.filled(input(c.Get("arguments"))),
		})
	}
	if len(said) == 0 {
		return
	}
	answer := &transcript.Message{
		ID: "m" + strconv.Itoa(t.message) + "/" + t.key, Role: "assistant", Model: m.Text("model"), Content: said,
	}
	answer.Model = cmp.Or(answer.Model, t.Model)
	key := m.Text("id")
	if t.requests[key] == nil {
		key = "text " + t.words(m.Get("content"))
	}
	if r := t.requests[key]; r != nil {
		delete(t.requests, key)
		t.Time = r.at
		answer.StopReason = r.stop
		if r.model != "" {
			answer.Model = r.model
		}
		if len(r.usage) > 0 {
			answer.Usage, answer.HasUsage = usageOf(&r.usage), true
		}
	}
	t.Add(transcript.Record{Type: "assistant", Message: answer})
	for _, b := range results {
		t.User(transcript.AnyText, b)
	}
}

// filled returns an input in which the text of an attachment replaces each reference to it.
func (t *translator) filled(v jsontext.Value) jsontext.Value {
	var o sources.Object
	o.Read(v)
	var pairs []any
	changed := false
	for _, m := range o {
		value := m.Value
		if transcript.Kind(value) == '"' {
			text := transcript.String(value)
			if full := t.resolved(text); full != text {
				value, changed = sources.Quote(full), true
			}
		}
		pairs = append(pairs, transcript.String(m.Name), value)
	}
	if !changed {
		return v
	}
	return sources.Make(pairs...)
}

// result translates the result of a call. The log has its error in a separate field.
func (t *translator) result(m *sources.Object) {
	id := m.Text("tool_call_id")
	t.Time = t.results[id]
	blocks, _ := t.blocks(m.Get("content"))
	var failed sources.Object
	failed.Read(m.Get("error"))
	if message := failed.Text("message"); message != "" {
		text := failed.Text("type") + ": " + message
		blocks = append(blocks, transcript.Block{Type: "text", Raw: t.Value, Text: text})
	}
	r := t.Add(sources.UserRecord(transcript.AnyText, transcript.Block{
		Type: "tool_result", Raw: t.Value, ToolUseID: id, Content: blocks, IsError: len(failed) > 0,
	}))
	switch {
	case failed.Text("type") != "approval":
	case t.declined[id]:
		sources.Rare(r).ToolDenialKind = "user-rejected"
	default:
		sources.Rare(r).ToolDenialKind = "permission-rule"
	}
}
