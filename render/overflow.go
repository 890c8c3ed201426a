package render

import (
	"html/template"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/transcript"
	"viewer/normalize"
)

// What texts leave of a page is frames: a call of ten thousand hooks, a list of as
// many things to do. A body that is too large is drawn as that of a tool which
// nobody knows, as fields; an item that is still too large, and all that
// follows when the page is full, stands in a file beside the page, as it is in
// the log. Nothing is lost, and no page is too large to be opened.
const (
	bodyMost  = 256 << 10 // bytes of HTML of a drawing's body
	itemMost  = 320 << 10 // of an item of a turn
	turnsMost = 480 << 10 // of all turns of a page
	mostAlike = 200       // hooks, pictures and the like of one record
	mostParts = 5000      // contexts and messages in one text: each is a hundred bytes of HTML and more
)

// tooMuch is what the ledger calls records that are kept in a file.
const tooMuch = "too much for its page"

// full says that nothing more goes onto the page.
func (q *quota) full() bool { return !q.unlimited && q.turns > turnsMost-4<<10 }

// contents are messages, and the anchors that stand in the drawing of them.
type contents struct {
	messages []*normalize.Message
	anchors  []string
}

// place draws something of a turn, if the page has room for it.
func (d *drawer) place(what func() contents, draw func() template.HTML) (html template.HTML, ok bool) {
	if d.depth > 0 { // part of an item that is looked at as a whole
		return draw(), true
	}
	if !d.quota.full() {
		html := draw()
		if n := len(html); n <= itemMost && (d.quota.unlimited || d.quota.turns+n <= turnsMost) {
			d.quota.turns += n
			return html, true
		}
	}
	return d.turnAway(what()), false
}

// crowded says that a message holds so many things that it needs no drawing to
// see that there is no room for them.
func crowded(m *normalize.Message) bool { return len(m.Contexts)+len(m.Tags) > mostParts }

// turnAway keeps something off the page, but for its anchors.
func (p *pageState) turnAway(c contents) template.HTML {
	p.quota.overflow = append(p.quota.overflow, c.messages...)
	html := execute("partial/places", c.anchors)
	p.quota.turns += len(html)
	return html
}

// placeAll is place for messages.
func (d *drawer) placeAll(messages []*normalize.Message, draw func() template.HTML) (template.HTML, bool) {
	if d.depth == 0 && !d.quota.unlimited && slices.ContainsFunc(messages, crowded) {
		return d.turnAway(contentsOf(messages...)), false
	}
	return d.place(func() contents { return contentsOf(messages...) }, draw)
}

// placeItem is place for an item.
func (d *drawer) placeItem(item normalize.Item, draw func() template.HTML) (template.HTML, bool) {
	if m, ok := item.(*normalize.Message); ok && crowded(m) {
		return d.placeAll([]*normalize.Message{m}, draw)
	}
	return d.place(func() contents { return d.contents(item) }, draw)
}

// turnAwayTurn does it with a turn, or the part of it that would stand on this page.
func (d *drawer) turnAwayTurn(t *normalize.Turn, items []normalize.Item, first bool) template.HTML {
	var all contents
	if first {
		all = contentsOf(t.Prompt...)
	}
	for _, item := range items {
		all.add(d.contents(item))
	}
	return d.turnAway(all)
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

// contents are those of an item, with conversations inside that have no pages of
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
	if in.own {
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

// several draws messages of one kind that belong to one thing: the first of them, and
// a link to a file with the rest.
func (p *pageState) several(messages []*normalize.Message, draw func(*normalize.Message) template.HTML) []template.HTML {
	var all []template.HTML
	for i, m := range messages {
		if i == mostAlike {
			return append(all, p.keep(messages[i:]))
		}
		all = append(all, draw(m))
	}
	return all
}

type keptView struct {
	Href, Text, Size string
}

// keep puts the records of messages into a file and links it. Of a record of which other
// parts stand elsewhere only those parts are kept that are not there: a record of thousands
// of calls would be kept by each page.
func (p *pageState) keep(messages []*normalize.Message) template.HTML {
	var records []*transcript.Record
	parts := make(map[*transcript.Record][]*normalize.Message)
	known := make(map[*normalize.Message]bool, len(messages))
	total := 0
	for _, m := range messages {
		p.entries[m] = ledgerEntry{kind: tooMuch, generic: true}
		if known[m] {
			continue
		}
		known[m] = true
		if parts[m.Record] == nil {
			records = append(records, m.Record)
		}
		parts[m.Record] = append(parts[m.Record], m)
		total += len(rawOf(m)) + 1
	}
	all := make([]byte, 0, total+total/4)
	for _, r := range records {
		all = append(appendParts(all, r, parts[r]), '\n')
	}
	return execute("partial/kept", keptView{p.root + p.media.add(slices.Clip(all), ".txt"), plural(len(records), "more record", "more records"), size(len(all))})
}

// appendParts writes some of the parts of a record: as it is in the log when they are all, else
// their blocks, and with the first of them all else that the record holds.
func appendParts(b []byte, r *transcript.Record, parts []*normalize.Message) []byte {
	if r.Message == nil || len(parts) >= len(r.Message.Content) || parts[0].Block == nil {
		return append(b, r.Raw...)
	}
	first := slices.ContainsFunc(parts, func(m *normalize.Message) bool { return m.Part == 0 })
	var content jsontext.Value
	for _, m := range parts {
		content = append(append(content, ','), m.Block.Raw...)
	}
	content[0] = '['
	content = append(content, ']')
	var record jsontext.Value
	for name, value := range transcript.QuotedMembers(r.Raw) {
		switch transcript.String(name) {
		case "message":
			var message jsontext.Value
			for name, value := range transcript.QuotedMembers(value) {
				if transcript.String(name) == "content" {
					message = appendMember(message, name, content)
				} else if first {
					message = appendMember(message, name, value)
				}
			}
			record = appendMember(record, name, message)
		case "type", "uuid", "timestamp":
			record = appendMember(record, name, value)
		default:
			if first {
				record = appendMember(record, name, value)
			}
		}
	}
	return append(b, record...)
}

// keepRest does that with what the page had no room for.
func (p *pageState) keepRest() template.HTML {
	if len(p.quota.overflow) == 0 {
		return ""
	}
	kept := slices.Clone(p.quota.overflow)
	p.quota.overflow = nil
	return p.keep(kept)
}
