package render

import (
	"html/template"
	"time"

	"viewer/internal/markup"
	"viewer/internal/outcome"
	"viewer/internal/stats"
	"viewer/normalize"
	"viewer/render/page"
)

// A metaFact is one of the facts under a title: a strong part and words.
type metaFact struct {
	Icon   string // for facts that the words alone do not tell
	Kind   string // the same in words, for screen readers
	Before string // words before the span, which precedes Text
	Span   spanView
	Strong string
	Text   template.HTML
	Bad    bool
	Title  string // tooltip
	Href   string // address of its subject
}

// maxBranches is the maximum number of branches in the facts under a title.
const maxBranches = 2

// maxModelNames is the maximum number of models in them.
const maxModelNames = 12

// meta returns the facts under the title of later pages of the session; the first page has a story instead. Only the
// first page of a conversation has its numbers, because an append would change each page that has them. Later pages
// have facts that do not change: the time of the page, the start and the model of the conversation, and the first
// prompt. A script adds the rest from the file that lists the pages (Pages.Outlines).
func (d *pageDrawing) meta() []metaFact {
	var all []metaFact
	plain := func(s string) { all = append(all, metaFact{Text: markup.Text(s)}) }
	number := func(n int, one, many string) {
		word := many
		if n == 1 {
			word = one
		}
		all = append(all, metaFact{Strong: count(n), Text: template.HTML(word)})
	}
	c := d.conversation
	if d.Project.Name != "" {
		all = append(all, metaFact{Strong: d.Project.Name})
	}
	if d.index > 0 {
		if span := newSpan(spanOf(d.parts[d.index])); span.Start.ISO != "" {
			all = append(all, metaFact{Span: span})
		}
		return append(all, d.beginnings()...)
	}
	if span := newSpan(c.Facts.Start, c.Facts.End); span.Start.ISO != "" {
		all = append(all, metaFact{Span: span})
	}
	t := d.tally.Of(c)
	number(t.Tools, "call", "calls")
	if t.Failed > 0 {
		all = append(all, metaFact{
			Text: template.HTML(count(t.Failed) + " failed"), Bad: true, Href: d.drawnHref(d.firstFailure(c)),
		})
	}
	all = append(all, modelFacts(c, t)...)
	if t.Tokens() > 0 {
		all = append(all, tokenFacts(t)...)
	}
	if cost := costWords(t.Cost, d.Prices.Date); cost.Strong+cost.Title != "" {
		all = append(all, cost)
	}
	all = append(all, creditFacts(t)...)
	if peak := stats.Peak(c, d.Prices); peak.Peak > 0 {
		all = append(all, d.peakFact(peak))
	}
	if t.Compacted > 0 {
		plain("compacted ×" + count(t.Compacted))
	}
	return all
}

// beginnings returns the facts of a conversation that no append changes.
func (d *pageDrawing) beginnings() []metaFact {
	var all []metaFact
	c := d.conversation
	begun := metaFact{Before: "session began", Span: spanView{Start: page.Moment(c.Facts.Start)}}
	if d.inner != nil {
		begun.Before = "began"
	}
	if len(c.Facts.Models) > 0 {
		begun.Text = markup.Text("with " + clip(c.Facts.Models[0], 60))
	}
	if begun.Span.Start.ISO != "" {
		all = append(all, begun)
	}
	if asked, prompt := d.askedFirst(d.job); asked != "" && asked != d.title {
		f := metaFact{Strong: "Asked", Text: markup.Text(clip(asked, maxAskedAgain)), Href: d.drawnHref(prompt.Anchor)}
		all = append(all, f)
	}
	return all
}

// maxAskedAgain is the length of the first prompt on later pages, in characters.
const maxAskedAgain = 140

// askedFirst returns the first prompt of the conversation of a page, and its message.
func (b *pagesData) askedFirst(j *job) (string, *normalize.Message) {
	if j.inner == nil {
		return b.outcome().Asked, b.outcome().Prompt
	}
	return outcome.Asked(j.conversation)
}

func inputWords(t stats.Totals) string {
	return short(t.Usage.Input) + " as they are, " + short(t.Usage.CacheRead) + " read from cache, " +
		short(t.Usage.CacheWrite) + " written to cache; each request counts all it was sent"
}

// costWords describes a cost, and whether it is logged or calculated. day is that of the prices.
func costWords(c stats.Cost, day string) metaFact {
	var f metaFact
	total := c.Total()
	switch {
	case total > 0:
		f.Strong = dollars(total.Dollars())
		if c.Unpriced > 0 { // it was more
			f.Strong += "+"
		}
	case c.Unpriced > 0:
		f.Text = "unpriced"
	}
	if c.List > 0 {
		f.Text = "at list price"
		if t, err := time.Parse(time.DateOnly, day); err == nil {
			f.Text += template.HTML(" of " + t.Format("2 Jan 2006"))
		}
		f.Title = "What the API would have charged, by request; a subscription pays something else."
	} else if c.Logged > 0 {
		f.Text = "by the log"
	}
	if c.List > 0 && c.Logged > 0 {
		f.Title += " " + dollars(c.Logged.Dollars()) + " of it is what the log says itself."
	}
	if c.Unpriced > 0 {
		if f.Title != "" {
			f.Title += " "
		}
		f.Title += "No price is known for " + short(c.Unpriced) + " of the tokens."
	}
	return f
}

// day returns the day in the facts under the title, zero for none.
func (d *pageDrawing) day() time.Time {
	start := d.conversation.Facts.Start
	if d.index > 0 {
		start, _ = spanOf(d.parts[d.index])
	}
	return dayOf(start)
}

// dayOf returns the UTC day of a time, zero for none.
func dayOf(t time.Time) time.Time { return t.UTC().Truncate(24 * time.Hour) }

// spanOf returns the first and the last time of prompts and items on a page.
func spanOf(parts []turnPart) (start, end time.Time) {
	note := func(m *normalize.Message) {
		at := m.Time()
		if at.IsZero() {
			return
		}
		if start.IsZero() || at.Before(start) {
			start = at
		}
		if at.After(end) {
			end = at
		}
	}
	for _, l := range parts {
		if l.first {
			for _, m := range l.turn.Prompt {
				note(m)
			}
		}
		for _, item := range l.items {
			note(itemHead(item))
		}
	}
	return start, end
}
