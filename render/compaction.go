package render

import (
	"html/template"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/transcript"
	"viewer/internal/words"
	"viewer/normalize"
	"viewer/render/page"
)

// summary draws the summary of a compacted conversation.
func (d *drawer) summary(m *normalize.Message) template.HTML {
	d.drawn(m)
	l := line{Icon: "compact", Text: "Summary that replaces what was said before", Level: atTools,
		Facts: page.Facts(plural(words.In(m.Text), "word", "words"))}
	prose := proseView{Level: atChat, HTML: d.markdown(m.Text, m.Anchor)}
	return d.note(m, l, d.summarized(m)+page.Execute("partial/prose", prose))
}

// summarized lists facts of a record about what was summarized.
func (d *drawer) summarized(m *normalize.Message) template.HTML {
	meta := m.Member("summarizeMetadata")
	member := func(name string) jsontext.Value { return transcript.Field(meta, name) }
	rows := d.members(member, []word{{"messagesSummarized", "messages summarized"}, {"userContext", "asked for"},
		{"direction", "direction"}})
	var rest []byte
	for name, value := range transcript.QuotedMembers(meta) {
		switch transcript.String(name) {
		case "messagesSummarized", "userContext", "direction":
		default:
			rest = appendMember(rest, name, value)
		}
	}
	return page.Execute("partial/fields", append(rows, d.fields(rest)...))
}

// compaction draws a line where the context was compacted, which unfolds the summary that replaced earlier messages.
func (d *drawer) compaction(boundary, summary *normalize.Message) template.HTML {
	known := systems.byName[boundary.Name]
	e := newEvent(boundary, d)
	v, body, err := known.draw(e)
	if err != nil {
		return d.message(boundary) + d.message(summary)
	}
	d.drawn(boundary, summary)
	l := v.(lined).closed()
	l.Text += dot + "summary of " + plural(words.In(summary.Text), "word", "words")
	body += page.Execute("partial/fields", e.unread()) + d.summarized(summary) +
		page.Execute("partial/anchored",
			proseView{summary.Anchor, atChat, false, d.markdown(summary.Text, summary.Anchor)})
	return d.line(lineView{l, boundary.Anchor, body})
}
