package export

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"viewer/internal/tools"
	"viewer/normalize"
)

// OTLP returns a session as traces of OpenTelemetry in JSON, one line for each turn, following the conventions for
// generative AI: a span invoke_agent for the turn, and in it spans for each request (chat) and each call
// (execute_tool). The span of a call contains an invoke_agent for each agent that it started. The same session gives
// the same ids.
//
// A request begins when the last message before it was written, because logs do not tell when it was sent. Its
// gen_ai.input.messages are the new ones only, not the history. Messages that no request follows are those of the
// invoke_agent. Times that the log does not have are 0.
//
// All options count except Color, Longest and LongestText. Attempts that were taken back are left out.
func OTLP(s Session, o Options) ([]byte, error) {
	turns, err := choose(s.Conversation, o)
	if err != nil {
		return nil, err
	}
	w := otlpWriter{Session: s, o: o, context: callContext(s)}
	c := s.Conversation
	for i, t := range turns {
		if len(w.o.stepsOf(t)) == 0 {
			continue
		}
		w.begin("turn " + strconv.Itoa(t.Index))
		w.conversation(c, turns[i:i+1], "", agentNames{id: c.ID, name: c.Writer.ID()})
		if err := w.end(); err != nil {
			return nil, err
		}
	}
	if o.whole() {
		for i, a := range c.Agents {
			w.begin("agent " + strconv.Itoa(i))
			w.agent(a, "")
			if err := w.end(); err != nil {
				return nil, err
			}
		}
	}
	if w.lines == nil {
		return nil, errNoSteps
	}
	return w.lines, nil
}

type traces struct {
	Resources []resourceSpans `json:"resourceSpans"`
}

type resourceSpans struct {
	Resource resource     `json:"resource"`
	Scopes   []scopeSpans `json:"scopeSpans"`
}

type resource struct {
	Attributes []attribute `json:"attributes"`
}

type scopeSpans struct {
	Scope scope      `json:"scope"`
	Spans []otlpSpan `json:"spans"`
}

type scope struct {
	Name string `json:"name"`
}

type otlpSpan struct {
	Trace      string      `json:"traceId"`
	ID         string      `json:"spanId"`
	Parent     string      `json:"parentSpanId,omitempty"`
	Name       string      `json:"name"`
	Kind       int         `json:"kind"` // 1 internal, 3 client
	Start      string      `json:"startTimeUnixNano"`
	End        string      `json:"endTimeUnixNano"`
	Attributes []attribute `json:"attributes"`
	Status     *spanStatus `json:"status,omitempty"`
}

type spanStatus struct {
	Code    int    `json:"code"` // 2 is an error
	Message string `json:"message,omitempty"`
}

type attribute struct {
	Key   string         `json:"key"`
	Value attributeValue `json:"value"`
}

// An attributeValue has exactly one member.
type attributeValue struct {
	String *string     `json:"stringValue,omitempty"`
	Int    *string     `json:"intValue,omitempty"` // 64 bits are a string in JSON
	Double *float64    `json:"doubleValue,omitempty"`
	Array  *arrayValue `json:"arrayValue,omitempty"`
}

type arrayValue struct {
	Values []attributeValue `json:"values"`
}

// attributes are the attributes of a span. Values that the log does not have are left out.
type attributes []attribute

func (a *attributes) text(key, s string) {
	if s != "" {
		*a = append(*a, attribute{key, attributeValue{String: &s}})
	}
}

func (a *attributes) count(key string, n int64) {
	if n > 0 {
		s := strconv.FormatInt(n, 10)
		*a = append(*a, attribute{key, attributeValue{Int: &s}})
	}
}

func (a *attributes) json(key string, v any) error {
	line, err := encodeLine(v)
	a.text(key, strings.TrimSuffix(string(line), "\n"))
	return err
}

// An otlpMessage is an element of gen_ai.input.messages and gen_ai.output.messages.
type otlpMessage struct {
	Role   string     `json:"role"` // system, user, assistant, tool
	Parts  []otlpPart `json:"parts"`
	Finish string     `json:"finish_reason,omitempty"`
}

type otlpPart struct {
	Type      string `json:"type"` // text, reasoning, tool_call, tool_call_response, uri
	Content   string `json:"content,omitempty"`
	ID        string `json:"id,omitempty"`
	Name      string `json:"name,omitempty"`
	Arguments raw    `json:"arguments,omitempty"`
	Response  any    `json:"response,omitempty"`
}

type otlpWriter struct {
	Session
	o       Options
	context tools.Context
	trace   string
	spans   []otlpSpan
	lines   []byte
	err     error // the first error of encoding
}

type agentNames struct{ id, name, description string }

// begin begins a trace. what is unique within the session.
func (w *otlpWriter) begin(what string) {
	w.spans = nil
	w.trace = w.hash(16, "trace", what)
}

// hash returns an id of n bytes, which are never all zero.
func (w *otlpWriter) hash(n int, parts ...string) string {
	sum := sha256.Sum256([]byte(w.Conversation.ID + "\x00" + strings.Join(parts, "\x00")))
	sum[n-1] |= 1
	return hex.EncodeToString(sum[:n])
}

// end writes the trace as a line.
func (w *otlpWriter) end() error {
	if w.err != nil {
		return w.err
	}
	var about attributes
	about.text("service.name", w.Conversation.Writer.ID())
	if v := w.Conversation.Facts.Versions; len(v) > 0 {
		about.text("service.version", v[len(v)-1])
	}
	line, err := encodeLine(traces{[]resourceSpans{{resource{about}, []scopeSpans{{scope{"viewer"}, w.spans}}}}})
	w.lines = append(w.lines, line...)
	return err
}

// add adds a span and returns its index.
func (w *otlpWriter) add(parent, name string, kind int) int {
	id := w.hash(8, w.trace, strconv.Itoa(len(w.spans)))
	w.spans = append(w.spans, otlpSpan{
		Trace: w.trace, ID: id, Parent: parent, Name: name, Kind: kind, Start: "0", End: "0",
	})
	return len(w.spans) - 1
}

// lasts sets the times of a span.
func (s *otlpSpan) lasts(start, end time.Time) {
	if start.IsZero() {
		start = end
	}
	if end.Before(start) {
		end = start
	}
	if start.Unix() > 0 { // the format has no time before 1970
		s.Start, s.End = nanoseconds(start), nanoseconds(end)
	}
}

func nanoseconds(t time.Time) string {
	return fmt.Sprintf("%d%09d", t.Unix(), t.Nanosecond())
}

// conversation adds the spans of turns, in a span of the agent.
func (w *otlpWriter) conversation(c *normalize.Conversation, turns []turn, parent string, who agentNames) {
	at := w.add(parent, "invoke_agent "+who.name, 1)
	id := w.spans[at].ID
	var about attributes
	about.text("gen_ai.operation.name", "invoke_agent")
	about.text("gen_ai.conversation.id", w.Conversation.ID)
	about.text("gen_ai.agent.name", who.name)
	about.text("gen_ai.agent.id", who.id)
	about.text("gen_ai.agent.description", who.description)
	if len(c.Facts.Models) > 0 {
		about.text("gen_ai.request.model", c.Facts.Models[0])
	}
	var start, end time.Time
	var input []otlpMessage
	var total, read, written, output int64
	for _, t := range turns {
		from, to := t.Span()
		if start.IsZero() || !from.IsZero() && from.Before(start) {
			start = from
		}
		if to.After(end) {
			end = to
		}
		last := from
		for _, s := range w.o.stepsOf(t) {
			if s.side != byModel {
				input = append(input, w.message(&s)...)
				last = later(last, s.record.Timestamp)
				continue
			}
			w.request(&s, id, input, last)
			if r := s.request; r != nil {
				total, read = total+r.Usage.Context(), read+r.Usage.CacheRead
				written, output = written+r.Usage.CacheWrite, output+r.Usage.Output
			}
			input = nil
			for _, g := range s.calls {
				w.call(g, id)
				if g.Result != nil {
					input = append(input, w.response(g))
					last = later(last, g.Result.Time())
				}
			}
			last = later(last, s.last())
		}
		end = later(end, last) // the span of a turn leaves out hidden and system records
	}
	input = slices.DeleteFunc(input, func(m otlpMessage) bool { return m.Role == "tool" }) // calls have their results
	if len(input) > 0 {
		w.note(about.json("gen_ai.input.messages", input))
	}
	about.tokens(total, read, written, output)
	w.spans[at].lasts(start, end)
	w.spans[at].Attributes = about
}

// tokens adds the tokens of requests. Input tokens include cached ones.
func (a *attributes) tokens(in, read, written, out int64) {
	a.count("gen_ai.usage.input_tokens", in)
	a.count("gen_ai.usage.cache_read.input_tokens", read)
	a.count("gen_ai.usage.cache_creation.input_tokens", written)
	a.count("gen_ai.usage.output_tokens", out)
}

func later(t, u time.Time) time.Time {
	if u.After(t) {
		return u
	}
	return t
}

// last returns when the last record of a step was written, apart from the results of its calls.
func (s *step) last() time.Time {
	last := s.record.Timestamp
	for _, m := range s.messages {
		last = later(last, m.Time())
	}
	for _, g := range s.calls {
		last = later(last, g.Head().Time())
	}
	return last
}

// message returns a prompt or a text of the program, or nil if it is empty.
func (w *otlpWriter) message(s *step) []otlpMessage {
	m := otlpMessage{Role: "user"}
	if s.side == byProgram {
		m.Role = "system"
	}
	for _, said := range s.messages {
		m.Parts = append(m.Parts, otlpText(said)...)
	}
	var all []otlpMessage
	if m.Parts != nil {
		all = append(all, m)
	}
	for _, g := range s.calls { // results whose calls are not in the log
		all = append(all, w.response(g))
	}
	return all
}

// response returns the result of a call.
func (w *otlpWriter) response(g *normalize.Group) otlpMessage {
	return otlpMessage{Role: "tool", Parts: []otlpPart{{
		Type: "tool_call_response", ID: callID(g), Response: w.resultText(g.Result.Block),
	}}}
}

func otlpText(m *normalize.Message) []otlpPart {
	if text := said(m); strings.TrimSpace(text) != "" {
		return []otlpPart{{Type: "text", Content: text}}
	}
	return nil
}

// request adds the span of a request.
func (w *otlpWriter) request(s *step, parent string, input []otlpMessage, since time.Time) {
	r := s.record
	model, id, stop := "", "", ""
	if r.Message != nil {
		model, id = r.Message.Model, r.Message.ID
	}
	answer := otlpMessage{Role: "assistant", Parts: []otlpPart{}}
	for _, m := range s.messages {
		if m.Kind == normalize.Thinking && m.Text != "" {
			answer.Parts = append(answer.Parts, otlpPart{Type: "reasoning", Content: m.Text})
		} else if m.Kind != normalize.Thinking {
			answer.Parts = append(answer.Parts, otlpText(m)...)
		}
		stop = lastOf(stop, m)
	}
	for _, g := range s.calls {
		answer.Parts = append(answer.Parts, otlpPart{
			Type: "tool_call", ID: callID(g), Name: g.Call.Name, Arguments: arguments(g),
		})
		stop = lastOf(stop, g.Call)
	}
	answer.Finish = finishOf(stop, s)
	at := w.add(parent, strings.TrimSpace("chat "+model), 3)
	var about attributes
	about.text("gen_ai.operation.name", "chat")
	about.text("gen_ai.provider.name", providerOf(model))
	about.text("gen_ai.conversation.id", w.Conversation.ID)
	about.text("gen_ai.request.model", model)
	about.text("gen_ai.response.model", model)
	about.text("gen_ai.response.id", id)
	if stop != "" {
		about = append(about, attribute{"gen_ai.response.finish_reasons", attributeValue{
			Array: &arrayValue{[]attributeValue{{String: &stop}}},
		}})
	}
	if u := s.request; u != nil {
		about.tokens(u.Usage.Context(), u.Usage.CacheRead, u.Usage.CacheWrite, u.Usage.Output)
	}
	if input != nil {
		w.note(about.json("gen_ai.input.messages", input))
	}
	w.note(about.json("gen_ai.output.messages", []otlpMessage{answer}))
	w.spans[at].Attributes = about
	w.spans[at].lasts(since, s.last())
}

// lastOf returns the stop reason of an answer, updated by a message of it.
func lastOf(stop string, m *normalize.Message) string {
	if m.Record.Message != nil && m.Record.Message.StopReason != "" {
		return m.Record.Message.StopReason
	}
	return stop
}

// finishes maps the stop reasons of logs to those of the conventions.
var finishes = map[string]string{
	"max_tokens": "length", "length": "length", "model_context_window_exceeded": "length", "refusal": "content_filter",
	"content_filter": "content_filter", "error": "error",
}

// finishOf returns why an answer stopped.
func finishOf(stop string, s *step) string {
	switch {
	case finishes[stop] != "":
		return finishes[stop]
	case len(s.calls) > 0:
		return "tool_call"
	}
	return "stop"
}

// note keeps the first error.
func (w *otlpWriter) note(err error) {
	if w.err == nil {
		w.err = err
	}
}

// providers maps the beginnings of model names to providers.
var providers = []struct{ prefix, name string }{
	{"claude", "anthropic"}, {"gpt", "openai"}, {"o1", "openai"}, {"o3", "openai"}, {"o4", "openai"},
	{"codex", "openai"}, {"gemini", "gcp.gemini"}, {"grok", "x_ai"}, {"deepseek", "deepseek"},
	{"mistral", "mistral_ai"},
}

// providerOf returns the provider of a model, or "".
func providerOf(model string) string {
	for _, p := range providers {
		if strings.HasPrefix(model, p.prefix) {
			return p.name
		}
	}
	return ""
}

// call adds the span of a call, and in it those of its agents.
func (w *otlpWriter) call(g *normalize.Group, parent string) {
	at := w.add(parent, "execute_tool "+g.Call.Name, 1)
	var about attributes
	about.text("gen_ai.operation.name", "execute_tool")
	about.text("gen_ai.conversation.id", w.Conversation.ID)
	about.text("gen_ai.tool.name", g.Call.Name)
	about.text("gen_ai.tool.call.id", callID(g))
	about.text("gen_ai.tool.type", "function")
	about.text("gen_ai.tool.call.arguments", string(arguments(g)))
	span := &w.spans[at]
	start, end := g.Call.Time(), g.Call.Time()
	if g.Result != nil {
		end = g.Result.Time()
		result := w.resultText(g.Result.Block) // also an empty one, which tells that there is one
		about = append(about, attribute{"gen_ai.tool.call.result", attributeValue{String: &result}})
	}
	exit := tools.Describe(g, w.context).Exit
	if n, err := strconv.ParseInt(exit, 10, 64); err == nil {
		about.count("process.exit.code", n)
	}
	switch {
	case g.State == normalize.Done && exit != "": // the command failed after its call
		about.text("error.type", normalize.Failed.String())
		span.Status = &spanStatus{Code: 2, Message: "exit " + exit}
	case g.State != normalize.Done && g.State != normalize.Pending && g.State != normalize.Unlogged: // it has failed
		about.text("error.type", g.State.String())
		span.Status = &spanStatus{Code: 2, Message: stateWords[g.State]}
	}
	span.Attributes = about
	span.lasts(start, end)
	id := span.ID
	for _, a := range g.Agents {
		w.agent(a, id)
	}
}

// agent adds the spans of an agent.
func (w *otlpWriter) agent(a *normalize.Agent, parent string) {
	var turns []turn
	for _, t := range a.Conversation.Turns {
		turns = append(turns, w.o.turn(t, everywhere))
	}
	name := cmp.Or(a.Type, "agent")
	w.conversation(a.Conversation, turns, parent, agentNames{a.ID, name, a.Description})
}
