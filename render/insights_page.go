package render

import (
	"encoding/json"
	"slices"
	"strings"

	"viewer/internal/insights"
	"viewer/internal/stats"
)

// insightsName is the page of insights of a site, and of a project below its folder.
const insightsName = "insights.html"

// InsightsPath is where the insights of a project are, those of the site for nil.
func InsightsPath(project *Project) string {
	if project == nil {
		return insightsName
	}
	return strings.TrimSuffix(project.Path, "index.html") + insightsName
}

// PlanInsights plans the page of insights of a site, or of a project, over some number of its sessions, the newest
// first. get gives a session and what was counted of it, until it is called again. The page is another when something
// that it shows is another: it rounds numbers, so that a session that grows changes it seldom.
func PlanInsights(s Site, project *Project, sessions int, get func(int) (*Summary, insights.Session)) IndexPage {
	p := insightsPage{Site: s, project: project, get: get, path: InsightsPath(project)}
	p.root = strings.Repeat("../", strings.Count(p.path, "/"))
	for i := range sessions {
		one, counts := get(i)
		p.total.Add(i, &counts)
		p.spent.Accumulate(one.Totals)
	}
	p.columns = columnsOf(&p.total)
	v := p.view()
	shown, err := json.Marshal(v)
	if err != nil {
		panic("render: " + err.Error())
	}
	key := (&indexPlanner{Site: s}).keyOf(p.path, string(shown))
	return IndexPage{Name: p.path, Key: key, HTML: func() []byte {
		return append(executePage(nil, "page/insights", v), '\n')
	}}
}

// An insightsPage is the page while it is planned.
type insightsPage struct {
	Site
	project *Project // nil for the whole site
	path    string
	root    string // from the page to the top of the site
	get     func(session int) (*Summary, insights.Session)
	total   insights.Total
	spent   stats.Totals
	columns []column
}

type insightsView struct {
	Head   headView
	Back   link
	About  string
	Totals []numberView
	Boxes  []insightBox
}

// An insightBox is one question with its answer: a chart, and the table behind it.
type insightBox struct {
	ID, Title, Note string
	Wide            bool
	Chart           *chartView
	Bars            []insightBar // a chart of one bar a row, where there is no Chart
	Columns         []string     // of the table, without its last, the links
	Rows            []insightRow
	Where           bool   // rows have links
	More            string // what the table leaves out
}

// An insightBar is a row of a chart.
type insightBar struct {
	Name, Value string
	Href        string
	Share       int // of the longest, in hundredths
	Bad         bool
}

// An insightRow is a row of a table.
type insightRow struct {
	Cells []string
	Links []link
	More  string
}

func (p *insightsPage) view() insightsView {
	title, crumbs := "Insights", []link{{Href: p.root + "index.html", Text: "Sessions"}}
	back := link{Href: p.root + "index.html", Text: "All sessions"}
	if p.project != nil {
		title = "Insights · " + p.project.Name
		back = link{Href: "index.html", Text: p.project.Name}
		crumbs = append(crumbs, back)
	}
	v := insightsView{
		Head: newHead("page-insights", title, p.Generator, p.root, append(crumbs, link{Text: "Insights"})), Back: back,
		About: "Counted over " + plural(p.total.Sessions, "session", "sessions") +
			" by fixed rules. Days and hours are in UTC, large numbers are rounded.",
		Totals: p.totals(),
	}
	v.Head.Description = "What sessions of coding agents cost, where their time went, and what failed."
	for _, box := range []insightBox{
		p.costBox(), p.trendBox(), p.cacheBox(), p.timeBox(), p.toolsBox(), p.failuresBox(), p.commandsBox(),
		p.mendedBox(), p.hooksBox(), p.deniedBox(), p.contextBox(), p.compactionBox(), p.loopsBox(), p.againBox(),
		p.unusedBox(), p.undoneBox(), p.peopleBox(), p.skillsBox(), p.agentsBox(), p.serversBox(), p.hoursBox(),
		p.notesBox(),
	} {
		if len(box.Rows) > 0 {
			box.Where = slices.ContainsFunc(box.Rows, func(r insightRow) bool { return len(r.Links) > 0 })
			v.Boxes = append(v.Boxes, box)
		}
	}
	return v
}

// totals are the figures that the page begins with.
func (p *insightsPage) totals() []numberView {
	t := p.spent
	var all []numberView
	add := func(is bool, value, name string) {
		if is {
			all = append(all, numberView{Name: name, Value: value})
		}
	}
	add(true, about(p.total.Sessions), one(p.total.Sessions, "session", "sessions"))
	add(t.Cost.Total() > 0, aboutDollars(t.Cost.Total().Dollars()), frontPage{
		indexPlanner: &indexPlanner{Site: p.Site}}.costWords(t.Cost))
	if context := t.Usage.Context(); context > 0 {
		add(true, percent(int(t.Usage.CacheRead>>10), int(context>>10)), "of input read from the cache")
	}
	add(t.Work > 0, aboutTime(t.Work), "at work")
	add(t.Tools > 0, percent(t.Failed, t.Tools), "of "+about(t.Tools)+" calls failed")
	if hooks := p.total.Sum(insights.Hook); hooks.Time > 0 {
		add(true, span(hooks.Time), "spent in hooks")
	}
	return all
}
