package render

import (
	"bytes"
	"maps"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/normalize"
)

// A Memory is what is kept of the pages of a session that grows, so that those
// are not drawn again that would be the same. It holds as long as the records do
// that the pages were drawn of: more may follow them, and none may change.
type Memory struct {
	pages map[string]*memorized
	room  *stripRoom
}

// A memorized is what is kept of a page.
type memorized struct {
	signature
	marks   []mark // of the messages that it may mark, in the order in which sign lists them
	marked  []bool // which of these have one
	touched []touch
	asked   *asked
}

// Recall gives the pages of an earlier drawing to compare with; m is nil when there are none.
func (b *Book) Recall(m *Memory) {
	b.b.memory, b.b.room = m, new(stripRoom)
	if m != nil {
		b.b.room = m.room
	}
}

// Same says that page i is the one that was drawn before, and takes over what
// is known of it: it need not be drawn. Others may be asked for at the same
// time. The first page, which tells of all others, is never the same.
func (b *Book) Same(i int) bool {
	if i == 0 || b.b.memory == nil {
		return false
	}
	old := b.b.memory.pages[b.b.jobs[i].name]
	if old == nil || !old.asked.holds(b.b.d) {
		return false
	}
	t := &b.b.drawn[i]
	if b.sign(i); old.signature != t.signature {
		return false
	}
	t.touched, t.asked, t.marks = old.touched, old.asked, make(map[*normalize.Message]mark, len(old.marks))
	for at, message := range t.signed {
		if old.marked[at] {
			t.marks[message] = old.marks[at]
		}
	}
	return true
}

// Name is the name of page i.
func (b *Book) Name(i int) string { return b.b.jobs[i].name }

// Memory is what to keep of all pages, when they are drawn.
func (b *Book) Memory() *Memory {
	m := &Memory{pages: make(map[string]*memorized, len(b.b.jobs)), room: b.b.room}
	for i, j := range b.b.jobs {
		if i == 0 {
			continue
		}
		b.sign(i)
		t := &b.b.drawn[i]
		n := len(t.signed)
		page := &memorized{
			signature: t.signature, marks: make([]mark, n), marked: make([]bool, n), touched: t.touched, asked: t.asked,
		}
		known := 0
		for at, message := range t.signed {
			if how, marked := t.marks[message]; marked {
				page.marks[at], page.marked[at] = how, true
				known++
			}
		}
		if known == len(t.marks) { // else something was drawn that the walk does not know
			m.pages[j.name] = page
		}
	}
	return m
}

// gather puts the marks of all pages but the first together.
func (b *book) gather() map[*normalize.Message]mark {
	all := make(map[*normalize.Message]mark)
	for i := range b.drawn {
		if i > 0 {
			maps.Copy(all, b.drawn[i].marks)
		}
	}
	return all
}

func (b *Book) sign(i int) {
	if t := &b.b.drawn[i]; t.signed == nil {
		t.signature, t.signed = b.b.sign(&b.b.jobs[i])
	}
}

// asked is what the drawing of a page has looked up of the session, with what
// it was told.
type asked struct {
	pages, calls map[string]string
	spilled      map[string][]byte
	workflows    map[string]jsontext.Value
}

func newAsked() *asked {
	return &asked{make(map[string]string), make(map[string]string), make(map[string][]byte), make(map[string]jsontext.Value)}
}

// holds says that a drawing would be told the same.
func (a *asked) holds(d *drawer) bool {
	for anchor, page := range a.pages {
		if d.pages[anchor] != page {
			return false
		}
	}
	for id, anchor := range a.calls {
		if d.calls[id] != anchor {
			return false
		}
	}
	for name, data := range a.spilled {
		if now, ok := d.spilled[name]; ok != (data != nil) || !bytes.Equal(now, data) {
			return false
		}
	}
	for run, data := range a.workflows {
		if now, ok := d.workflows[run]; ok != (data != nil) || !bytes.Equal(now, data) {
			return false
		}
	}
	return true
}

// pageOf is the page on which an anchor stands, "" when it is on none.
func (d *drawer) pageOf(anchor string) string {
	page := d.pages[anchor]
	if d.asked != nil {
		d.asked.pages[anchor] = page
	}
	return page
}

// callOf is the anchor of a call, "" when it is not there.
func (d *drawer) callOf(id string) string {
	anchor := d.calls[id]
	if d.asked != nil {
		d.asked.calls[id] = anchor
	}
	return anchor
}

// spill is a long output that lies beside the session.
func (d *drawer) spill(name string) ([]byte, bool) {
	data, ok := d.spilled[name]
	if d.asked != nil && name != "" {
		d.asked.spilled[name] = data
	}
	return data, ok
}

// workflow is what is known of a finished workflow run.
func (d *drawer) workflow(run string) (jsontext.Value, bool) {
	data, ok := d.workflows[run]
	if d.asked != nil && run != "" {
		d.asked.workflows[run] = data
	}
	return data, ok
}
