package render

import (
	"cmp"
	"html"
	"html/template"
	"strconv"
	"strings"

	"viewer/normalize"
	"viewer/render/page"
)

// notification draws the report of a background task.
func (d *drawer) notification(m *normalize.Message) template.HTML {
	d.drawn(m)
	l := line{Icon: "bell", Text: oneLine(m.Text, 200), Level: atTools}
	var body []template.HTML
	for _, t := range m.Tags {
		status := t.Element("status")
		if s := t.Element("summary"); s != "" {
			l.Text = oneLine(html.UnescapeString(s), 200)
		} else if status != "" {
			l.Text = "background task " + status
		}
		if status == "failed" || status == "killed" {
			l.Look = "err"
			if !strings.Contains(l.Text, status) {
				l.Facts = append(l.Facts, page.Fact{Text: status, Look: "bad"})
			}
		}
		if r := t.Element("result"); r != "" {
			body = append(body, page.Execute("partial/prose", proseView{"", atChat, false, d.answerText(r, m.Anchor)}))
		} else if e := t.Element("event"); e != "" {
			body = append(body, page.Execute("partial/output", d.terminal(e)))
		}
		var rows []field
		for _, name := range []string{"note", "output-file"} {
			if s := t.Element(name); s != "" {
				rows = append(rows, d.said(strings.ReplaceAll(name, "-", " "), s))
			}
		}
		body = append(body, page.Execute("partial/fields", rows), page.Execute("partial/output", d.plain(unread(t))),
			d.toCall(t.Element("tool-use-id")))
		usage := normalize.Tag{Body: t.Element("usage")}
		for _, u := range []struct{ name, one, many string }{{"total_tokens", "token", "tokens"},
			{"tool_uses", "call", "calls"}} {
			if n, err := strconv.Atoi(usage.Element(u.name)); err == nil && n > 0 {
				l.Facts = append(l.Facts, page.Fact{Text: plural(n, u.one, u.many)})
			}
		}
		if ms, err := strconv.Atoi(usage.Element("duration_ms")); err == nil {
			l.Facts = append(l.Facts, page.Facts(millis(float64(ms)))...)
		}
	}
	l.Text = cmp.Or(l.Text, "Report from the background")
	if m.Text != "" && len(m.Tags) > 0 {
		body = append(body, page.Execute("partial/output", d.plain(m.Text)))
	}
	return d.note(m, l, join(body...))
}

// unread returns the elements of a notification that its drawing does not use.
func unread(t normalize.Tag) string {
	s := t.Body
	for _, name := range []string{"task-id", "tool-use-id", "status", "summary", "result", "event", "usage", "note",
		"output-file"} {
		before, after, ok := strings.Cut(s, "<"+name+">")
		if _, after, closed := strings.Cut(after, "</"+name+">"); ok && closed {
			s = strings.TrimRight(before, "\n") + after
		}
	}
	return s
}
