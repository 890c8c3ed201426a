package otlp

import (
	"cmp"
	"hash/fnv"
	"slices"

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
		all = append(all, newMessage(o.Text("role"), o.Get("parts", "content")))
	}
	return all
}

func newMessage(role string, parts jsontext.Value) message {
	sum := fnv.New64a()
	_, _ = sum.Write([]byte(role + "\x00" + transcript.String(parts)))
	for e := range transcript.Elements(parts) {
		var part sources.Object
		if part.Read(e); part.Text("type") == "text" {
			e = jsontext.Value(part.Text("content"))
		}
		_, _ = sum.Write(e)
	}
	return message{role, parts, sum.Sum64()}
}

// said adds the records of messages: prompts, results, answers of requests that are not in the log.
func (t *translator) said(messages []message) {
	for _, m := range messages {
		content := t.blocks(&m)
		switch {
		case len(content) == 0:
		case m.role == "system" || m.role == "developer":
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
	for _, name := range []string{"gen_ai.system_instructions", "gen_ai.system.instructions"} {
		prompt = append(prompt, t.blocks(&message{parts: s.json(name)})...)
	}
	if tools := s.json("gen_ai.tool.definitions"); len(prompt) > 0 || tools != nil {
		t.snapshot(sources.JoinTexts(prompt), tools)
	}
}

// blocks returns the blocks of a message. Results of calls, which are messages of their own in logs, are added.
func (t *translator) blocks(m *message) []transcript.Block {
	if transcript.Kind(m.parts) == '"' {
		return t.ChatBlocks(m.parts)
	}
	var all []transcript.Block
	for e := range transcript.Elements(m.parts) {
		if b, ok := t.block(e); ok {
			all = append(all, b)
		}
	}
	return all
}

// block returns the block of a part. It returns false for a result, and for a part without content.
func (t *translator) block(part jsontext.Value) (transcript.Block, bool) {
	var o sources.Object
	o.Read(part)
	text := o.Text("content")
	switch kind := o.Text("type"); kind {
	case "text":
		return t.Text(text), text != ""
	case "reasoning":
		return transcript.Block{Type: "thinking", Raw: part, Text: text}, text != ""
	case "tool_call":
		id := o.Text("id")
		known := t.called[id]
		t.called[id] = true
		return t.Call(id, o.Text("name"), sources.Arguments(o.Get("arguments"))), !known
	case "tool_call_response":
		if id := o.Text("id"); !t.answered[id] {
			t.answered[id] = true
			t.Result(id, false, t.Text(resultText(o.Get("response", "result"))))
		}
		return transcript.Block{}, false
	case "blob":
		source := transcript.Source{Kind: "base64", MediaType: o.Text("mime_type"), Data: o.Get("content")}
		return transcript.Block{Type: "image", Raw: sources.Make("type", "image"), Source: source}, true
	default:
		return transcript.Block{Type: cmp.Or(kind, "content"), Raw: part}, true
	}
}

// A history is what an agent was sent and answered so far. Requests may have the whole of it again, or only what is
// new.
type history struct {
	all  []message
	seen map[uint64]bool
	last []message // the input of the last request
}

// fresh returns the messages of a request that the history does not have.
func (h *history) fresh(input []message) []message {
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

func byModel(m message) bool { return m.role == "assistant" }
