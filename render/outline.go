package render

import (
	"slices"
	"strings"
	"time"

	"viewer/normalize"
	"viewer/render/page"
)

// outlineView is the list of prompts beside the page. The first page lists those of all pages. A later page lists only
// its own, so that an append changes few pages.
type outlineView struct {
	Summary       string // its contents in words, for narrow screens
	Start         int    // number of the first entry
	Entries       []outlineEntry
	MoreEntries   string        // how many are not listed
	Steps         []outlineStep // of a session with one prompt, on its first page
	MoreSteps     string
	Before, After *page.Link
	Files         []fileEntry // of the session, on its first page
	MoreFiles     []fileEntry // folded
	More          string      // how many
	NoMore        string      // how many files are not listed
	Changes       *page.Link  // link to their diffs
	Agents        []outlineEntry
	MoreAgents    string
	Problems      string // how many, on the first page, which lists them
}

type outlineEntry struct {
	Href, Text string
	Reply      string // what a short prompt answers
	// "cmd" of a slash command, "late" of a queued prompt, "undone" of one that was taken back, "topic" of a heading:
	// these have no number
	Mark  string
	Value int // its number, if it is not one more than that of the previous entry
	at    time.Time
	When  page.Stamp
	Facts []page.Fact
	// Failed is a link to the first failed call, with the number of failures
	Failed page.Link
}

// Limits of an outline: prompts, agents and files. Others are only on the pages.
const (
	maxEntries  = 300
	maxAgents   = 200
	maxAllFiles = 200
)

func (d *pageDrawing) outline() outlineView {
	v := outlineView{}
	list, agents := listing{d: d, view: &v}, 0
	from, to := d.index, d.index
	if d.index == 0 {
		to = d.last
	} else {
		v.Before = &page.Link{Href: d.base + pageName(d.inner, 0), Text: "All prompts"}
		list.continued(d.parts[d.index])
	}
	for p := from; p <= to; p++ {
		for _, l := range d.parts[p] {
			list.part(l)
			for _, item := range l.items {
				if g, ok := item.(*normalize.Group); ok {
					for _, a := range g.Agents {
						if agents++; agents <= maxAgents {
							v.Agents = append(v.Agents, d.agentEntry(a, g))
						}
					}
				}
			}
		}
	}
	v.Start = max(v.Start, 1)
	v.Summary = plural(list.prompts, "prompt", "prompts")
	if list.prompts == 0 && list.entries > 0 {
		v.Summary = "Outline"
	}
	v.MoreEntries, v.MoreAgents = unlisted(list.entries-maxEntries), unlisted(agents-maxAgents)
	if d.inner == nil && d.index == 0 {
		v.Files = d.changedFiles(d.net(), true)
		if n := len(d.net().files); n > 0 {
			v.Summary += dot + plural(n, "file", "files")
			v.NoMore = unlisted(n - maxAllFiles)
			if n > maxFiles+someFiles {
				v.Files, v.MoreFiles = v.Files[:maxFiles], v.Files[maxFiles:]
				v.More = "and " + count(n-maxFiles) + " more"
			}
		}
	}
	if agents > 0 {
		v.Summary += dot + plural(agents, "agent", "agents")
	}
	if n := len(d.Conversation.Problems); n > 0 && d.inner == nil && d.index == 0 {
		v.Problems = plural(n, "problem", "problems")
		v.Summary += dot + v.Problems
	}
	v.Steps, v.MoreSteps = d.stepList()
	v.tellDays(d.day())
	return v
}

// tellDays adds the day to the time of each entry that begins another day.
func (v *outlineView) tellDays(day time.Time) {
	for i := range v.Entries {
		e := &v.Entries[i]
		if today := dayOf(e.at); today != day && !today.IsZero() {
			day = today
			e.When = page.ShortMoment(e.at)
		}
	}
}

// A listing fills an outline with prompts and counts them like Conversation.Prompts: each one of a human, including
// those that were queued or taken back.
type listing struct {
	d                *pageDrawing
	view             *outlineView
	prompts, entries int
}

func (l *listing) add(e outlineEntry) {
	if l.entries++; l.entries <= maxEntries {
		l.view.Entries = append(l.view.Entries, e)
	}
}

// part lists the prompts on a part of a turn.
func (l *listing) part(part turnPart) {
	t := part.turn
	switch {
	case part.first && part.number > 0:
		if l.prompts++; l.view.Start == 0 {
			l.view.Start = part.number
		}
		e := l.d.outlineEntry(t)
		if t.Skipped > 0 && l.view.Start != part.number {
			e.Value = part.number
		}
		l.add(e)
	case part.first && len(t.Prompt) > 0 && len(t.Requests) > 0: // a command that started the model
		e := l.d.outlineEntry(t)
		e.Mark, e.Text = "cmd", strings.TrimPrefix(oneLine(t.Prompt[0].Name+" "+t.Prompt[0].Text, 90), "/")
		l.add(e)
	}
	l.items(part.items, "late")
}

// items lists the prompts that do not start a turn of the conversation.
func (l *listing) items(items []normalize.Item, mark string) {
	for _, item := range items {
		switch it := item.(type) {
		case *normalize.Message:
			switch {
			case it.Kind == normalize.Prompt:
				l.later([]*normalize.Message{it}, mark)
			case it.Kind == normalize.System && it.Name == "topic" && !l.d.isStepped():
				l.add(l.d.topicEntry(it))
			}
		case *normalize.Branch:
			for _, t := range it.Conversation.Turns {
				if t.Asked() {
					l.later(t.Prompt, "undone")
				}
				l.items(t.Items, "undone")
			}
		}
	}
}

// markWords describe the marks of an outline.
var markWords = map[string]string{"late": "while it worked", "undone": "taken back"}

func (l *listing) later(prompt []*normalize.Message, mark string) {
	l.prompts++
	e := l.d.promptEntry(prompt)
	e.Mark, e.Facts = mark, []page.Fact{{Text: markWords[mark]}}
	l.add(e)
}

// topicEntry lists the topic of the next part of a turn.
func (d *pageDrawing) topicEntry(m *normalize.Message) outlineEntry {
	e := outlineEntry{Href: d.href(m.Anchor), at: m.Time(), Mark: "topic", Text: topicWords(m.Text)}
	e.When = page.NewStamp(e.at, "time", "15:04")
	return e
}

// promptEntry lists a prompt by its first words.
func (d *pageDrawing) promptEntry(prompt []*normalize.Message) outlineEntry {
	e := outlineEntry{Href: d.href(prompt[0].Anchor), at: prompt[0].Time()}
	e.Text = promptWords(prompt)
	e.When = page.NewStamp(e.at, "", "15:04")
	return e
}

func (d *pageDrawing) outlineEntry(t *normalize.Turn) outlineEntry {
	e := d.promptEntry(t.Prompt)
	e.Reply = d.replies[t]
	s := d.tally.OfTurn(t)
	if s.Time > 0 {
		e.Facts = append(e.Facts, page.Fact{Text: duration(s.Time)})
	}
	if s.Tools > 0 {
		e.Facts = append(e.Facts, page.Fact{Text: plural(s.Tools, "call", "calls")})
	}
	if words := d.turnLines(t); words != "" {
		e.Facts = append(e.Facts, page.Fact{Text: words})
	}
	if s.Agents > 0 {
		e.Facts = append(e.Facts, page.Fact{Text: plural(s.Agents, "agent", "agents")})
	}
	if s.Failed > 0 {
		e.Facts = append(e.Facts, page.Fact{Text: count(s.Failed) + " failed", Look: "bad"})
		e.leadToFailure(d.drawnHref(d.failureOf(t)))
	}
	return e
}

func (d *pageDrawing) agentEntry(a *normalize.Agent, g *normalize.Group) outlineEntry {
	e := outlineEntry{Href: d.href(g.Head().Anchor), Text: d.agentName(a), Facts: d.agentFacts(a)}
	if in := d.ofAgent(a); in.hasPages {
		e.Href = d.agentHref(a)
	}
	e.leadToFailure(d.drawnHref(d.firstFailure(a.Conversation)))
	return e
}

// leadToFailure turns the fact about failed calls into a link to the first of them.
func (e *outlineEntry) leadToFailure(href string) {
	i := slices.IndexFunc(e.Facts, func(f page.Fact) bool { return f.Look == "bad" })
	if i < 0 || href == "" {
		return
	}
	e.Failed = page.Link{Href: href, Text: e.Facts[i].Text}
	e.Facts = slices.Delete(e.Facts, i, i+1)
}
