package render

import (
	"cmp"
	"html/template"
	"strings"

	"viewer/internal/markup"
	"viewer/normalize"
	"viewer/render/page"
)

// teammateView is one message of another agent of the team.
type teammateView struct {
	ID    string
	Name  string
	Tone  string // colour of the teammate on the page, "" for the default
	Title string
	When  page.Stamp
	Text  *passage
	Code  *output // of a message in JSON
}

// tones are the colours of the page for those that the program gives to teammates. The name identifies a teammate; the
// colour only repeats it.
var tones = map[string]string{
	"red": "red", "pink": "red", "green": "green", "blue": "blue", "cyan": "blue", "purple": "violet",
}

func (d *drawer) teammate(m *normalize.Message) template.HTML {
	if n := len(m.Tags); n > 1 && repeats(m) == "idle" {
		return d.line(lineView{d.idleLine([]*normalize.Message{m}), m.Anchor, join(d.tags(m, "")...)})
	}
	return join(d.tags(m, m.Anchor)...)
}

// tags draws each of the messages in a message. The first one has the anchor.
func (d *drawer) tags(m *normalize.Message, anchor string) []template.HTML {
	d.drawn(m)
	d.show(atChat)
	var all []template.HTML
	for i, t := range m.Tags {
		v := teammateView{Name: oneLine(t.From, 60), Tone: tones[t.Attr("color")], Title: t.Attr("summary"),
			When: page.Clock(m.Time())}
		v.Name = cmp.Or(v.Name, "teammate")
		if i == 0 {
			v.ID = anchor
		}
		body := strings.TrimSpace(t.Body)
		if strings.HasPrefix(body, "{") {
			v.Code = d.anyText(body)
			if kind := jsonType(body); kind != "" {
				v.Title = oneLine(strings.ReplaceAll(kind, "_", " "), 60)
			}
		} else {
			v.Text = d.passage(body, m.Anchor)
		}
		all = append(all, page.Execute("partial/teammate", v))
	}
	switch {
	case m.Text == "":
	case m.Name == "cross-session-message": // a remark of the program to the model about it
		l := line{Icon: "message", Text: markup.Excerpt(m.Text, 100), Look: "note", Level: atEverything}
		var body template.HTML
		if l.Text != strings.TrimSpace(m.Text) {
			body = page.Execute("partial/prose", proseView{"", atChat, false, d.answerText(m.Text, m.Anchor)})
		}
		all = append(all, d.line(lineView{l, "", body}))
	default:
		all = append(all, page.Execute("partial/prose", proseView{"", atChat, false, d.answerText(m.Text, m.Anchor)}))
	}
	return all
}
