package indexpages

import (
	"slices"
	"strings"

	"viewer/internal/words"
	"viewer/render"
	"viewer/render/page"
)

// frontPage is the first page of the site, or of a project.
type frontPage struct {
	*indexPlanner
	project      *render.Project // nil for the whole site
	root         string          // from the page to the top of the site
	folder       string          // folder of the pages of older parts, from the page
	sessions     []*indexed
	shown, older []monthPart
}

type frontView struct {
	Head       page.Head
	Title      string
	Failures   []string // of a report, on the first page of the site
	Sample     *invitation
	SideTitle  string // title of the lists next to the page
	Projects   projectsView
	Months     monthsView
	Build      []string
	Totals     []page.Number
	Models     []page.Model
	Notes      []string // remarks about the numbers
	Newest     *yearView
	Years      []yearView // earlier years
	Subtotals  []subtotalsView
	Comparison string // address of the page that compares the sessions
	Files      string // address of the page of changed files
	Insights   string // address of the page of insights
	Numbers    bool   // there are earlier years, subtotals or models
	Bar        barView
	Sets       []setView
	Older      string // address of the next older page
	Problems   *render.ProblemsView
	LostNotes  *render.NotesView
	Ledger     []render.LedgerRow
}

// Maximum lengths of lists beside the page.
const (
	someProjects = 8
	maxProjects  = 500
	someMonths   = 6
)

// view returns the page without the rows of sessions, which take the longest to make.
func (f frontPage) view() frontView {
	title, class, crumbs := "Sessions", "page-index", []page.Link{{Text: "Sessions"}}
	if f.project != nil {
		title, class = f.project.Name, "page-project"
		crumbs = []page.Link{{Href: f.root + "index.html", Text: "Sessions"}, {Text: title}}
	}
	all := f.List.Spent(f.project)
	v := frontView{
		Head: page.NewHead(class, title, f.Generator, f.root, crumbs), Title: title, Sample: f.invite(),
		Months: f.months(), Totals: f.totals(all), Models: page.NewModels(all.Models, f.amounts()), Notes: f.notes(all),
		Bar: newBar(f.List, f.sessions, f.project == nil),
	}
	v.Head.Title, v.Head.Description = "Sessions of coding agents", describesIndex
	if f.project != nil {
		v.Head.Title = title + " · sessions"
	}
	if len(v.Models) == 1 && all.Tokens() == 0 {
		v.Models = nil
	}
	if years := f.years(); len(years) > 0 {
		v.Newest, v.Years = &years[0], years[1:]
	}
	if f.project != nil {
		v.Subtotals = f.subtotals()
		if slices.ContainsFunc(f.sessions, func(s *indexed) bool { return s.hasFiles }) {
			v.Files = "files/index.html"
		}
	}
	if f.Site.Insights {
		v.Insights = InsightsName
	}
	v.Numbers = len(v.Years)+len(v.Subtotals)+len(v.Models) > 0
	v.Bar.More, v.Bar.Beyond = f.more()
	if len(f.older) > 0 {
		v.Older = f.href(f.older[0]) + ".html"
	}
	if f.project == nil {
		v.Failures, v.Comparison = f.Failures, f.Comparison
		v.Projects = f.projectList()
		v.Build, v.Ledger, v.Problems = f.build(), f.Ledger.Rows(all, f.amounts()), render.ProblemsOf(f.Problems)
		v.LostNotes = render.LostNotesOf(f.LostNotes, f.root)
	} else {
		v.Projects.All = page.Link{Href: f.root + "index.html", Text: "All sessions"}
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
	return v
}

// listed returns the sessions with a row on the page.
func (f frontPage) listed() []*indexed {
	var all []*indexed
	for _, p := range f.shown {
		all = append(all, p.sessions...)
	}
	return all
}

// draw draws the page from its view.
func (f frontPage) draw(v frontView) []byte {
	v.Sets = newSets(f.List, f.listed(), f.root, f.project == nil)
	size := pageFrame
	for _, p := range f.shown {
		size += p.weight
	}
	return page.DrawWhole(make([]byte, 0, size), "page/index", v)
}

// href returns the address of a part from this page, without extension.
func (f frontPage) href(p monthPart) string { return f.folder + p.name() }

// more returns the script files with the rows of older parts, and a remark about those that a large site leaves out.
func (f frontPage) more() (files, beyond string) {
	var all []string
	older := f.older
	if f.Large && len(older) > maxFiltered {
		left := 0
		for _, p := range older[maxFiltered:] {
			left += len(p.sessions)
		}
		older = older[:maxFiltered]
		beyond = words.Plural(left, "older session", "older sessions") +
			" not searched: choose a month or a project, or search"
	}
	for _, p := range older {
		all = append(all, f.href(p)+".js")
	}
	return strings.Join(all, " "), beyond
}

// describesIndex is the description of a shared link to an index.
const describesIndex = "Sessions of coding agents: what was asked, how it ended, and every step between."
