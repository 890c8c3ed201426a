package sweagent

import (
	"cmp"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// take translates a message of the history.
func (t *translator) take(e jsontext.Value) {
	var m sources.Object
	m.Read(e)
	t.Time = stampOf(&m)
	role := m.Text("role")
	switch {
	case string(m.Get("is_demo")) == "true":
		t.Hide("message", demonstrations)
	case role == "system":
		t.user(transcript.InjectedText, t.blocks(m.Get("content")))
	case role == "assistant":
		t.answer(&m)
	case role == "tool":
		for id := range transcript.Elements(m.Get("tool_call_ids")) {
			t.result(transcript.String(id), &m)
		}
		if id := m.Text("tool_call_id"); id != "" {
			t.result(id, &m)
		}
	case role == "user" && t.interposed(m.Text("content")):
	case role == "user" && len(t.open) > 0:
		t.result(t.open[0], &m)
	case role == "user" && !t.asked:
		t.asked = true
		t.task(t.blocks(m.Get("content")))
	case role == "user", role == "exit": // text of the program about an answer that it could not read, or at the end
		t.user(transcript.InjectedText, t.blocks(m.Get("content")))
	default:
		t.Add(transcript.Record{Type: strings.TrimSpace("message " + role)}) // shown as it is
	}
}

// stampOf returns when a message was written, in seconds since 1970. Only mini-swe-agent logs it.
func stampOf(m *sources.Object) time.Time {
	seconds := transcript.Amount(transcript.Field(m.Get("extra"), "timestamp"))
	if seconds == 0 || seconds > 1e11 {
		return time.Time{}
	}
	whole, part := math.Modf(seconds)
	return time.Unix(int64(whole), int64(part*1e6)*1000).UTC()
}

func (t *translator) user(is transcript.TextKind, blocks []transcript.Block) {
	if len(blocks) > 0 {
		t.User(is, blocks...)
	}
}

// blocks returns the blocks of content: a text, or a list of parts.
func (t *translator) blocks(content jsontext.Value) []transcript.Block {
	return sources.Content(t.Value, content, func(o *sources.Object, raw jsontext.Value) []transcript.Block {
		b := transcript.Block{Type: o.Text("type"), Raw: raw}
		if b.Type == "text" {
			b.Text = o.Text("text")
		}
		return []transcript.Block{b}
	})
}

// answer translates what the model said and ran, in calls of tools or in its text.
func (t *translator) answer(m *sources.Object) {
	text, action := m.Text("content"), m.Text("action")
	if thought := m.Text("thought"); m.Get("action") != nil && m.Get("thought") != nil {
		text = thought // the content repeats the action
	}
	var calls []transcript.Block
	for e := range transcript.Elements(m.Get("tool_calls")) {
		calls = append(calls, t.call(e))
	}
	if calls == nil {
		if action == "" {
			text, action = fenced(text)
		}
		if strings.TrimSpace(action) != "" {
			t.calls++
			calls = append(calls, transcript.Block{
				Type: "tool_use", Raw: t.Value, ID: "action " + strconv.Itoa(t.calls), Name: "bash",
				Input: sources.Make("command", strings.TrimSuffix(action, "\n")),
			})
		}
	}
	var said []transcript.Block
	if thinking := m.Text("reasoning_content"); thinking != "" {
		said = append(said, transcript.Block{Type: "thinking", Raw: t.Value, Text: thinking})
	}
	if strings.TrimSpace(text) != "" {
		said = append(said, transcript.Block{Type: "text", Raw: t.Value, Text: text})
	} else if m.Get("content") != nil && transcript.Kind(m.Get("content")) == '[' {
		said = append(said, t.blocks(m.Get("content"))...)
	}
	t.open, t.skipped = nil, nil // earlier actions that got no result
	for _, c := range calls {
		t.open = append(t.open, c.ID)
	}
	if said = append(said, calls...); len(said) == 0 {
		return
	}
	id := "m" + strconv.Itoa(t.message) + "@" + t.key
	answer := &transcript.Message{ID: id, Role: "assistant", Model: t.Model, Content: said}
	usage(answer, transcript.Field(m.Get("extra"), "response"))
	t.Add(transcript.Record{Type: "assistant", Message: answer})
}

// call returns a call of a tool, whose arguments are JSON in a string.
func (t *translator) call(e jsontext.Value) transcript.Block {
	var c, function sources.Object
	c.Read(e)
	function.Read(c.Get("function"))
	input := function.Get("arguments")
	if text := transcript.String(input); transcript.Kind(input) == '"' {
		if input = jsontext.Value(text); !transcript.Valid(input) || input.Kind() != '{' {
			input = sources.Make("arguments", text)
		}
	}
	input = transcript.Or(input, jsontext.Value("{}"))
	t.calls++
	id := cmp.Or(c.Text("id"), "call "+strconv.Itoa(t.calls))
	return transcript.Block{Type: "tool_use", Raw: e, ID: id, Name: function.Text("name"), Input: input}
}

// usage reads the tokens in the response to a request of mini-swe-agent.
func usage(m *transcript.Message, response jsontext.Value) {
	var r, u sources.Object
	r.Read(response)
	u.Read(r.Get("usage"))
	if model := r.Text("model"); model != "" {
		m.Model = model
	}
	if len(u) == 0 {
		return
	}
	m.HasUsage = true
	m.Usage.CacheRead = sources.Number(transcript.Field(u.Get("prompt_tokens_details"), "cached_tokens"))
	m.Usage.Input = max(0, sources.Number(u.Get("prompt_tokens"))-m.Usage.CacheRead)
	m.Usage.Output = sources.Number(u.Get("completion_tokens"))
}

// fenced separates the only command in a code block from the text of an answer.
func fenced(text string) (said, command string) {
	for _, open := range []string{"```mswea_bash_command\n", "```bash\n"} {
		before, rest, ok := strings.Cut(text, open)
		if !ok || strings.Contains(rest, open) {
			continue
		}
		if command, after, ok := strings.Cut(rest, "\n```"); ok {
			return strings.TrimSpace(strings.TrimSpace(before) + "\n\n" + strings.TrimSpace(after)), command
		}
	}
	return text, ""
}

// last adds the observation of the last action, which is not among the messages.
func (t *translator) last(trajectory jsontext.Value) {
	if len(t.open) != 1 {
		return
	}
	var step sources.Object
	for e := range transcript.Elements(trajectory) {
		step.Read(e)
	}
	if text := step.Text("observation"); strings.TrimSpace(text) != "" {
		t.result(t.open[0], &sources.Object{{Name: jsontext.Value(`"content"`), Value: step.Get("observation")}})
	}
}
