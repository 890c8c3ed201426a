package render

import (
	"html/template"
	"strings"
	"time"

	"viewer/internal/outcome"
	"viewer/normalize"
	"viewer/render/page"
)

// turnView is a turn, or the part of it that is on this page.
type turnView struct {
	ID        string        // set if the turn has no prompt to link to
	Heading   string        // for screen readers, if there is no prompt
	Level     int           // of the heading
	Gap       template.HTML // the pause before it
	Prompt    template.HTML
	Steps     *stepsView
	Class     level // the lowest level at which anything is shown
	Parts     []part
	Foot      []page.Fact
	Continued *page.Link // link to its start on an earlier page
}

// A part is a run of items, such as calls in one box.
type part struct {
	Box   bool
	Items []template.HTML
	Notes template.HTML // beside it
}

// A section is a turn, which the template of the page draws, or HTML in its place.
type section struct {
	Turn *turnView
	HTML template.HTML
}

// turn draws the part of a turn on this page.
func (d *drawer) turn(l turnPart, who string) section {
	t, items, first, last := l.turn, l.items, l.first, l.last
	if d.depth == 0 && d.quota.full() {
		return section{HTML: d.overflowTurn(t, items, first)}
	}
	v := &turnView{Level: 2}
	if !first {
		v.Continued = d.beginning(l)
	}
	if d.depth > 0 {
		v.Level = 3
	}
	outside := d.lowest
	if first && len(t.Prompt) > 0 {
		v.Gap = d.gap(t.Prompt[0])
	}
	switch {
	case !first:
		v.Heading = "Turn, continued"
	case len(t.Prompt) == 0:
		v.Heading = "Before the first prompt"
	case t.Prompt[0].Kind == normalize.Prompt:
		v.Prompt, _ = d.messagesWithinQuota(t.Prompt, func() template.HTML {
			return d.sentLine(t.Prompt...) + d.requestNotes(t.Prompt[0]) + d.prompt(t.Prompt, l.number, who)
		})
	default:
		v.Heading = t.Prompt[0].Name
		v.Prompt, _ = d.messagesWithinQuota(t.Prompt, func() template.HTML {
			return join(d.limitMessages(t.Prompt, d.messageAsSent)...)
		})
	}
	if first {
		v.Prompt = d.noted(v.Prompt, t.Prompt...)
	}
	d.lowest = atEverything
	if outer := d.answer; !d.inAgent {
		d.answer = outcome.Answer(t)
		if v.Steps = d.steps(l); v.Steps != nil {
			d.show(always)
		}
		defer func() { d.answer = outer }()
	}
	v.Parts = d.parts(items)
	if v.Prompt == "" {
		v.Class = d.lowest
	}
	d.lowest = outside
	if d.depth == 0 {
		d.quota.turnBytes += turnFrame
		if !d.quota.full() {
			if rest := d.flushOverflow(); rest != "" {
				v.Parts = append(v.Parts, part{Items: []template.HTML{rest}})
			}
		}
	}
	if last {
		v.Foot = d.foot(t)
	}
	return section{Turn: v}
}

// turnFrame is about the size of the HTML of an empty turn, in bytes.
const turnFrame = 300

// parts draws items, with neighbouring calls in one box.
func (d *drawer) parts(items []normalize.Item) []part {
	var all []part
	for len(items) > 0 {
		var more []part
		n := 1
		switch it := items[0].(type) {
		case *normalize.Branch:
			d.show(always)
			html, _ := d.itemWithinQuota(it, func() template.HTML { return d.sentLine(it.Head()) + d.branch(it) })
			more = []part{{Items: []template.HTML{html}}}
		case *normalize.Group:
			more, n = d.boxes(items)
		default:
			more, n = d.lines(items)
		}
		all = append(all, more...)
		items = items[n:]
	}
	return all
}

// lines draws the messages at the start of items, and returns their number.
func (d *drawer) lines(items []normalize.Item) ([]part, int) {
	p := part{}
	n := 0
	for n < len(items) {
		m, ok := items[n].(*normalize.Message)
		if !ok {
			break
		}
		p.Items = append(p.Items, d.gap(m))
		if summary := summaryBehind(items[n:]); summary != nil {
			html, _ := d.withinQuota(func() contents { return contentsOf(m, summary) },
				func() template.HTML { return d.sentLine(summary) + d.compaction(m, summary) })
			p.Items = append(p.Items, d.noted(html, m, summary))
			n += 2
			continue
		}
		if run := repeatedRun(items[n:]); run > 0 {
			p.Items = append(p.Items, d.repeated(items[n:n+run])...)
			if beside := d.notesOnItems(items[n : n+run]); beside != "" {
				d.show(always)
				p.Items = append(p.Items, beside)
			}
			n += run
			continue
		}
		html, _ := d.itemWithinQuota(m, func() template.HTML { return d.messageAsSent(m) })
		p.Items = append(p.Items, d.noted(html, m))
		n++
	}
	return []part{p}, n
}

// messageAsSent draws a message after the line that tells whether it was sent, and the facts about its request.
func (d *drawer) messageAsSent(m *normalize.Message) template.HTML {
	return d.sentLine(m) + d.requestNotes(m) + d.message(m)
}

// boxes draws the calls at the start of items, and returns the number of items. Items between two calls that are only
// shown at the level Everything are also in the box, so that it is whole at the other levels. A long pause starts a new
// box.
func (d *drawer) boxes(items []normalize.Item) ([]part, int) {
	var all []part
	var box []boxed
	n := 0
	for n < len(items) {
		if g, ok := items[n].(*normalize.Group); ok {
			if gap := d.gap(g.Head()); gap != "" {
				all = append(append(all, boxOf(box)...), part{Items: []template.HTML{gap}})
				box = nil
			}
			d.show(atTools)
			var call drawnCall
			html, ok := d.itemWithinQuota(g, func() template.HTML {
				call = d.group(g)
				return call.html
			})
			one := boxed{html: html}
			if ok {
				one.call = &call
			}
			if notes := d.notesOn(g.Head().Anchor); notes != "" {
				all = append(append(all, boxOf(box)...), part{Box: true, Items: []template.HTML{html}, Notes: notes})
				d.show(always)
				box = nil
			} else {
				box = append(box, one)
			}
			n++
			continue
		}
		quiet := quietRun(items[n:])
		if quiet == 0 || n+quiet == len(items) {
			break
		}
		if _, ok := items[n+quiet].(*normalize.Group); !ok {
			break
		}
		for _, it := range items[n : n+quiet] {
			m := it.(*normalize.Message)
			html, _ := d.itemWithinQuota(m, func() template.HTML { return d.messageAsSent(m) })
			box = append(box, boxed{html: d.noted(html, m)})
		}
		n += quiet
	}
	return append(all, boxOf(box)...), n
}

// boxOf returns a box of calls, nothing for none.
func boxOf(all []boxed) []part {
	if len(all) == 0 {
		return nil
	}
	return []part{{Box: true, Items: runs(all)}}
}

// summaryBehind returns the summary after a compaction, nil if the items do not start with both.
func summaryBehind(items []normalize.Item) *normalize.Message {
	if len(items) < 2 {
		return nil
	}
	boundary, ok := items[0].(*normalize.Message)
	if !ok || boundary.Kind != normalize.System || boundary.Name != "compact_boundary" {
		return nil
	}
	summary, ok := items[1].(*normalize.Message)
	if !ok || summary.Kind != normalize.Summary {
		return nil
	}
	return summary
}

// quietRun counts the messages at the start that are only shown at the level Everything.
func quietRun(items []normalize.Item) int {
	for i, it := range items {
		m, ok := it.(*normalize.Message)
		if !ok || m.Kind != normalize.Attachment && m.Kind != normalize.Hook && m.Kind != normalize.Injected &&
			!signatureOnly(m) {
			return i
		}
	}
	return len(items)
}

// signatureOnly reports whether the log has only the signature of a thought.
func signatureOnly(m *normalize.Message) bool {
	return m.Kind == normalize.Thinking && strings.TrimSpace(m.Text) == ""
}

// foot returns the time, the tokens and the cost of a turn, including the agents that it started.
func (s *sessionData) foot(t *normalize.Turn) []page.Fact {
	if len(t.Requests) == 0 {
		return nil
	}
	var all []page.Fact
	sum := s.tally.OfTurn(t)
	if sum.Time >= time.Second {
		all = append(all, page.Fact{Text: duration(sum.Time), Look: "time"})
	}
	if n := s.changeOf(t); n.files > 0 {
		all = append(all, page.Fact{Text: netWords(n.files, n.added, n.removed)})
	}
	if sum.Tokens() > 0 {
		tokens := short(sum.Usage.Context()) + " in" + dot + short(sum.Usage.Output) + " out"
		if sum.Usage.Context() == 0 { // the log does not say
			tokens = short(sum.Usage.Output) + " out"
		}
		if sum.Doubtful {
			tokens += ", as reported"
		}
		all = append(all, page.Fact{Text: tokens})
	}
	if cost := costWords(sum.Cost, ""); cost.Strong != "" {
		all = append(all, page.Fact{Text: cost.Strong})
	}
	return all
}
