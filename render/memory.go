package render

import (
	"bytes"
	"maps"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/normalize"
	"viewer/stats"
)

// A Memory is what is kept of the pages of a session that grows, so that those
// are not drawn again that would be the same. It holds as long as the records do
// that the pages were drawn of: more may follow them, and none may change.
type Memory struct {
	pages map[string]*memorized

	// Of a conversation that was gone on with (see normalize.Growing) more holds:
	// its messages are the same ones.
	conversation *normalize.Conversation
	times        int // that it had been gone on with
	common       common
	marks        map[*normalize.Message]mark // of all pages but the first
	room         *stripRoom
	tally        *stats.Tally
	calls        map[string]string
	layout       layout
}

// A memorized is what is kept of a page.
type memorized struct {
	signature
	signed  []*normalize.Message
	marks   []mark // of these, in their order
	marked  []bool // which of these have one
	last    bool   // the page was the last of its conversation
	touched []touch
	asked   *asked
}

// common is what all pages tell of a session.
type common struct {
	title, generator, cwd string
	project               Project
	prices                stats.Prices
	several, whole        bool
}

func (b *book) common() common {
	return common{b.title, b.Generator, b.d.cwd, b.Project, b.Prices, len(b.jobs) > 1, b.whole}
}

func (t common) is(other common) bool {
	return t.prices.Equal(other.prices) && t.title == other.title && t.generator == other.generator && t.cwd == other.cwd && t.project == other.project &&
		t.several == other.several && t.whole == other.whole
}

// recall gives the pages of an earlier drawing to compare with.
func (b *Book) recall(m *Memory) {
	c := b.b.Conversation
	b.b.memory, b.b.room = m, new(stripRoom)
	if m != nil {
		b.b.room = m.room
	}
	b.b.goneOn = m != nil && m.conversation == c && m.times+1 == c.Grown.Times && m.common.is(b.b.common())
}

// TextSame says that what page i says is what it said when it was drawn before,
// spilled outputs aside, even where the page itself tells of others that changed.
func (b *Book) TextSame(i int) bool {
	j := &b.b.jobs[i]
	leaves := j.leaves[j.index]
	return b.b.goneOn && j.inner == nil && len(leaves) > 0 && leaves[len(leaves)-1].turn.Index < b.b.Conversation.Grown.Turns
}

// untouched says that a page is the same without a look at its messages: all that
// stands on it is of turns that are as they were.
func (b *book) untouched(j *job, old *memorized) bool {
	if !b.goneOn || old.last != (j.index == j.last) {
		return false
	}
	if j.conversation != b.Conversation {
		return true // an attempt that was taken back: no session with agents is gone on with
	}
	leaves := j.leaves[j.index]
	return len(leaves) > 0 && leaves[len(leaves)-1].turn.Index < b.Conversation.Grown.Turns
}

// Same says that page i is the one that was drawn before, and takes over what
// is known of it: it need not be drawn. Others may be asked for at the same
// time. The first page, which tells of all others, is never the same.
func (b *Book) Same(i int) bool {
	if i == 0 || b.b.memory == nil {
		return false
	}
	j, t := &b.b.jobs[i], &b.b.drawn[i]
	old := b.b.memory.pages[j.name]
	if old == nil || !old.asked.holds(b.b.d) {
		return false
	}
	if b.b.untouched(j, old) {
		t.touched, t.asked, t.kept = old.touched, old.asked, old
		return true
	}
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
	c := b.b.Conversation
	m := &Memory{pages: make(map[string]*memorized, len(b.b.jobs)), conversation: c, times: c.Grown.Times, common: b.b.common(), marks: b.b.marks, room: b.b.room,
		tally: b.b.d.tally, calls: b.b.d.calls, layout: b.b.layout}
	m.layout.places, m.layout.inners, m.layout.taken = b.b.d.pages, b.b.d.inners, b.b.d.taken
	for i, j := range b.b.jobs {
		if i == 0 {
			continue
		}
		t := &b.b.drawn[i]
		if t.kept != nil {
			m.pages[j.name] = t.kept
			continue
		}
		b.sign(i)
		n := len(t.signed)
		page := &memorized{
			signature: t.signature, signed: t.signed, marks: make([]mark, n), marked: make([]bool, n), last: j.index == j.last,
			touched: t.touched, asked: t.asked,
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
		} else {
			m.conversation = nil
		}
	}
	return m
}

// gather puts the marks of all pages but the first together.
func (b *book) gather() map[*normalize.Message]mark {
	all := make(map[*normalize.Message]mark)
	if b.goneOn {
		all = b.memory.marks
		for i, j := range b.jobs {
			if old := b.memory.pages[j.name]; i > 0 && old != nil && b.drawn[i].kept == nil {
				for _, m := range old.signed {
					delete(all, m)
				}
			}
		}
	}
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
