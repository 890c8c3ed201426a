package render

import (
	"cmp"
	"html/template"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/transcript"
	"viewer/normalize"
)

// repeats returns the kind of lines that are drawn as one if they follow each other: "api_error" for a retried request,
// "idle" for teammates that have nothing to do, "" for other items.
func repeats(item normalize.Item) string {
	m, ok := item.(*normalize.Message)
	switch {
	case !ok:
	case m.Kind == normalize.System && (m.Name == "api_error" || m.Name == "api_retry"):
		return "api_error"
	case m.Kind == normalize.Teammate && m.Text == "" && len(m.Tags) > 0 && idle(m) == len(m.Tags):
		return "idle"
	}
	return ""
}

// idle counts the notices of idle teammates in a message.
func idle(m *normalize.Message) int {
	n := 0
	for _, t := range m.Tags {
		if jsonType(t.Body) == "idle_notification" {
			n++
		}
	}
	return n
}

// jsonType returns the member "type" of a text that is a JSON object.
func jsonType(s string) string {
	if s = strings.TrimSpace(s); !strings.HasPrefix(s, "{") {
		return ""
	}
	return transcript.String(transcript.Field(jsontext.Value(s), "type"))
}

// repeatedRun counts the items up to the last line of the same kind as the first. Items between them are only shown at
// the level Everything. It returns 0 for fewer than two lines.
func repeatedRun(items []normalize.Item) int {
	kind := repeats(items[0])
	if kind == "" {
		return 0
	}
	n := 1
	for i := 1; i < len(items); {
		if repeats(items[i]) == kind {
			i++
			n = i
			continue
		}
		quiet := quietRun(items[i:])
		if quiet == 0 {
			break
		}
		i += quiet
	}
	if n == 1 {
		return 0
	}
	return n
}

// repeated draws such lines as one, which unfolds them. They are drawn separately if one of them does not fit on the
// page.
func (d *drawer) repeated(items []normalize.Item) []template.HTML {
	all := make([]template.HTML, len(items))
	fits := true
	var alike []*normalize.Message
	for i, item := range items {
		m := item.(*normalize.Message)
		if repeats(m) != "" {
			alike = append(alike, m)
		}
		var ok bool
		all[i], ok = d.itemWithinQuota(m, func() template.HTML {
			if repeats(m) == "idle" {
				return d.sentLine(m) + join(d.tags(m, m.Anchor)...)
			}
			return d.sentLine(m) + d.message(m)
		})
		fits = fits && ok
	}
	if !fits {
		return all
	}
	l := d.idleLine(alike)
	if alike[0].Kind == normalize.System {
		l = errorsLine(alike)
	}
	return []template.HTML{d.line(lineView{l, "", join(all...)})}
}

// errorsLine sums up retried requests: "4 × API error 529 · retry 4 of 10 · Overloaded".
func errorsLine(all []*normalize.Message) line {
	var codes []string
	said := make(map[string]bool)
	last := ""
	var in struct {
		Error                             jsontext.Value
		ErrorStatus                       text // of the stream, as the next
		RetryAttempt, Attempt, MaxRetries number
	}
	for _, m := range all {
		if decode(m.Record.Raw, &in) != nil {
			continue
		}
		if s := cmp.Or(errorStatus(in.Error), oneLine(string(in.ErrorStatus), 20)); s != "" && !said[s] &&
			len(codes) < 5 {
			said[s] = true
			codes = append(codes, s)
		}
		if s := errorMessage(in.Error); s != "" {
			last = dot + oneLine(s, 100)
		}
	}
	text := count(len(all)) + " × API error"
	if len(codes) > 0 {
		text += " " + strings.Join(codes, ", ")
	}
	if in.RetryAttempt = cmp.Or(in.RetryAttempt, in.Attempt); in.RetryAttempt > 0 {
		text += dot + "retry " + count(int(in.RetryAttempt))
		if in.MaxRetries > 0 {
			text += " of " + count(int(in.MaxRetries))
		}
	}
	return line{Text: text + last, Look: "rule", Level: atTools}
}

// idleLine sums up notices of idle teammates.
func (d *drawer) idleLine(all []*normalize.Message) line {
	n := 0
	var names []string
	said := make(map[string]bool)
	for _, m := range all {
		n += len(m.Tags)
		for _, t := range m.Tags {
			if t.From != "" && !said[t.From] {
				said[t.From] = true
				names = append(names, oneLine(t.From, 60))
			}
		}
	}
	return line{Icon: "message", Text: oneLine(count(n)+" × idle notification"+dot+strings.Join(names, ", "), 200),
		Look: "note", Level: atChat}
}
