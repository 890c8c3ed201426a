package otlp

import (
	"cmp"
	"hash/fnv"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// A message is an element of gen_ai.input.messages or gen_ai.output.messages: {"role","parts":[{"type","content"}]}.
type message struct {
	role  string
	parts jsontext.Value // or a text
	key   uint64         // the same for equal messages
}

const (
	inputMessages  = "gen_ai.input.messages"
	outputMessages = "gen_ai.output.messages"
)

// messages returns the messages of a span or an event. A text that is not a list of messages has the given role.
func (a attributes) messages(name, role string) (all []message) {
	list := a.json(name)
	if transcript.Kind(list) == '"' {
		return []message{newMessage(role, list)}
	}
	for e := range transcript.Elements(list) {
		var o sources.Object
		o.Read(e)
		all = append(all, readMessage(&o, ""))
	}
	return all
}

func newMessage(role string, parts jsontext.Value) message {
	if role == "model" || role == "thinking" {
		role = "assistant"
	}
	sum := fnv.New64a()
	_, _ = sum.Write([]byte(role + "\x00" + transcript.String(parts)))
	for e := range transcript.Elements(parts) {
		var part sources.Object
		if part.Read(e); part.Text("type") == "text" {
			e = jsontext.Value(part.Text("content", "text"))
		}
		_, _ = sum.Write(e)
	}
	return message{role, parts, sum.Sum64()}
}

// said adds the records of messages: prompts, results, answers of requests that are not in the log.
func (t *translator) said(messages []message, in *place) {
	for _, m := range messages {
		content := t.blocks(&m, in)
		switch {
		case len(content) == 0:
		case m.instructs():
			t.snapshot(sources.JoinTexts(content), nil)
		case m.role == "assistant":
			t.Answer(content...)
		default:
			t.User(transcript.PromptText, content...)
		}
	}
}

// snapshot adds what the model was told and given, if it is new.
func (t *translator) snapshot(prompt string, tools jsontext.Value) {
	if key := prompt + "\x00" + string(tools); !t.prompts[key] {
		t.prompts[key] = true
		t.Snapshot(prompt, tools)
	}
}

// instructions adds the system prompt and the tools that a span has beside its messages.
func (t *translator) instructions(s *request) {
	var prompt []transcript.Block
	names := []string{"gen_ai.system_instructions", "gen_ai.system.instructions", "gen_ai.agent.system_prompt"}
	for _, name := range names {
		prompt = append(prompt, t.blocks(&message{parts: s.json(name)}, s.place)...)
	}
	if tools := s.definitions(); len(prompt) > 0 || tools != nil {
		t.snapshot(sources.JoinTexts(prompt), tools)
	}
}

// blocks returns the blocks of a message. Results of calls, which are messages of their own in logs, are added.
func (t *translator) blocks(m *message, in *place) []transcript.Block {
	if transcript.Kind(m.parts) == '"' {
		return t.ChatBlocks(m.parts)
	}
	var all []transcript.Block
	for e := range transcript.Elements(m.parts) {
		if b, ok := t.block(e, in); ok {
			all = append(all, b)
		}
	}
	return all
}

// block returns the block of a part. It returns false for a result, and for a part without content.
func (t *translator) block(part jsontext.Value, in *place) (transcript.Block, bool) {
	var o sources.Object
	o.Read(part)
	switch kind := kindOf(part); kind {
	case "text", "input_text", "output_text":
		text := o.Text("content", "text")
		return t.Text(text), text != ""
	case "reasoning", "thinking":
		text := o.Text("content", "thinking", "text")
		return transcript.Block{Type: "thinking", Raw: part, Text: text}, text != ""
	case "reasoningContent":
		text := transcript.String(transcript.Field(transcript.Field(o.Get(kind), "reasoningText"), "text"))
		return transcript.Block{Type: "thinking", Raw: part, Text: text}, text != ""
	case "tool_call", "tool_use", "toolUse":
		if kind == "toolUse" {
			o.Read(o.Get(kind))
		}
		id, name := o.Text("id", "toolUseId"), o.Text("name")
		if id == "" { // it is only known by its place in the conversation
			id = "call " + strconv.Itoa(len(t.called)+1)
		}
		known := t.called[id]
		t.calls(id, name, in)
		return t.Call(id, name, sources.Arguments(o.Get("arguments", "input"))), !known
	case "tool_call_response", "tool_result", "toolResult":
		if kind == "toolResult" {
			o.Read(o.Get(kind))
		}
		id := cmp.Or(o.Text("id", "tool_use_id", "toolUseId"), t.awaiting(o.Text("name"), in))
		failed := o.Text("status") == "error" || string(o.Get("is_error")) == "true"
		repeats := id == "" && in.history.answered // what the span of a call has
		if !t.answered[id] && !repeats {
			t.answers(id, in)
			t.Result(id, failed, t.Text(resultText(o.Get("response", "result", "content"))))
		}
		return transcript.Block{}, false
	case "image", "image_url", "input_image":
		return t.ChatBlocks(part)[0], true
	case "blob":
		source := transcript.Source{Kind: "base64", MediaType: o.Text("mime_type"), Data: o.Get("content")}
		return transcript.Block{Type: "image", Raw: sources.Make("type", "image"), Source: source}, true
	default:
		return transcript.Block{Type: cmp.Or(kind, "content"), Raw: part}, true
	}
}

// calls notes a call that is drawn.
func (t *translator) calls(id, name string, in *place) {
	if h := in.history; !t.called[id] && !t.answered[id] {
		if h.calls == nil {
			h.calls = make(map[string][]string)
		}
		h.calls[name] = append(h.calls[name], id)
		if name != "" {
			h.calls[""] = append(h.calls[""], id)
		}
	}
	t.called[id] = true
}

// answers notes a result that is drawn.
func (t *translator) answers(id string, in *place) { t.answered[id], in.history.answered = true, true }

// awaiting returns the first call of a tool that has no result, or of any tool if name is "". Some results and spans of
// calls do not tell which call they are of.
func (t *translator) awaiting(name string, in *place) string {
	calls := in.history.calls[name]
	for len(calls) > 0 && t.answered[calls[0]] {
		calls = calls[1:]
		in.history.calls[name] = calls
	}
	if len(calls) == 0 {
		return ""
	}
	return calls[0]
}

// A history is what an agent was sent and answered so far. Requests may have the whole of it again, or only what is
// new.
type history struct {
	all  []message
	seen map[uint64]bool
	last []message // the input of the last request

	calls    map[string][]string // by tool, and all: those that may have no result
	answered bool                // a call has a result
}

// fresh returns the messages of a request that the history does not have. Instructions are always among them.
func (h *history) fresh(input []message) []message {
	var instructions []message
	for _, m := range input {
		if m.instructs() {
			instructions = append(instructions, m)
		}
	}
	if len(instructions) == 0 {
		return h.freshOf(input)
	}
	return append(instructions, h.freshOf(slices.DeleteFunc(slices.Clone(input), message.instructs))...)
}

func (h *history) freshOf(input []message) []message {
	if len(input) == 0 || slices.EqualFunc(input, h.last, same) { // or the request is repeated
		return nil
	}
	h.last = input
	news := input
	if slices.ContainsFunc(input, byModel) { // the whole history
		n := 0
		for n < min(len(input), len(h.all)) && (same(input[n], h.all[n]) || byModel(input[n]) && byModel(h.all[n])) {
			n++
		}
		news = input[n:]
		if n < len(h.all) || slices.ContainsFunc(news, byModel) { // it was shortened
			news = slices.DeleteFunc(slices.Clone(news), func(m message) bool { return h.seen[m.key] })
		}
		h.all = h.all[:0]
	}
	h.add(input)
	return news
}

// add adds messages to the history.
func (h *history) add(messages []message) {
	if h.seen == nil {
		h.seen = make(map[uint64]bool)
	}
	for _, m := range messages {
		h.seen[m.key] = true
	}
	h.all = append(h.all, messages...)
}

func same(m, n message) bool { return m.key == n.key }

// instructs reports whether a message has instructions for the model.
func (m message) instructs() bool { return m.role == "system" || m.role == "developer" }

func byModel(m message) bool { return m.role == "assistant" }
