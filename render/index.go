package render

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"viewer/stats"
	"viewer/transcript"
)

// An Index is what an index page shows: of the whole site, or of one project.
type Index struct {
	Sessions  []Summary // of the page, in any order
	Projects  []ProjectCount
	Project   *Project // nil for the whole site
	Problems  []transcript.Problem
	Ledger    Ledger
	Empty     int    // sessions that hold no conversation and have no row
	Sample    string // said when the site is the embedded sample
	Generator string
}

// A ProjectCount is a project and how many sessions of it are on the site.
type ProjectCount struct {
	Project
	Sessions int
}

type indexView struct {
	Head     headView
	Title    string
	Sample   string
	Projects []projectView
	Build    []string
	Totals   []numberView
	Facets   bool
	Days     []dayView
	Problems *problemsView
	Ledger   []ledgerRow
}

type projectView struct {
	Href, Name, Sessions string
	Current              bool
}

type numberView struct{ Name, Value string }

type dayView struct {
	Date stamp
	Rows []rowView
}

type rowView struct {
	Href, Title, Project, Words string
	At                          stamp
	Failed, Agents              int
	Facts                       []string
	Bad                         string
	Numbers                     []numberView
}

// DrawIndex draws an index page: sessions by day, the newest first.
func DrawIndex(in Index) []byte {
	root, title, class := "", "Sessions", "page-index"
	crumbs := []link{{Text: "Sessions"}}
	if in.Project != nil {
		root, title, class = "../../", in.Project.Name, "page-project"
		crumbs = []link{{Href: root + "index.html", Text: "Sessions"}, {Text: title}}
	}
	v := indexView{Head: newHead(class, title, in.Generator, root, crumbs), Title: title, Sample: in.Sample, Facets: in.Project == nil}
	all := 0
	for _, p := range in.Projects {
		all += p.Sessions
		v.Projects = append(v.Projects, projectView{root + p.Path, p.Name, count(p.Sessions), in.Project != nil && p.Project == *in.Project})
	}
	v.Projects = append([]projectView{{root + "index.html", "All projects", count(all), in.Project == nil}}, v.Projects...)
	if in.Project == nil {
		v.Build = in.build()
		v.Ledger = in.Ledger.rows()
		v.Problems = newProblems(in.Problems)
	}
	v.Totals = totals(in.Sessions)
	v.Days = days(in.Sessions, root, in.Project == nil)
	return []byte(execute("page/index", v) + "\n")
}

// build says in a few lines what the site was made of.
func (in Index) build() []string {
	lines := []string{plural(len(in.Sessions), "session", "sessions") + " from " + plural(in.Ledger.Files, "file", "files")}
	if in.Empty > 0 {
		lines = append(lines, plural(in.Empty, "empty session", "empty sessions")+" not listed")
	}
	if n := in.Ledger.Lost; n > 0 {
		lines = append(lines, plural(n, "line", "lines")+" could not be read")
	}
	if n := in.Ledger.Generics(); n > 0 {
		lines = append(lines, plural(n, "record", "records")+" of unknown kind")
	}
	return lines
}

func totals(sessions []Summary) []numberView {
	var t stats.Totals
	for _, s := range sessions {
		t = t.Add(s.Totals)
	}
	all := []numberView{
		{"sessions", count(len(sessions))},
		{"prompts", count(t.Prompts)},
		{"tool calls", count(t.Tools)},
		{"tokens", short(t.Usage.Context() + t.Usage.Output)},
	}
	if h := t.Time.Hours(); h >= 10 {
		all = append(all, numberView{"in sessions", count(int(h)) + " h"})
	} else if t.Time > 0 {
		all = append(all, numberView{"in sessions", span(t.Time)})
	}
	return all
}

// days groups the sessions by the UTC day of their start, the newest first;
// those without a time come last.
func days(sessions []Summary, root string, named bool) []dayView {
	sorted := slices.Clone(sessions)
	slices.SortStableFunc(sorted, func(a, b Summary) int {
		if c := b.Start.Compare(a.Start); c != 0 {
			return c
		}
		return cmp.Compare(a.ID, b.ID)
	})
	var all []dayView
	for _, s := range sorted {
		date := newStamp(s.Start, "day", "Mon 2 Jan 2006")
		if !s.Start.IsZero() {
			date.ISO = s.Start.UTC().Format(time.DateOnly)
		}
		if n := len(all); n == 0 || all[n-1].Date != date {
			all = append(all, dayView{Date: date})
		}
		last := &all[len(all)-1]
		last.Rows = append(last.Rows, newRow(s, root, named))
	}
	return all
}

func newRow(s Summary, root string, named bool) rowView {
	t := s.Totals
	v := rowView{
		Href: root + s.Path(), Title: s.Title, Project: s.Project.Name,
		At: newStamp(s.Start, "time", "15:04"), Failed: t.Failed, Agents: t.Agents, Words: strings.Join(s.Models, " "),
	}
	if named && s.Project.Name != "" {
		v.Facts = append(v.Facts, s.Project.Name)
	}
	if s.Branch != "" {
		v.Facts = append(v.Facts, clip(s.Branch, 50))
	}
	if t.Agents > 0 {
		v.Facts = append(v.Facts, plural(t.Agents, "agent", "agents"))
	}
	if t.Compacted > 0 {
		v.Facts = append(v.Facts, "compacted ×"+count(t.Compacted))
	}
	if t.Failed > 0 {
		v.Bad = count(t.Failed) + " failed"
	}
	tokens, long := "", ""
	if n := t.Usage.Context() + t.Usage.Output; n > 0 {
		tokens = short(n)
	}
	if t.Time > 0 {
		long = span(t.Time.Round(time.Second))
	}
	v.Numbers = []numberView{
		{one(t.Prompts, "prompt", "prompts"), count(t.Prompts)},
		{one(t.Tools, "tool", "tools"), count(t.Tools)},
		{"tokens", tokens},
		{"long", long},
	}
	return v
}

func one(n int, single, many string) string {
	if n == 1 {
		return single
	}
	return many
}
