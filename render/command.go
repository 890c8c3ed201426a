package render

import (
	"html/template"
	"strings"

	"viewer/internal/markup"
	"viewer/normalize"
	"viewer/render/page"
)

// commandView is a slash command or a line of bash mode.
type commandView struct {
	ID   string
	Name string
	Args string
	Rest template.HTML // of arguments that do not fit on the line
	When page.Stamp
}

func (d *drawer) command(m *normalize.Message) template.HTML {
	d.drawn(m)
	d.show(always)
	v := commandView{ID: m.Anchor, Name: m.Name, Args: oneLine(m.Text, 200), When: page.Clock(m.Time())}
	if m.Kind == normalize.Shell {
		v.Name = "!"
	}
	if strings.TrimSpace(m.Text) != v.Args {
		v.Rest = page.Execute("partial/output", d.plain(m.Text))
	}
	return page.Execute("partial/command", v)
}

func (d *drawer) commandOutput(m *normalize.Message) template.HTML {
	d.drawn(m)
	text := strings.TrimSpace(m.Text)
	l := line{Icon: "term", Text: "no output", Level: atTools}
	var body template.HTML
	if text != "" {
		l.Text = "output" + dot + plural(markup.Lines(text), "line", "lines")
		if markup.Lines(text) == 1 {
			l.Text = oneLine(stripANSI(text), 200)
		}
		if l.Text != text {
			body = page.Execute("partial/output", d.terminal(text))
		}
	}
	for _, t := range m.Tags {
		if strings.HasSuffix(t.Name, "stderr") && strings.TrimSpace(t.Body) != "" {
			l.Look = "err"
		}
	}
	return d.note(m, l, body)
}
