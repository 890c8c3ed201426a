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
	MoreEntries   string // how many are not listed
	Before, After *link
	Files         []fileEntry // of the session, on its first page
	MoreFiles     []fileEntry // folded
	More          string      // how many
	NoMore        string      // how many files are not listed at all
	Agents        []outlineEntry
	MoreAgents    string
	Problems      string // how many, on the first page, which lists them
}

type outlineEntry struct {
	Href, Text string
	Command    bool // a slash command: it has no number
	at         time.Time
	When       stamp
	Facts      []fact
}

// So many prompts, agents and files are in an outline: the pages between them have
// the others.
const (
	mostEntries = 300
	mostAgents  = 200
	allFiles    = 200
)

func (b *book) outline(j *job) outlineView {
	v := outlineView{Start: 1}
	prompts, entries, agents := 0, 0, 0
	add := func(t *normalize.Turn) *outlineEntry {
		if entries++; entries > mostEntries {
			return nil
		}
		v.Entries = append(v.Entries, b.outlineEntry(t))
		return &v.Entries[len(v.Entries)-1]
	}
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
				add(t)
			case l.first && len(t.Prompt) > 0 && len(t.Requests) > 0: // a command that set the model to work
				if e := add(t); e != nil {
					e.Command, e.Text = true, strings.TrimPrefix(oneLine(t.Prompt[0].Name+" "+t.Prompt[0].Text, 90), "/")
				}
			}
			for _, item := range l.items {
				if g, ok := item.(*normalize.Group); ok {
					for _, a := range g.Agents {
						if agents++; agents <= mostAgents {
							v.Agents = append(v.Agents, b.agentEntry(a, g))
						}
					}
				}
			}
		}
	}
	v.Summary = plural(prompts, "prompt", "prompts")
	v.MoreEntries, v.MoreAgents = unlisted(entries-mostEntries), unlisted(agents-mostAgents)
	if j.inner == nil && j.index == 0 {
		n := 0
		if v.Files, n = b.touchedFiles(); n > 0 {
			v.Summary += " · " + plural(n, "file", "files")
			v.NoMore = unlisted(n - allFiles)
			if n > mostFiles+someFiles {
				v.Files, v.MoreFiles = v.Files[:mostFiles], v.Files[mostFiles:]
				v.More = "and " + count(n-mostFiles) + " more"
			}
		}
	}
	if agents > 0 {
		v.Summary += " · " + plural(agents, "agent", "agents")
	}
	if n := len(b.Conversation.Problems); n > 0 && j.inner == nil && j.index == 0 {
		v.Problems = plural(n, "problem", "problems")
		v.Summary += " · " + v.Problems
	}
	v.tellDays(b.day(j))
	return v
}

// unlisted says how many more there are.
func unlisted(n int) string {
	if n <= 0 {
		return ""
	}
	return "and " + count(n) + " more"
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
