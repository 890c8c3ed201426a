package render

import (
	"html/template"
	"slices"

	"viewer/normalize"
	"viewer/render/page"
)

// What remains of a page besides texts is frames: a call of ten thousand hooks, a list of as many things to do. A body
// that is too large is drawn as that of a tool which nobody knows, as fields; an item that is still too large, and all
// that follows when the page is full, is in a file next to the page, as it is in the log. Nothing is lost, and no
// page is too large to be opened.
const (
	maxBodyHTML = 256 << 10 // bytes of HTML of a drawing's body
	maxItemHTML = 320 << 10 // of an item of a turn
	maxTurnHTML = 480 << 10 // of all turns of a page
	maxAlike    = 200       // hooks, pictures and the like of one record
	maxParts    = 5000      // contexts and messages in one text: each is a hundred bytes of HTML and more
)

// tooMuch is the name in the ledger of records that are kept in a file.
const tooMuch = "too much for its page"

// full reports whether nothing more goes onto the page.
func (q *quota) full() bool { return !q.unlimited && q.turnBytes > maxTurnHTML-4<<10 }

// contents are messages, and the anchors that stand in the drawing of them.
type contents struct {
	messages []*normalize.Message
	anchors  []string
}

// withinQuota draws something of a turn, if it fits into the quota of the page.
func (d *drawer) withinQuota(what func() contents, draw func() template.HTML) (html template.HTML, ok bool) {
	if d.depth > 0 { // part of an item that is looked at as a whole
		return draw(), true
	}
	if !d.quota.full() {
		html := draw()
		if n := len(html); n <= maxItemHTML && (d.quota.unlimited || d.quota.turnBytes+n <= maxTurnHTML) {
			d.quota.turnBytes += n
			return html, true
		}
	}
	return d.overflow(what()), false
}

// exceedsParts reports whether a message holds so many things that they cannot fit into the
// quota of a page, whatever their drawing takes.
func exceedsParts(m *normalize.Message) bool { return len(m.Contexts)+len(m.Tags) > maxParts }

// overflow leaves something out of the page, but for its anchors: its records go into a file.
func (p *pageState) overflow(c contents) template.HTML {
	p.quota.overflow = append(p.quota.overflow, c.messages...)
	p.unnote(c.anchors)
	html := page.Execute("partial/anchors", c.anchors)
	p.quota.turnBytes += len(html)
	return html
}

// messagesWithinQuota is place for messages.
func (d *drawer) messagesWithinQuota(messages []*normalize.Message, draw func() template.HTML) (template.HTML, bool) {
	if d.depth == 0 && !d.quota.unlimited && slices.ContainsFunc(messages, exceedsParts) {
		return d.overflow(contentsOf(messages...)), false
	}
	return d.withinQuota(func() contents { return contentsOf(messages...) }, draw)
}

// itemWithinQuota is place for an item.
func (d *drawer) itemWithinQuota(item normalize.Item, draw func() template.HTML) (template.HTML, bool) {
	if m, ok := item.(*normalize.Message); ok && exceedsParts(m) {
		return d.messagesWithinQuota([]*normalize.Message{m}, draw)
	}
	return d.withinQuota(func() contents { return d.contents(item) }, draw)
}

// overflowTurn leaves out a turn, or its part on this page.
func (d *drawer) overflowTurn(t *normalize.Turn, items []normalize.Item, first bool) template.HTML {
	var all contents
	if first {
		all = contentsOf(t.Prompt...)
	}
	for _, item := range items {
		all.add(d.contents(item))
	}
	return d.overflow(all)
}

func contentsOf(messages ...*normalize.Message) contents {
	c := contents{messages: slices.Clip(messages)}
	for _, m := range messages {
		if n := len(c.anchors); n == 0 || c.anchors[n-1] != m.Anchor {
			c.anchors = append(c.anchors, m.Anchor)
		}
	}
	return c
}

func (c *contents) add(more contents) {
	c.messages, c.anchors = append(c.messages, more.messages...), append(c.anchors, more.anchors...)
}

// contents returns those of an item, with conversations inside that have no pages of
// their own.
func (s *sessionData) contents(item normalize.Item) contents {
	switch it := item.(type) {
	case *normalize.Message:
		return contentsOf(it)
	case *normalize.Group:
		all := contents{it.Messages(), []string{it.Head().Anchor}}
		for _, a := range it.Agents {
			all.add(s.inside(s.ofAgent(a), "agent-"))
		}
		return all
	case *normalize.Branch:
		return s.inside(s.ofBranch(it), "rewound-")
	}
	return contents{}
}

func (s *sessionData) inside(in *inner, prefix string) contents {
	all := contents{anchors: []string{prefix + in.name}}
	if in.hasPages {
		return all
	}
	for _, t := range in.Turns {
		all.add(contentsOf(t.Prompt...))
		for _, item := range t.Items {
			all.add(s.contents(item))
		}
	}
	return all
}

// limitMessages draws messages of one kind that belong to one thing: the first of them, and
// a link to a file with the rest.
func (p *pageState) limitMessages(messages []*normalize.Message,
	draw func(*normalize.Message) template.HTML) []template.HTML {
	var all []template.HTML
	for i, m := range messages {
		if i == maxAlike {
			return append(all, p.overflowFile(messages[i:]))
		}
		all = append(all, draw(m))
	}
	return all
}
