package otlp

import (
	"strconv"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// Spans have the names of the protocol, or those that exporters of languages use: that of Python writes
// {"context":{"trace_id","span_id"},"parent_id","start_time"}, those of JavaScript, as in Copilot CLI and VS Code,
// {"traceId","spanId","parentSpanId","startTime":[seconds,nanoseconds]}.

// spanID returns the id of a span, "" for any other object. Log records name the span that they are from.
func spanID(o *sources.Object) string {
	if o.Get("body") != nil || o.Get("hrTime") != nil {
		return ""
	}
	return idOf(o, "spanId", "span_id")
}

func traceID(o *sources.Object) string { return idOf(o, "traceId", "trace_id") }

// parentID returns the id of the span that a span is in, "" for none.
func parentID(o *sources.Object) string {
	if id := o.Text("parentSpanId", "parent_span_id", "parent_id"); id != "" {
		return id
	}
	return transcript.String(transcript.Field(o.Get("parentSpanContext"), "spanId"))
}

// idOf returns an id of a span or of its context.
func idOf(o *sources.Object, names ...string) string {
	if id := o.Text(names...); id != "" {
		return id
	}
	var context sources.Object
	context.Read(o.Get("context", "spanContext"))
	return context.Text(names...)
}

func startOf(o *sources.Object) int64 {
	return nanoseconds(o.Get("startTimeUnixNano"), o.Get("startTime", "start_time"))
}

func endOf(o *sources.Object) int64 {
	return nanoseconds(o.Get("endTimeUnixNano"), o.Get("endTime", "end_time"))
}

// nanoseconds returns a time as nanoseconds since 1970, 0 if it is unknown. number is that many of them, also in a
// string. other is [seconds,nanoseconds], nanoseconds, milliseconds, or a text such as 2026-06-01T08:00:00Z.
func nanoseconds(number, other jsontext.Value) int64 {
	if n, err := strconv.ParseInt(transcript.TextOf(number), 10, 64); err == nil {
		return n
	}
	var list []int64
	for e := range transcript.Elements(other) {
		list = append(list, sources.Number(e))
	}
	if len(list) == 2 {
		return time.Unix(list[0], list[1]).UnixNano()
	}
	if n, err := strconv.ParseInt(string(other), 10, 64); err == nil && n > leastNanoseconds {
		return n
	}
	if at, ok := sources.TimeOf(other); ok {
		return at.UnixNano()
	}
	return 0
}

// leastNanoseconds is more than any number of milliseconds since 1970. As nanoseconds, it is in 1973.
const leastNanoseconds = 1e17

// timeOf returns the time of a number of nanoseconds since 1970, or the zero time.
func timeOf(n int64) time.Time {
	if n <= 0 {
		return time.Time{}
	}
	return time.Unix(0, n).UTC()
}
