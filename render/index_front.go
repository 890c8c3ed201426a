package render

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"viewer/internal/stats"
)

// frontPage is the first page of the site, or of a project.
type frontPage struct {
	*indexPlanner
	project      *Project // nil for the whole site
	root         string   // from the page to the top of the site
	folder       string   // folder of the pages of older parts, from the page
	sessions     []*indexed
	shown, older []monthPart
}

type frontView struct {
	Head      headView
	Title     string
	Failures  []string // of a report, on the first page of the site
	Sample    string
	SideTitle string // what stands beside the page
	Projects  projectsView
	Months    monthsView
	Build     []string
	Totals    []numberView
	Models    []modelView
	Notes     []string // what to know of the numbers
	Years     []yearView
	Numbers   bool // there are years or models
	Bar       barView
	Days      []dayView
	Older     string // the page of the part behind
	Problems  *problemsView
	Ledger    []ledgerRow
}

// projectsView lists the projects; only the first of them stand open, so that
// what follows stays in sight.
type projectsView struct {
	All         link
	Some, Other []link
	More        string // how many others
	Missing     string // how many are not listed at all
}

type monthsView struct {
	Some, Other []link
	More        string
}

// How many entries a list beside the page has.
const (
	someProjects = 8
	maxProjects  = 500
	someMonths   = 6
)

func (f frontPage) draw() []byte {
	title, class, crumbs := "Sessions", "page-index", []link{{Text: "Sessions"}}
	if f.project != nil {
		title, class = f.project.Name, "page-project"
		crumbs = []link{{Href: f.root + "index.html", Text: "Sessions"}, {Text: title}}
	}
	all := totals(f.sessions)
	v := frontView{
		Head: newHead(class, title, f.Generator, f.root, crumbs), Title: title, Sample: f.Sample,
		Months: f.months(), Totals: f.totals(all), Models: newModels(all.Models), Notes: f.notes(all), Years: f.years(),
		Bar: newBar(f.sessions, f.project == nil),
	}
	if len(v.Models) == 1 && all.Tokens() == 0 {
		v.Models = nil
	}
	v.Numbers = len(v.Years)+len(v.Models) > 0
	v.Bar.More = strings.Join(f.more(), " ")
	var shown []*indexed
	for _, p := range f.shown {
		shown = append(shown, p.sessions...)
	}
	v.Days = newDays(shown, f.root, f.project == nil)
	if len(f.older) > 0 {
		v.Older = f.href(f.older[0]) + ".html"
	}
	if f.project == nil {
		v.Failures = f.Failures
		v.Projects = f.projectList()
		v.Build, v.Ledger, v.Problems = f.build(), f.Ledger.rows(all), newProblems(f.Problems)
	} else {
		v.Projects.All = link{Href: f.root + "index.html", Text: "All sessions"}
	}
	v.SideTitle = "Sessions"
	switch projects, months := len(v.Projects.Some) > 0, len(v.Months.Some) > 0; {
	case projects && months:
		v.SideTitle = "Projects and months"
	case projects:
		v.SideTitle = "Projects"
	case months:
		v.SideTitle = "Months"
	}
	return append(executePage(nil, "page/index", v), '\n')
}

// href is where a part is, without ending, from this page.
func (f frontPage) href(p monthPart) string { return f.folder + p.name() }

// more are the files with the rows of the older parts.
func (f frontPage) more() []string {
	var all []string
	for _, p := range f.older {
		all = append(all, f.href(p)+".js")
	}
	return all
}

// projectList is the list of projects beside the first page of the site.
func (f frontPage) projectList() projectsView {
	v := projectsView{All: link{Href: "index.html", Text: "All projects", Note: count(len(f.sessions))}}
	for i, p := range f.projects {
		l := link{Href: p.Path, Text: p.Name, Note: count(p.sessions)}
		switch {
		case i < someProjects || len(f.projects) == someProjects+1:
			v.Some = append(v.Some, l)
		case i < maxProjects:
			v.Other = append(v.Other, l)
		default:
			v.Missing = plural(len(f.projects)-maxProjects, "smaller project", "smaller projects") +
				" not listed: filter by name"
		}
	}
	if len(v.Other) > 0 {
		v.More = count(len(v.Other)) + " more"
	}
	return v
}

// months lists the months, each with a link to its newest session.
func (f frontPage) months() monthsView {
	var all []link
	parts := slices.Concat(f.shown, f.older)
	for i := 0; i < len(parts); {
		first, n := parts[i], 0
		href := f.href(first) + ".html"
		if i < len(f.shown) {
			href = "#main"
			if day := first.sessions[0].day; day != "" {
				href = "#" + dayAnchor(day)
			}
		}
		for ; i < len(parts) && parts[i].month == first.month; i++ {
			n += len(parts[i].sessions)
		}
		all = append(all, link{Href: href, Text: monthName(first.month), Note: count(n)})
	}
	if len(all) < 2 {
		return monthsView{}
	}
	v := monthsView{Some: all}
	if len(all) > someMonths+1 {
		v.Some, v.Other = all[:someMonths], all[someMonths:]
		v.More = count(len(v.Other)) + " more"
	}
	return v
}

// build says in a few lines what the site was made of.
func (f frontPage) build() []string {
	lines := []string{plural(len(f.sessions), "session", "sessions") + " from " +
		plural(f.Ledger.Files, "file", "files")}
	if f.Empty > 0 {
		lines = append(lines, plural(f.Empty, "empty session", "empty sessions")+" not listed")
	}
	archived := 0
	for _, s := range f.sessions {
		if s.Archived {
			archived++
		}
	}
	if archived > 0 {
		lines = append(lines, plural(archived, "archived session", "archived sessions")+", whose files are gone")
	}
	if n := f.Ledger.Lost; n > 0 {
		lines = append(lines, plural(n, "line", "lines")+" could not be read")
	}
	if n := f.Ledger.Generics(); n > 0 {
		lines = append(lines, plural(n, "record", "records")+" of unknown kind")
	}
	return lines
}

func (f frontPage) totals(t stats.Totals) []numberView {
	all := []numberView{
		{Name: one(len(f.sessions), "session", "sessions"), Value: count(len(f.sessions))},
		{Name: one(t.Prompts, "prompt", "prompts"), Value: count(t.Prompts)},
		{Name: one(t.Tools, "tool call", "tool calls"), Value: count(t.Tools)},
	}
	if t.Failed > 0 {
		all = append(all, numberView{Name: "failed", Value: count(t.Failed)})
	}
	if t.Tokens() > 0 {
		all = append(all, numberView{Name: "tokens", Value: short(t.Tokens()), Title: tokenWords(t)})
	}
	if t.Cost.Total() > 0 {
		all = append(all, numberView{Name: f.costWords(t.Cost), Value: dollars(t.Cost.Total().Dollars())})
	}
	if h := t.Time.Hours(); h >= 10 {
		all = append(all, numberView{Name: "in sessions", Value: count(int(h)) + " h"})
	} else if t.Time > 0 {
		all = append(all, numberView{Name: "in sessions", Value: span(t.Time)})
	}
	return all
}

// costWords say what kind of amount a cost is.
func (f frontPage) costWords(c stats.Cost) string {
	switch {
	case c.List == 0:
		return "by the logs"
	case f.Prices == "":
		return "at list price"
	}
	return "at list price of " + dateWords(f.Prices)
}

func dateWords(day string) string {
	t, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return day
	}
	return t.Format("2 Jan 2006")
}

// notes say what the numbers leave out.
func (f frontPage) notes(t stats.Totals) []string {
	var all []string
	if t.Cost.List > 0 {
		all = append(all, "List price is what the API would have charged, by request; a subscription pays something else.")
	}
	if t.Cost.List > 0 && t.Cost.Logged > 0 {
		all = append(all, dollars(t.Cost.Logged.Dollars())+" of the cost is what the logs say themselves.")
	}
	if t.Cost.Unpriced > 0 {
		all = append(all, short(t.Cost.Unpriced)+" tokens are of models without a known price and not in the cost.")
	}
	if t.Doubtful {
		all = append(all, "Output tokens are as reported: versions before 2.1.50 wrote placeholders.")
	}
	return all
}

// A modelView is one row of the table of models.
type modelView struct {
	Name, Requests, Input, CacheRead, Cache5m, Cache1h, Output, Cost string
}

// newModels puts the model that did most first.
func newModels(models []stats.Model) []modelView {
	models = slices.Clone(models)
	tokens := func(m stats.Model) int64 { return m.Usage.Context() + m.Usage.Output }
	slices.SortStableFunc(models, func(a, b stats.Model) int { return cmp.Compare(tokens(b), tokens(a)) })
	const most = 50
	var all []modelView
	for _, m := range models[:min(most, len(models))] {
		u := m.Usage
		all = append(all, modelView{
			Name: cmp.Or(oneLine(m.Name, 60), "no model named"), Requests: count(m.Requests),
			Input: short(u.Input), CacheRead: short(u.CacheRead),
			Cache5m: short(max(u.CacheWrite5m, u.CacheWrite-u.CacheWrite1h)), Cache1h: short(u.CacheWrite1h),
			Output: short(u.Output), Cost: newCost(stats.Totals{Cost: m.Cost}).Value,
		})
	}
	return all
}

// sumWords are the totals of a page in one line.
func sumWords(t stats.Totals) string {
	words := []string{plural(t.Sessions, "session", "sessions"), plural(t.Prompts, "prompt", "prompts"),
		plural(t.Tools, "tool call", "tool calls")}
	if t.Tokens() > 0 {
		words = append(words, short(t.Tokens())+" tokens")
	}
	if t.Cost.Total() > 0 {
		words = append(words, dollars(t.Cost.Total().Dollars()))
	}
	return strings.Join(words, " · ")
}
