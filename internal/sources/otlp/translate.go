package otlp

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// The rules that hide records, in addition to those shared by all writers.
const (
	unrelated = "spans of other work"
	repeated  = "repeated spans"
	told      = "calls that requests have"
	bounds    = "beginnings and ends of agents" // whose messages are in other spans
	silent    = "requests without messages"
	measures  = "measurements and events of the program"
)

// What is drawn for texts that were not recorded.
const (
	noResult = "(the result is not in the log)"
	noAnswer = "(the answer is not in the log)"
)

// A translator turns the values of a file into records, see Source.Values.
type translator struct {
	sources.Builder
	head     traceHead
	resource string              // that was shown last
	within   map[string]*place   // where the spans in a span belong, by its id
	agents   map[string]*request // that have not ended
	trace    string              // of the last span
	main     history
	top      place           // of spans in no other
	called   map[string]bool // calls that an answer or a span has shown
	answered map[string]bool // calls that have a result
	prompts  map[string]bool // system prompts that were shown
}

// A place is where the records of a span belong.
type place struct {
	call      string   // that started the agent, "" in the session itself
	history   *history // of the agent
	inRequest bool     // that has messages and tokens
}

// Translate turns a span into records.
func (t *translator) Translate(pos transcript.Pos, v jsontext.Value) ([]transcript.Record, []transcript.Problem) {
	if t.within == nil {
		t.within, t.agents, t.called = make(map[string]*place), make(map[string]*request), make(map[string]bool)
		t.answered, t.prompts = make(map[string]bool), make(map[string]bool)
		t.top.history = &t.main
	}
	t.Begin(pos, v)
	t.Time = time.Time{}
	var o sources.Object
	o.Read(v)
	switch {
	case spanID(&o) != "":
		t.span(&o)
		return t.Done("span")
	case o.Get(headResource) != nil:
		t.begin(&o)
	case o.Get(endedAgent) != nil:
		t.ended(o.Text(endedAgent))
	case isMeasure(&o):
		t.Hide("trace", measures)
	}
	return t.Done("trace")
}

// isMeasure reports whether a value has metrics, or a log record without a message. Copilot writes them into the file
// of the spans.
func isMeasure(o *sources.Object) bool {
	if o.Get("hrTime") != nil {
		name := attributesOf(o).text("event.name")
		return name != "" && !strings.HasSuffix(name, ".message") && name != "gen_ai.choice"
	}
	return o.Get("scopeMetrics", "resourceMetrics") != nil || o.Text("type") == "metric"
}

// begin reads what is known of a whole trace.
func (t *translator) begin(o *sources.Object) {
	t.head = traceHead{string(o.Get(headUsed)) == "true", string(o.Get(headTold)) == "true"}
	t.Value = o.Get(headResource)
	if string(t.Value) == t.resource {
		t.Hide("trace", bounds)
		return
	}
	t.resource = string(t.Value)
	var about sources.Object
	about.Read(t.Value)
	a := attributesOf(&about)
	words := sources.About("Traces", a.text("service.name"))
	t.Remark("", words, "version", a.text("service.version"))
}

// span translates a span.
func (t *translator) span(o *sources.Object) {
	a := attributesOf(o)
	op, id := a.operation(o.Text("name")), spanID(o)
	if t.within[id] != nil {
		t.Hide("span", repeated)
		return
	}
	in := t.within[parentID(o)]
	if in == nil {
		in = &t.top
	}
	if id != "" {
		t.within[id] = in
	}
	switch {
	case op == "":
		t.Hide("span", unrelated)
		return
	case op == chat && in.inRequest: // a library and the program that uses it both record it
		t.Hide("span", repeated)
		return
	}
	t.SessionID = cmp.Or(a.conversation(), t.SessionID)
	if trace := traceID(o); trace != t.trace {
		t.trace, t.main.last = trace, nil
	}
	s := request{attributes: a, place: in, op: op, name: o.Text("name"), failed: failure(o, a)}
	s.start, s.end = timeOf(startOf(o)), timeOf(endOf(o))
	s.input, s.output = a.sent(), a.received()
	for e := range transcript.Elements(o.Get("events")) {
		s.event(e)
	}
	s.listed("events")
	t.Time = s.start
	before := t.Added()
	switch op {
	case agent:
		t.agents[id] = &s
		t.agent(&s)
	case chat:
		t.chat(&s)
		if id != "" && len(s.output) > 0 && s.usage() != (transcript.Usage{}) {
			t.within[id] = &place{call: in.call, history: in.history, inRequest: true}
		}
	case tool:
		s.tool = cmp.Or(a.text("gen_ai.tool.name", "tool.name", "traceloop.entity.name"),
			strings.TrimPrefix(s.name, tool+" "))
		s.id = cmp.Or(a.text("gen_ai.tool.call.id", "tool.id"), t.awaiting(s.tool, in), id)
		if id != "" {
			t.within[id] = &place{call: s.id, history: new(history)}
		}
		t.call(&s)
	}
	t.move(before, in)
}

// move moves the records that were added to the agent of a place.
func (t *translator) move(before int, in *place) {
	if in.call != "" && t.Added() > before {
		t.Aside(before, in.call)
	}
}

// failure returns why a span failed, or "".
func failure(o *sources.Object, a attributes) string {
	var status sources.Object
	status.Read(o.Get("status"))
	kind := a.text("error.type")
	switch transcript.TextOf(status.Get("code", "status_code")) {
	case "2", "STATUS_CODE_ERROR", "ERROR":
		return cmp.Or(status.Text("message", "description"), kind, "error")
	}
	if a.text("gen_ai.tool.status") == "error" {
		return cmp.Or(kind, "error")
	}
	return kind
}

// A request is a span that is drawn.
type request struct {
	attributes
	*place
	op, name, failed  string
	id, tool          string // of a call
	start, end        time.Time
	input, output     []message
	stop              string // why the answer ended
	arguments, result jsontext.Value
}

// event reads an event of the span: messages, which some programs keep there, or why it failed.
func (s *request) event(v jsontext.Value) {
	var o sources.Object
	o.Read(v)
	a := attributesOf(&o)
	s.input = append(s.input, a.messages(inputMessages, "user")...)
	s.output = append(s.output, a.messages(outputMessages, "assistant")...)
	if role := eventRole(o.Text("name")); role != "" {
		s.message(role, a)
	}
	if text := a.text("exception.message"); s.failed != "" && text != "" {
		s.failed = text
	}
}

// agent translates the beginning of an agent. Its requests usually have its messages, too.
func (t *translator) agent(s *request) {
	t.Model = cmp.Or(s.text("gen_ai.request.model", "gen_ai.response.model", "model_name"), t.Model)
	before := t.Added()
	t.instructions(s)
	if !t.head.told {
		s.listed("all_messages_events")
		s.values()
	}
	s.history.last = nil // the same prompt again is another one
	t.said(s.history.fresh(s.input), s.place)
	if len(s.input) == 0 && !t.head.told && s.call == "" {
		words := sources.About("The prompt is not in the log", s.text("gen_ai.agent.name", "agent.name"))
		t.Remark("", words, "mode", s.text("copilot_chat.mode"), "model", t.Model)
	}
	if t.Added() == before {
		t.Hide("span", bounds)
	}
}

// ended translates the end of an agent: what its requests do not tell.
func (t *translator) ended(id string) {
	s := t.agents[id]
	if s == nil {
		return
	}
	delete(t.agents, id)
	t.Time = s.end
	before := t.Added()
	var content []transcript.Block
	if !t.head.told {
		for _, m := range s.output {
			content = append(content, t.blocks(&m, s.place)...)
		}
		if len(content) == 0 && s.failed == "" && !s.end.IsZero() {
			content = append(content, t.Text(noAnswer))
		}
	}
	if len(content) > 0 {
		t.Answer(content...)
	}
	if u := s.usage(); !t.head.used && u != (transcript.Usage{}) {
		t.UsedTogether(u, silent)
	}
	if s.failed != "" {
		t.Fail(s.failed)
	}
	if t.Added() == before {
		t.Hide("trace", bounds)
	}
	t.move(before, s.place)
}

// chat translates a request: what is new in its input, and the answer.
func (t *translator) chat(s *request) {
	t.Model = cmp.Or(s.text("gen_ai.response.model", "gen_ai.request.model", "llm.model_name"), t.Model)
	t.instructions(s)
	s.values()
	t.said(s.history.fresh(s.input), s.place)
	s.history.add(s.output)
	t.Time = s.end
	var content []transcript.Block
	for _, m := range s.output {
		content = append(content, t.blocks(&m, s.place)...)
	}
	u := s.usage()
	switch {
	case len(content) > 0:
		r := t.Answer(content...)
		r.Message.Usage, r.Message.HasUsage = u, u != (transcript.Usage{})
		r.Message.StopReason = cmp.Or(s.first("gen_ai.response.finish_reasons"), s.stop,
			s.text("gen_ai.completion.0.finish_reason"))
	case s.failed != "":
		t.Fail(s.failed)
		return
	default:
		t.Used(u, silent)
	}
	if s.failed != "" {
		t.Remark("error", s.failed)
	}
}

// call translates a call and its result. The requests before and after it may have shown them already.
func (t *translator) call(s *request) {
	before := t.Added()
	arguments := transcript.Or(s.json("gen_ai.tool.call.arguments", "input.value", "traceloop.entity.input",
		"tool_arguments"), s.arguments)
	result := transcript.Or(s.json("gen_ai.tool.call.result", "output.value", "tool_response"),
		decoded(s.json("traceloop.entity.output")), s.result)
	for _, m := range slices.Concat(s.input, s.output) {
		for e := range transcript.Elements(m.parts) {
			if isResult(e) {
				result = transcript.Or(result, transcript.Field(e, "response"), transcript.Field(e, "result"))
			} else {
				arguments = transcript.Or(arguments, transcript.Field(e, "arguments"))
			}
		}
	}
	if !t.called[s.id] {
		t.calls(s.id, s.tool, s.place)
		if arguments != nil && transcript.Kind(arguments) != '{' {
			arguments = sources.Make("input", transcript.TextOf(arguments))
		}
		t.Answer(t.Call(s.id, s.tool, arguments))
	}
	if !t.answered[s.id] {
		text := cmp.Or(resultText(result), s.failed)
		if result == nil && text == "" {
			text = noResult
		}
		t.answers(s.id, s.place)
		t.Time = s.end
		t.Result(s.id, s.failed != "", t.Text(text)).ToolUseResult = exitCode(s.number("process.exit.code"))
	}
	if t.Added() == before {
		t.Hide("span", told)
	}
}

// decoded returns the string that a string has as JSON, or the value itself.
func decoded(v jsontext.Value) jsontext.Value {
	if inner := jsontext.Value(transcript.String(v)); transcript.Kind(inner) == '"' && transcript.Valid(inner) {
		return inner
	}
	return v
}

// resultText returns the text of a result. Visual Studio puts it into an object, Bedrock into a list.
func resultText(v jsontext.Value) string {
	var texts []string
	for _, p := range listedParts(v) {
		text := transcript.Or(transcript.Field(p, "content"), transcript.Field(p, "text"))
		texts = append(texts, transcript.String(text))
	}
	if len(texts) > 0 && !slices.Contains(texts, "") {
		return strings.Join(texts, "\n")
	}
	text := transcript.TextOf(v)
	if inner := jsontext.Value(text); transcript.Kind(inner) == '{' && transcript.Valid(inner) {
		var o sources.Object
		if o.Read(inner); len(o) == 1 && o.Text("Value") != "" {
			return o.Text("Value")
		}
	}
	return text
}

// exitCode returns the structured part of the result of a command that failed, or nil.
func exitCode(code int64) jsontext.Value {
	if code == 0 {
		return nil
	}
	return sources.Make("exitCode", strconv.FormatInt(code, 10))
}
