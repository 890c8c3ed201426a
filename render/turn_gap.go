package render

import (
	"html/template"

	"viewer/normalize"
	"viewer/render/page"
	"viewer/render/strip"
)

// gap draws the pause before a message, and the day if it differs from the last one on the page. Times in a file may go
// backwards, which is ignored.
func (d *drawer) gap(m *normalize.Message) template.HTML {
	at := m.Time()
	if at.IsZero() || m.Kind != normalize.Text && m.Kind != normalize.Call && m.Kind != normalize.Prompt &&
		m.Kind != normalize.Thinking && m.Kind != normalize.Command {
		return ""
	}
	before := d.clock
	if at.After(before) {
		d.clock = at
	}
	v := gapView{Level: atTools}
	if !before.IsZero() && at.Sub(before) >= strip.LongPause {
		v.Text = span(at.Sub(before)) + " later"
	}
	if today := dayOf(at); today.After(d.day) {
		d.day = today
		v.Day = page.Day(at)
	}
	switch {
	case v.Text == "" && v.Day.ISO == "":
		return ""
	case v.Day.ISO != "", !m.Queued && (m.Kind == normalize.Prompt || m.Kind == normalize.Command):
		v.Level = always
	}
	d.show(v.Level)
	return page.Execute("partial/gap", v)
}

type gapView struct {
	Text  string
	Day   page.Stamp
	Level level
}
