package insightpages

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"viewer/internal/insights"
	"viewer/internal/stats"
	"viewer/internal/words"
	"viewer/render"
	"viewer/render/indexpages"
	"viewer/render/page"
)

// Path returns the path of the insights of a project, or of the site for nil.
func Path(project *render.Project) string {
	if project == nil {
		return indexpages.InsightsName
	}
	return strings.TrimSuffix(project.Path, "index.html") + indexpages.InsightsName
}

// Plan plans the page of insights of a site, or of a project. total has the insights of its sessions, with the newest
// as the first, and folder returns the folder of one. The page rounds numbers, so that a growing session changes it
// seldom. projects are those of the site.
func Plan(s indexpages.Site, project *render.Project, projects []render.Project, total *insights.Total,
	folder func(session int) string) indexpages.Page {
	p := insightsPage{Site: s, project: project, projects: projects, folder: folder, path: Path(project),
		total: total, spent: s.List.Spent(project)}
	p.root = strings.Repeat("../", strings.Count(p.path, "/"))
	p.planColumns()
	v := p.view()
	key := (&indexpages.Planner{Site: s}).KeyOfView(v, p.path)
	return indexpages.Page{Name: p.path, Key: key, HTML: func() []byte {
		return page.DrawWhole(nil, "page/insights", v)
	}}
}

// An insightsPage is the page while it is planned.
type insightsPage struct {
	indexpages.Site
	project  *render.Project // nil for the whole site
	projects []render.Project
	path     string
	root     string // from the page to the top of the site
	folder   func(session int) string
	total    *insights.Total
	spent    stats.Totals
	columns  []column
	rest     column // everything that is in no other column
}

type insightsView struct {
	Head   page.Head
	Title  string
	Back   page.Link
	About  string
	Totals []page.Number
	Boxes  []insightBox
	For    []page.Link // insights of other projects
}

// An insightBox is one question with its answer: a chart, and the table behind it.
type insightBox struct {
	ID, Title, Note string
	Wide            bool
	Chart           *chartView
	Bars            []insightBar // a chart with a bar for each row, if Chart is nil
	Columns         []string     // of the table, except for the last one with links
	Rows            []insightRow
	Where           bool   // rows have links
	More            string // describes what the table leaves out
}

// An insightBar is a row of a chart.
type insightBar struct {
	Name, Value string
	Href        string
	Share       int // of the longest, in hundredths
	Bad         bool
}

// An insightCell is a cell of a table.
type insightCell struct{ Text, Href string }

// An insightRow is a row of a table.
type insightRow struct {
	Cells []insightCell
	Links []page.Link
	More  string
}

func (p *insightsPage) view() insightsView {
	title, crumbs := "Insights", []page.Link{{Href: p.root + "index.html", Text: "Sessions"}}
	back := page.Link{Href: p.root + "index.html", Text: "All sessions"}
	if p.project != nil {
		title = "Insights · " + p.project.Name
		back = page.Link{Href: "index.html", Text: p.project.Name}
		crumbs = append(crumbs, back)
	}
	v := insightsView{
		Head:  page.NewHead("page-insights", title, p.Generator, p.root, append(crumbs, page.Link{Text: "Insights"})),
		Title: title, Back: back,
		About: "Counted over " + words.Count(p.total.Sessions) + words.One(p.total.Sessions, " session", " sessions") +
			" by fixed rules. Days and hours are in UTC, other large numbers are rounded.",
		For: p.others(),
	}
	v.Head.Description = "What sessions of coding agents cost, where their time went, and what failed."
	for _, box := range []insightBox{
		p.costBox(), p.projectsBox(), p.trendBox(), p.tokensBox(), p.callsBox(), p.cacheBox(), p.timeBox(),
		p.toolsBox(), p.failuresBox(), p.commandsBox(), p.mendedBox(), p.hooksBox(), p.deniedBox(), p.contextBox(),
		p.contextAtBox(), p.compactionBox(), p.loopsBox(), p.againBox(), p.unusedBox(), p.undoneBox(), p.peopleBox(),
		p.skillsBox(), p.agentsBox(), p.serversBox(), p.hoursBox(),
		p.notesBox(),
	} {
		if len(box.Rows) > 0 {
			box.Where = slices.ContainsFunc(box.Rows, func(r insightRow) bool { return len(r.Links) > 0 })
			v.Boxes = append(v.Boxes, box)
		}
	}
	v.Totals = p.totals(func(id string) string {
		if slices.ContainsFunc(v.Boxes, func(b insightBox) bool { return b.ID == id }) {
			return "#" + id
		}
		return ""
	})
	return v
}

// maxOthers is the maximum number of listed projects.
const maxOthers = 30

// others returns links to the insights of other projects, and of all.
func (p *insightsPage) others() (all []page.Link) {
	if len(p.projects) < 2 {
		return nil
	}
	if p.project != nil {
		return []page.Link{{Href: p.root + indexpages.InsightsName, Text: "All projects"}}
	}
	projects := slices.Clone(p.projects)
	slices.SortFunc(projects, func(a, b render.Project) int {
		return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.Path, b.Path))
	})
	for _, one := range projects[:min(len(projects), maxOthers)] {
		all = append(all, page.Link{Href: p.root + Path(&one), Text: one.Name})
	}
	return all
}

// totals returns the figures at the top of the page. box returns the address of a box, "" if the page does not have it.
func (p *insightsPage) totals(box func(id string) string) []page.Number {
	t := p.spent
	var all []page.Number
	add := func(is bool, value, name, href string) {
		if is {
			all = append(all, page.Number{Name: name, Value: value, Href: href})
		}
	}
	add(true, words.Count(p.total.Sessions), words.One(p.total.Sessions, "session", "sessions"), "index.html")
	add(t.Cost.Total() > 0, aboutDollars(t.Cost.Total().Dollars()), p.CostWords(t.Cost), box("cost"))
	context := t.Usage.Context()
	part := words.Percent(int(t.Usage.CacheRead>>10), int(context>>10))
	add(context > 0, part, "of input read from the cache", box("cache"))
	add(t.Work > 0, aboutTime(t.Work), "at work", box("time"))
	failed := cmp.Or(p.search("is:error kind:tool"), box("failures"))
	if t.Failed == 0 {
		failed = box("tools")
	}
	calls := words.One(t.Tools, " call", " calls")
	add(t.Tools > 0, words.Percent(t.Failed, t.Tools), "of "+about(t.Tools)+calls+" failed", failed)
	hooks := p.spentOn(insights.OnHooks)
	add(hooks > 0, aboutTime(hooks), "spent in hooks", cmp.Or(box("hooks"), box("time")))
	return all
}

// spentOn returns the time of the sessions that "Where time goes" shows beside a name.
func (p *insightsPage) spentOn(name string) time.Duration {
	for _, s := range p.total.Of(insights.TimeSpent) {
		if s.Name == name {
			return s.Time
		}
	}
	return 0
}
