package render

import (
	"fmt"
	"slices"

	"viewer/normalize"
	"viewer/transcript"
)

// A page holds about so much HTML. It ends before the prompt at which it is
// full, or, in the middle of a turn, before the message at which it is more
// than full.
const (
	pageFull     = 300 << 10
	pageOverflow = 380 << 10
)

// A leaf is the part of a turn that stands on one page.
type leaf struct {
	turn        *normalize.Turn
	items       []normalize.Item
	first, last bool // it holds the start, the end of the turn
	number      int  // of its prompt, from 1; 0 when it has none
}

// A pager deals the turns of a conversation onto pages. Where a page ends is
// a function of the records up to that place, in file order and by their own
// sizes: an append never moves an earlier end, and a late result changes only
// the page of its call.
type pager struct {
	pageOf map[*normalize.Message]int
	weight int // of the last page
	page   int
	pages  [][]leaf
	gaps   bool // there were pages on which nothing stands
}

func paginate(c *normalize.Conversation) [][]leaf { return newPager(c).pages }

func newPager(c *normalize.Conversation) *pager {
	p := &pager{pageOf: make(map[*normalize.Message]int, len(c.Order))}
	p.weigh(c.Order)
	p.deal(c, 0)
	return p
}

// weigh says on which pages more messages stand.
func (p *pager) weigh(messages []*normalize.Message) {
	for _, m := range messages {
		w := weigh(m)
		canEnd := m.Part == 0 && m.Rule == ""
		starts := canEnd && (m.Kind == normalize.Prompt && !m.Queued || m.Kind == normalize.Command)
		inside := canEnd && m.Kind != normalize.Result && m.Kind != normalize.Hook && m.Kind != normalize.Injected
		anywhere := p.weight+w > 2*pageOverflow // thousands of hooks or parts of one record
		if starts && p.weight > pageFull || (starts || inside) && p.weight+w > pageOverflow && p.weight > 0 || anywhere && p.weight > 0 {
			p.page++
			p.weight = 0
		}
		p.weight += w
		p.pageOf[m] = p.page
	}
}

// deal deals the turns from one on, where those before have been dealt.
func (p *pager) deal(c *normalize.Conversation, from int) {
	pages := append(p.pages, make([][]leaf, p.page+1-len(p.pages))...)
	number := 0
	for _, t := range c.Turns[:from] {
		if t.Asked() {
			number++
		}
	}
	for _, t := range c.Turns[from:] {
		if t.Asked() {
			number++
		}
		at := p.pageOf[t.Head()]
		l := leaf{turn: t, first: true}
		if t.Asked() {
			l.number = number
		}
		for _, item := range t.Items {
			if p := p.pageOf[itemHead(item)]; p != at {
				pages[at] = append(pages[at], l)
				l, at = leaf{turn: t}, p
			}
			l.items = append(l.items, item)
		}
		l.last = true
		if len(t.Prompt) > 0 || len(t.Items) > 0 {
			pages[at] = append(pages[at], l)
		}
	}
	// A long attempt that was taken back leaves pages on which nothing stands. Nothing that stays has
	// followed it, so that no other page gets a new name.
	n := len(pages)
	pages = slices.DeleteFunc(pages, func(p []leaf) bool { return len(p) == 0 })
	p.gaps = len(pages) < n
	if len(pages) == 0 {
		pages = make([][]leaf, 1)
	}
	p.pages = pages
}

// more deals the turns of a conversation that was gone on with, and gives the
// first page that may not be as it was. False says that there is no telling.
func (p *pager) more(c *normalize.Conversation) (first int, ok bool) {
	from := c.Grown.Turns
	if p.gaps || from >= len(c.Turns) {
		return 0, false
	}
	p.weigh(c.Order[len(p.pageOf):])
	first = p.pageOf[c.Turns[from].Messages[0]]
	if first < len(p.pages) {
		kept := p.pages[first]
		for len(kept) > 0 && kept[len(kept)-1].turn.Index >= from {
			kept = kept[:len(kept)-1]
		}
		p.pages = append(p.pages[:first:first], slices.Clip(kept))
	}
	p.deal(c, from)
	return first, !p.gaps
}

func itemHead(item normalize.Item) *normalize.Message {
	switch it := item.(type) {
	case *normalize.Group:
		return it.Head()
	case *normalize.Branch:
		return it.Head()
	case *normalize.Message:
		return it
	}
	return nil
}

// weigh guesses the bytes of HTML that a message becomes, from nothing but its
// own record.
func weigh(m *normalize.Message) int {
	if m.Rule != "" {
		return 0
	}
	const frame = 450
	switch m.Kind {
	case normalize.Call:
		return frame + 2*min(len(m.Block.Input), longest)
	case normalize.Result:
		w := frame
		for _, b := range m.Block.Content {
			w += min(len(b.Text), longest) * 3 / 2
			if b.Type != "text" && b.Type != "image" && b.Type != "document" {
				w += min(len(b.Raw), longest)
			}
		}
		return w
	case normalize.System, normalize.Attachment, normalize.Hook, normalize.Unknown:
		return frame + min(len(m.Record.Raw), longest)
	}
	return frame + min(len(m.Text), longest)*3/2
}

// pageName names page i, from 0: of the session itself (nil), or of a
// conversation inside it.
func pageName(in *inner, i int) string {
	switch {
	case in == nil && i == 0:
		return "index.html"
	case in == nil:
		return fmt.Sprintf("%d.html", i+1)
	case i == 0:
		return in.folder + "/" + in.name + ".html"
	}
	return fmt.Sprintf("%s/%s-%d.html", in.folder, in.name, i+1)
}

// What stands inside a page at the place that it hangs on: one conversation,
// and all of a page together.
const (
	innerFull  = 24 << 10
	innersFull = 120 << 10
)

// What is small has a page of its own where there is no room on the one it hangs on:
// so many of a session. Of agents that no call started so many are drawn.
const (
	mostOwn   = 500
	mostLoose = 1000
)

// bulk guesses the bytes of HTML that a conversation becomes.
func bulk(c *normalize.Conversation) int {
	w := 0
	for _, m := range c.Order {
		w += weigh(m)
	}
	return w
}

// files lists the files of a session, the main one first.
func (s Session) files() []*transcript.File {
	all := []*transcript.File{s.Main}
	for _, a := range s.Agents {
		all = append(all, a.File)
	}
	return all
}
