package render

import (
	"cmp"
	"html/template"
	"reflect"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/transcript"
	"viewer/normalize"
	"viewer/render/page"
)

// An event is a system record or an attachment to draw.
type event struct {
	*normalize.Message
	d    *drawer
	read *reading // of a system record: the members that are already drawn
}

func newEvent(m *normalize.Message, d *drawer) event {
	e := event{m, d, nil}
	if m.Kind == normalize.System {
		e.read = new(reading)
	}
	return e
}

// decode fills a struct from the block, the attachment, or the record.
func (e event) decode(to any) error {
	if e.read != nil {
		e.read.types = append(e.read.types, reflect.TypeOf(to).Elem())
	}
	if e.Block != nil {
		return decode(e.Block.Raw, to)
	}
	if a := e.Record.Attachment; a != nil {
		return decode(a.Raw, to)
	}
	return decode(e.Record.Raw, to)
}

// A line is the closed form of an event. The view of a system record or an attachment embeds it. Its template draws the
// body that unfolds, which may be empty.
type line struct {
	Icon  string
	Name  string // in code, before the text: a command, an unknown kind
	Text  string
	Level level
	Look  string // note (left border), rule (centred), head (a heading, which has no body), loud, err
	Facts []page.Fact
	Open  bool
}

func (l line) closed() line { return l }

type lined interface{ closed() line }

type lineView struct {
	line
	ID   string
	Body template.HTML
}

// line draws an event in its frame.
func (d *drawer) line(v lineView) template.HTML {
	if v.Name == "" && strings.TrimSpace(v.Text) == "" { // nothing to click on
		v.Text = "no words"
	}
	d.show(v.Level)
	return page.Execute("partial/line", v)
}

// event draws a system record or an attachment: by its drawing, or generically.
func (d *drawer) event(m *normalize.Message, r *registry[event]) template.HTML {
	if known := r.byName[m.Name]; known != nil {
		used := d.quota.textBytes
		e := newEvent(m, d)
		v, body, err := known.draw(e)
		if err == nil {
			body += page.Execute("partial/fields", e.unread())
		}
		if err == nil && len(body) > maxBodyHTML { // lists of thousands
			d.quota.textBytes = used
			body = d.json(rawOf(m))
		}
		if err == nil {
			d.drawn(m)
			return d.line(lineView{v.(lined).closed(), m.Anchor, body})
		}
	}
	return d.unknown(m, r.kind+" "+m.Name)
}

// unknown draws a record or a block of unknown kind: its name, and all of it as folded JSON.
func (d *drawer) unknown(m *normalize.Message, kind string) template.HTML {
	d.drawnGenerically(kind, m)
	name := cmp.Or(m.Name, m.Record.Type, "record without type")
	return d.line(lineView{
		line{Icon: "question", Name: oneLine(name, 60), Text: "not known to this version", Level: atEverything, Look: "note"},
		m.Anchor, d.json(rawOf(m)),
	})
}

// rawOf returns the JSON of a message in the log.
func rawOf(m *normalize.Message) jsontext.Value {
	switch {
	case m.Block != nil:
		return m.Block.Raw
	case m.Record.Attachment != nil:
		return m.Record.Attachment.Raw
	}
	return m.Record.Raw
}

// json draws a value as indented JSON.
func (p *pageState) json(v jsontext.Value) template.HTML {
	return page.Execute("partial/output", p.code(transcript.Pretty(v), "json"))
}
