package render

import (
	"html/template"
	"slices"

	"viewer/normalize"
	"viewer/render/page"
)

// Besides texts, frames can make a page too large: a call with ten thousand hooks, a task list of the same size. A body
// that is too large is drawn generically, as fields. An item that is still too large, and everything after the page is
// full, is written to a file next to the page, as in the log. Nothing is lost, and no page is too large to open.
const (
	maxBodyHTML = 256 << 10 // bytes of HTML of a drawing's body
	maxItemHTML = 320 << 10 // of an item of a turn
	maxTurnHTML = 480 << 10 // of all turns of a page
	maxAlike    = 200       // hooks, pictures and the like of one record
	maxParts    = 5000      // contexts and messages in one text: each takes a hundred bytes of HTML or more
)

// tooMuch is the name in the ledger for records that are in a file.
const tooMuch = "too large for its page"

// full reports whether the page has no more space.
func (q *quota) full() bool { return !q.unlimited && q.turnBytes > maxTurnHTML-4<<10 }

// contents are messages, and the anchors in their drawing.
type contents struct {
	messages []*normalize.Message
	anchors  []string
}

// withinQuota draws a part of a turn if it fits into the quota of the page.
func (d *drawer) withinQuota(what func() contents, draw func() template.HTML) (html template.HTML, ok bool) {
	if d.depth > 0 { // the item around it is checked as a whole
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

// exceedsParts reports whether a message has too many parts to fit into the quota of a page.
func exceedsParts(m *normalize.Message) bool { return len(m.Contexts)+len(m.Tags) > maxParts }

// overflow replaces contents on the page by their anchors, and writes their records to a file.
func (p *pageState) overflow(c contents) template.HTML {
	p.quota.overflow = append(p.quota.overflow, c.messages...)
	p.unnote(c.anchors)
	html := page.Execute("partial/anchors", c.anchors)
	p.quota.turnBytes += len(html)
	return html
}

// messagesWithinQuota is withinQuota for messages.
func (d *drawer) messagesWithinQuota(messages []*normalize.Message, draw func() template.HTML) (template.HTML, bool) {
	if d.depth == 0 && !d.quota.unlimited && slices.ContainsFunc(messages, exceedsParts) {
		return d.overflow(contentsOf(messages...)), false
	}
	return d.withinQuota(func() contents { return contentsOf(messages...) }, draw)
}

// itemWithinQuota is withinQuota for an item.
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

// contents returns the contents of an item, with those of conversations inside that have no separate pages.
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

// limitMessages draws messages of the same kind: the first ones, and a link to a file with the rest.
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
