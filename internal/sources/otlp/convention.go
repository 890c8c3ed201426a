package otlp

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// Spans of other conventions are read like those of the current one:
//   - until version 1.36, messages are events of the span: gen_ai.user.message, gen_ai.choice. Pydantic AI has such
//     events in an attribute.
//   - Traceloop (OpenLLMetry) has an attribute for each part of a message: gen_ai.prompt.0.content.
//   - so has OpenInference: llm.input_messages.0.message.content. Spans say what they are in openinference.span.kind.

// conventional reports whether the beginning of a file has attributes of one of these conventions.
func conventional(head sources.Head) bool {
	for _, name := range []string{`"gen_ai.`, `"openinference.span.kind"`, `"llm.`, `"traceloop.`} {
		if head.Contains(name) {
			return true
		}
	}
	return false
}

// told reports whether a request has messages, as attributes or as events.
func (a attributes) told(events jsontext.Value) bool {
	for _, name := range []string{inputMessages, outputMessages, "events", "input.value", "output.value"} {
		if a.has(name) {
			return true
		}
	}
	lists := slices.Concat(inputLists, outputLists)
	for name := range a {
		if slices.ContainsFunc(lists, func(list string) bool { return strings.HasPrefix(name, list) }) {
			return true
		}
	}
	for e := range transcript.Elements(events) {
		var event sources.Object
		event.Read(e)
		at := attributesOf(&event)
		if eventRole(event.Text("name")) != "" || at.has(inputMessages) || at.has(outputMessages) {
			return true
		}
	}
	return false
}

// The beginnings of the attributes of messages, before their number.
var (
	inputLists  = []string{"llm.input_messages.", "gen_ai.prompt."}
	outputLists = []string{"llm.output_messages.", "gen_ai.completion."}
)

// sent returns the messages that a request sent.
func (a attributes) sent() []message { return a.messagesIn(inputMessages, "user", inputLists) }

// received returns the messages that a request received.
func (a attributes) received() []message {
	return a.messagesIn(outputMessages, "assistant", outputLists)
}

func (a attributes) messagesIn(name, role string, lists []string) []message {
	all := a.messages(name, role)
	for i := 0; len(all) == 0 && i < len(lists); i++ {
		for _, m := range a.numbered(lists[i]) {
			all = append(all, m.message(role))
		}
	}
	return all
}

// levels are the names of objects that OpenInference repeats in the names of their members.
var levels = strings.NewReplacer("message.", "", "message_content.", "", "tool_call.", "", "function.", "")

// numbered returns the attributes whose names begin with a prefix and a number, without those, in the order of the
// numbers. If several names mean the same one, the last name counts.
func (a attributes) numbered(prefix string) (all []attributes) {
	found := make(map[int]attributes)
	for _, name := range slices.Sorted(maps.Keys(a)) {
		rest, ok := strings.CutPrefix(name, prefix)
		number, member, named := strings.Cut(rest, ".")
		n, err := strconv.Atoi(number)
		if !ok || !named || err != nil {
			continue
		}
		if found[n] == nil {
			found[n] = make(attributes)
		}
		found[n][levels.Replace(member)] = a[name]
	}
	for _, n := range slices.Sorted(maps.Keys(found)) {
		all = append(all, found[n])
	}
	return all
}

// message returns the message of the attributes of one.
func (a attributes) message(role string) message {
	var parts []jsontext.Value
	for _, c := range a.numbered("contents.") {
		if address := c.text("image.image.url"); address != "" {
			parts = append(parts, sources.Make("type", "image_url", "image_url", address))
		} else if text := c.text("text"); text != "" {
			parts = append(parts, textPart(text))
		}
	}
	m := newChat(cmp.Or(a.text("role"), role), a["content"], a.text("tool_call_id"), a.text("name"))
	m.parts = append(m.parts, parts...)
	for _, c := range a.numbered("tool_calls.") {
		m.call(c.text("id"), c.text("name"), c["arguments"])
	}
	if name := a.text("function_call_name"); name != "" {
		m.call("", name, a["function_call_arguments_json"])
	}
	return m.message()
}

// A chatMessage is a message of a request as APIs of models have it.
type chatMessage struct {
	role  string
	parts []jsontext.Value
}

// newChat returns a message with a content: a text, or parts. That of a tool is the result of a call.
func newChat(role string, content jsontext.Value, id, name string) chatMessage {
	m := chatMessage{role, partsOf(content)}
	switch {
	case role == "tool" && !slices.ContainsFunc(m.parts, isResult):
		content = transcript.Or(content, sources.Quote(""))
		result := sources.Make("type", "tool_call_response", "id", id, "name", name, "response", content)
		m.parts = []jsontext.Value{result}
	case role == "thinking":
		for i, p := range m.parts {
			m.parts[i] = sources.Make("type", "reasoning", "content", transcript.String(transcript.Field(p, "content")))
		}
	}
	return m
}

// call adds a call to the message.
func (m *chatMessage) call(id, name string, arguments jsontext.Value) {
	m.parts = append(m.parts, sources.Make("type", "tool_call", "id", id, "name", name, "arguments", arguments))
}

func (m *chatMessage) message() message {
	return newMessage(m.role, sources.MakeList(m.parts...))
}

// readMessage reads {"role","parts"}, or a message of an API: {"role","content","tool_calls","tool_call_id"}.
func readMessage(o *sources.Object, role string) message {
	role = cmp.Or(o.Text("role"), role)
	if parts := o.Get("parts"); parts != nil {
		return newMessage(role, parts)
	}
	m := newChat(role, o.Get("content"), o.Text("tool_call_id", "id"), o.Text("name"))
	m.calls(o.Get("tool_calls"))
	return m.message()
}

// calls adds the calls of a list: {"id","function":{"name","arguments"}}.
func (m *chatMessage) calls(list jsontext.Value) {
	for e := range transcript.Elements(list) {
		var o, f sources.Object
		o.Read(e)
		if f.Read(o.Get("function")); len(f) == 0 {
			f = o
		}
		m.call(o.Text("id"), f.Text("name"), f.Get("arguments", "args"))
	}
}

// eventRole returns the role of the message that an event with that name has, or "".
func eventRole(name string) string {
	if name == "gen_ai.choice" {
		return "choice"
	}
	role, ok := strings.CutPrefix(name, "gen_ai.")
	role, is := strings.CutSuffix(role, ".message")
	if !ok || !is {
		return ""
	}
	return role
}

// message adds the message of an event of the span. In the span of a call it is the input, a choice the result.
func (s *request) message(role string, a attributes) {
	content := a.json("content", "gen_ai.event.content")
	if role == "choice" {
		s.stop = cmp.Or(s.stop, a.text("finish_reason"))
		content = transcript.Or(a.json("message"), content)
	}
	switch {
	case s.op == tool && role == "tool":
		s.arguments = content
	case s.op == tool && role == "choice":
		s.result = content
	case transcript.Kind(content) == '{' && role == "choice":
		var o sources.Object
		o.Read(content)
		s.output = append(s.output, readMessage(&o, "assistant"))
	case role == "choice":
		m := newChat("assistant", content, "", "")
		m.calls(a.json("tool_calls"))
		s.output = append(s.output, m.message())
	default:
		m := newChat(role, content, a.text("id"), a.text("name"))
		m.calls(a.json("tool_calls"))
		s.input = append(s.input, m.message())
	}
}

// listed adds the messages of events that an attribute has: [{"event.name","role","content"}].
func (s *request) listed(name string) {
	for e := range transcript.Elements(s.json(name)) {
		a := attributes(maps.Collect(transcript.Members(e)))
		if role := eventRole(a.text("event.name")); role != "" {
			s.message(role, a)
		}
	}
}

// values adds the texts that a span has in place of messages.
func (s *request) values() {
	if text := s.text("input.value", "traceloop.entity.input"); text != "" && len(s.input) == 0 {
		s.input = append(s.input, newMessage("user", sources.Quote(text)))
	}
	if text := s.text("output.value", "traceloop.entity.output", "final_result"); text != "" && len(s.output) == 0 {
		s.output = append(s.output, newMessage("assistant", sources.Quote(text)))
	}
}

// definitions returns the tools that a model was given.
func (a attributes) definitions() jsontext.Value {
	if tools := a.json("gen_ai.tool.definitions"); tools != nil {
		return tools
	}
	var all []jsontext.Value
	for _, t := range a.numbered("llm.tools.") {
		all = append(all, t.json("tool.json_schema"))
	}
	for _, t := range a.numbered("llm.request.functions.") {
		all = append(all, sources.Make("name", t.text("name"), "description", t.text("description"),
			"parameters", t.json("parameters")))
	}
	if len(all) == 0 {
		return nil
	}
	return sources.MakeList(all...)
}

// kinds are the types of parts that content may have. Bedrock has a member for each type in their place.
var kinds = map[string]bool{
	"text": true, "input_text": true, "output_text": true, "refusal": true, "thinking": true, "reasoning": true,
	"tool_call": true, "tool_use": true, "tool_result": true, "tool_call_response": true, "image": true,
	"image_url": true, "input_image": true, "document": true, "toolUse": true, "toolResult": true,
	"reasoningContent": true,
}

// partsOf returns the parts of a content: a text, or a list of parts, also in a string.
func partsOf(content jsontext.Value) []jsontext.Value {
	if parts := listedParts(content); len(parts) > 0 {
		return parts
	}
	if text := transcript.TextOf(content); text != "" && text != "[]" {
		return []jsontext.Value{textPart(text)}
	}
	return nil
}

// listedParts returns the parts of a list of them, which may be in a string. Any other value has none.
func listedParts(v jsontext.Value) (parts []jsontext.Value) {
	if inner := jsontext.Value(transcript.String(v)); transcript.Kind(inner) == '[' && transcript.Valid(inner) {
		v = inner
	}
	for e := range transcript.Elements(v) {
		if !kinds[kindOf(e)] {
			return nil
		}
		parts = append(parts, e)
	}
	return parts
}

func textPart(text string) jsontext.Value { return sources.Make("type", "text", "content", text) }

// kindOf returns the type of a part, or the member that Bedrock has in its place.
func kindOf(part jsontext.Value) string {
	var o sources.Object
	o.Read(part)
	if kind := o.Text("type"); kind != "" {
		return kind
	}
	for _, name := range []string{"text", "toolUse", "toolResult", "reasoningContent", "image", "document"} {
		if o.Get(name) != nil {
			return name
		}
	}
	return ""
}

func isResult(part jsontext.Value) bool {
	switch kindOf(part) {
	case "tool_call_response", "tool_result", "toolResult":
		return true
	}
	return false
}
