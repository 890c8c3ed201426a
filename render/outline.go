package render

import (
	"strings"
	"time"

	"viewer/markup"
	"viewer/normalize"
)

// outlineView is the list of prompts beside the page. The first page lists
// those of all pages; a later one its own, so that an append changes few pages.
type outlineView struct {
	Summary       string // what it holds, for a narrow screen
	Start         int    // number of the first entry
	Entries       []outlineEntry
	Before, After *link
	Files         []fileEntry // of the session, on its first page
	MoreFiles     []fileEntry // folded
	More          string      // how many
	Agents        []outlineEntry
	Problems      string // how many, on the first page, which lists them
}

type outlineEntry struct {
	Href, Text string
	Command    bool // a slash command: it has no number
	at         time.Time
	When       stamp
	Facts      []fact
}

func (b *book) outline(j *job) outlineView {
	v := outlineView{Start: 1}
	prompts := 0
	from, to := j.index, j.index
	if j.index == 0 {
		to = j.last
	} else {
		v.Before = &link{Href: b.d.base + pageName(j.inner, 0), Text: "All prompts"}
	}
	for p := from; p <= to; p++ {
		for _, l := range j.leaves[p] {
			t := l.turn
			switch {
			case l.first && l.number > 0:
				if prompts++; prompts == 1 {
					v.Start = l.number
				}
				v.Entries = append(v.Entries, b.outlineEntry(t))
			case l.first && len(t.Prompt) > 0 && len(t.Requests) > 0: // a command that set the model to work
				e := b.outlineEntry(t)
				e.Command, e.Text = true, strings.TrimPrefix(oneLine(t.Prompt[0].Name+" "+t.Prompt[0].Text, 90), "/")
				v.Entries = append(v.Entries, e)
			}
			for _, item := range l.items {
				if g, ok := item.(*normalize.Group); ok {
					for _, a := range g.Agents {
						v.Agents = append(v.Agents, b.agentEntry(a, g))
					}
				}
			}
		}
	}
	v.Summary = plural(prompts, "prompt", "prompts")
	if j.inner == nil && j.index == 0 {
		v.Files = b.touchedFiles()
		if n := len(v.Files); n > 0 {
			v.Summary += " · " + plural(n, "file", "files")
			if n > mostFiles+someFiles {
				v.Files, v.MoreFiles = v.Files[:mostFiles], v.Files[mostFiles:]
				v.More = "and " + count(len(v.MoreFiles)) + " more"
			}
		}
	}
	if n := len(v.Agents); n > 0 {
		v.Summary += " · " + plural(n, "agent", "agents")
	}
	if n := len(b.Conversation.Problems); n > 0 && j.inner == nil && j.index == 0 {
		v.Problems = plural(n, "problem", "problems")
		v.Summary += " · " + v.Problems
	}
	v.tellDays(b.day(j))
	return v
}

// tellDays puts the day before the time of each entry that is of another day
// than the one before.
func (v *outlineView) tellDays(day string) {
	for i := range v.Entries {
		e := &v.Entries[i]
		if today := dayOf(e.at); today != day && today != "" {
			day = today
			e.When = shortMoment(e.at)
		}
	}
}

func (b *book) outlineEntry(t *normalize.Turn) outlineEntry {
	e := outlineEntry{Href: b.d.href(t.Head().Anchor)}
	for _, m := range t.Prompt {
		if e.Text = markup.Excerpt(m.Text, 90); e.Text != "" {
			break
		}
	}
	if e.Text == "" {
		e.Text = "Image"
	}
	e.at = t.Head().Time()
	e.When = newStamp(e.at, "time", "15:04")
	s := b.d.tally.OfTurn(t)
	if s.Time > 0 {
		e.Facts = append(e.Facts, fact{Text: duration(s.Time)})
	}
	if s.Tools > 0 {
		e.Facts = append(e.Facts, fact{Text: plural(s.Tools, "tool", "tools")})
	}
	if s.Agents > 0 {
		e.Facts = append(e.Facts, fact{Text: plural(s.Agents, "agent", "agents")})
	}
	if s.Failed > 0 {
		e.Facts = append(e.Facts, fact{Text: count(s.Failed) + " failed", Look: "bad"})
	}
	return e
}

func (b *book) agentEntry(a *normalize.Agent, g *normalize.Group) outlineEntry {
	e := outlineEntry{Href: b.d.href(g.Head().Anchor), Text: b.d.agentName(a), Facts: b.d.agentFacts(a)}
	if in := b.d.ofAgent(a); in.own {
		e.Href = b.d.agentHref(a)
	}
	return e
}
