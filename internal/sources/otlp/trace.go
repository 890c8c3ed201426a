package otlp

import (
	"bytes"
	"cmp"
	"iter"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// A span is a span of a file, with what its place in the order depends on.
type span struct {
	pos          transcript.Pos
	value        jsontext.Value
	resource     jsontext.Value
	resourceAt   int64 // its offset
	id, parent   string
	trace        string
	conversation string // that it names, or ""
	start, end   int64  // nanoseconds since 1970, 0 if unknown
	isAgent      bool
	used, told   bool // see traceHead
}

// Values yields the spans in the order of the conversation: each is followed by those in it, the earlier ones first.
// The first span of a trace follows a value with what is known of the whole trace, see traceHead, and the last one in
// an agent is followed by one that names the agent (endedAgent). Lines that are not traces come first.
func (Source) Values(data []byte) iter.Seq2[transcript.Pos, jsontext.Value] {
	return func(yield func(transcript.Pos, jsontext.Value) bool) {
		var spans []span
		for pos, v := range values(data) {
			found := spansIn(pos, v)
			if len(found) == 0 && !yield(pos, v) {
				return
			}
			spans = append(spans, found...)
		}
		heads := headsOf(spans)
		last := ""
		for _, v := range ordered(spans) {
			s := &spans[v.span]
			if v.ended {
				if s.isAgent && !yield(s.inside(len(s.value)-1), sources.Make(endedAgent, s.id)) {
					return
				}
				continue
			}
			if head := heads[s.trace].value(s.resource); string(head) != last {
				if !yield(s.inside(1), head) {
					return
				}
				last = string(head)
			}
			if !yield(s.pos, s.value) {
				return
			}
		}
	}
}

// values yields the values of a file: one on each line, or documents of several lines.
func values(data []byte) iter.Seq2[transcript.Pos, jsontext.Value] {
	return func(yield func(transcript.Pos, jsontext.Value) bool) {
		pos := transcript.Pos{Line: 1}
		documents := sources.IsDocument(data)
		for rest := data; ; {
			begin := bytes.TrimLeft(bytes.TrimPrefix(rest, []byte("\ufeff")), " \t\r\n")
			pos.Line += bytes.Count(rest[:len(rest)-len(begin)], []byte("\n"))
			pos.Offset = int64(len(data) - len(begin))
			if len(begin) == 0 {
				return
			}
			end := bytes.IndexByte(begin, '\n')
			if documents {
				end = transcript.SkipValue(begin, 0)
			}
			if end <= 0 {
				end = len(begin)
			}
			if !yieldValue(pos, bytes.TrimSpace(begin[:end]), yield) {
				return
			}
			pos.Line += bytes.Count(begin[:end], []byte("\n"))
			rest = begin[end:]
		}
	}
}

// yieldValue yields a value, or the elements of a list. It returns false if no more are wanted.
func yieldValue(pos transcript.Pos, v jsontext.Value, yield func(transcript.Pos, jsontext.Value) bool) bool {
	if transcript.Kind(v) != '[' || !transcript.Valid(v) {
		return yield(pos, v)
	}
	for at, e := range sources.ElementsIn(pos, v, v) {
		if !yield(at, e) {
			return false
		}
	}
	return true
}

// spansIn returns the spans of {"resourceSpans":[{"resource","scopeSpans":[{"spans"}]}]}, or a span that has its
// resource in it. Any other value has none.
func spansIn(pos transcript.Pos, v jsontext.Value) (all []span) {
	if !transcript.Valid(v) {
		return nil
	}
	places := sources.Places{Pos: pos, Value: v}
	var whole sources.Object
	if whole.Read(v); spanID(&whole) != "" {
		s := newSpan(pos, v, &whole)
		s.resource = whole.Get("resource")
		s.resourceAt = places.Of(s.resource).Offset
		return []span{s}
	}
	for r := range transcript.Elements(transcript.Field(v, "resourceSpans")) {
		resource := transcript.Field(r, "resource")
		at := places.Of(resource).Offset
		for scope := range transcript.Elements(transcript.Field(r, "scopeSpans")) {
			for e := range transcript.Elements(transcript.Field(scope, "spans")) {
				var o sources.Object
				if o.Read(e); len(o) > 0 {
					all = append(all, newSpan(places.Of(e), e, &o))
					last := &all[len(all)-1]
					last.resource, last.resourceAt = resource, at
				}
			}
		}
	}
	return all
}

func newSpan(pos transcript.Pos, v jsontext.Value, o *sources.Object) span {
	s := span{
		pos: pos, value: v,
		id: spanID(o), parent: parentID(o), trace: traceID(o), start: startOf(o), end: endOf(o),
	}
	a := attributesOf(o)
	s.conversation = a.conversation()
	op := a.operation(o.Text("name"))
	s.isAgent = op == agent
	if op != chat {
		return s
	}
	s.used = a.usage() != (transcript.Usage{})
	s.told = a.told(o.Get("events"))
	return s
}

// inside returns the place of a byte of a span, for values that are not in the file: each value has its own place.
func (s *span) inside(at int) transcript.Pos {
	pos := s.pos
	pos.Line += bytes.Count(s.value[:at], []byte("\n"))
	pos.Offset += int64(at)
	return pos
}

// A visit is the beginning or the end of a span.
type visit struct {
	span  int // its index
	ended bool
}

// ordered returns the beginnings and ends of spans in the order of the conversation.
func ordered(spans []span) []visit {
	index := make(map[string]int, len(spans))
	for i, s := range spans {
		if _, ok := index[s.id]; !ok && s.id != "" {
			index[s.id] = i
		}
	}
	inside := make(map[int][]int) // the spans in each, and in no other: -1
	for i, s := range spans {
		parent, ok := index[s.parent]
		if !ok || parent == i {
			parent = -1
		}
		inside[parent] = append(inside[parent], i)
	}
	var all, stack []visit
	push := func(of []int) {
		slices.SortStableFunc(of, func(i, j int) int { // some clocks count milliseconds
			return cmp.Or(cmp.Compare(spans[i].start, spans[j].start), cmp.Compare(spans[i].end, spans[j].end))
		})
		for _, i := range slices.Backward(of) {
			stack = append(stack, visit{span: i})
		}
	}
	done := make([]bool, len(spans))
	push(inside[-1])
	for next := 0; ; {
		if len(stack) == 0 { // what is left are spans in each other
			for next < len(spans) && done[next] {
				next++
			}
			if next == len(spans) {
				return all
			}
			stack = append(stack, visit{span: next})
		}
		v := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if v.ended || !done[v.span] {
			all = append(all, v)
		}
		if !v.ended && !done[v.span] {
			done[v.span] = true
			stack = append(stack, visit{v.span, true})
			push(inside[v.span])
		}
	}
}

// A traceHead is what the first span of a trace does not tell.
type traceHead struct {
	used bool // requests have tokens, so those of agents are their sums
	told bool // requests have messages, so those of agents repeat them
}

func headsOf(spans []span) map[string]traceHead {
	heads := make(map[string]traceHead)
	for _, s := range spans {
		h := heads[s.trace]
		heads[s.trace] = traceHead{h.used || s.used, h.told || s.told}
	}
	return heads
}

// The members of a traceHead. Its resource is that of the span.
const (
	headResource = "resourceOfTrace"
	headUsed     = "requestsWithTokens"
	headTold     = "withMessages"
)

// endedAgent is the member of the value that ends an agent. It has the id of the span.
const endedAgent = "endedAgent"

func (h traceHead) value(resource jsontext.Value) jsontext.Value {
	return sources.Make(headResource, transcript.Or(resource, jsontext.Value("{}")), headUsed, h.used, headTold, h.told)
}
