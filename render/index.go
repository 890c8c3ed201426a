package render

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"slices"
	"strings"
	"time"

	"viewer/assets"
	"viewer/internal/stats"
	"viewer/internal/transcript"
)

// A Site is what its index pages show.
type Site struct {
	Sessions  []Summary // those with pages, in any order
	List      *List     // of the sessions; nil: it is made
	Problems  []transcript.Problem
	Ledger    Ledger
	Empty     int      // sessions that hold no conversation and have no row
	Failures  []string // of a report, see report.Facts
	Sample    string   // said when the site is the embedded sample
	Prices    string   // the day of the list prices, "2026-11-01"
	Generator string
	Insights  bool // there are pages of insights
	Search    bool // there is a search index
	Large     bool // of so many sessions that no page or script may grow with their number

	LostNotes  []LostNote // that no session shows
	Comparison string     // path of the page that compares the sessions, "" if there is none
}

// A Key stands for all that index pages show of a session: the same key, the same rows.
type Key [16]byte

// An IndexPage is an index page that is not drawn yet.
type IndexPage struct {
	Name string // below the top of the site: "index.html", "m/2026-03.html", "p/ledger-api/index.html"
	Key  string // stands for all that it shows: the same key, the same bytes
	HTML func() []byte
}

// PlanIndexes says which index pages a site has, so that only those need to be
// drawn that show something new:
//
//	index.html               totals, the year, the newest sessions
//	m/2026-03.html           sessions of an older month; 2026-03-2.html ... when they are many
//	m/2026-03.js             the same for a search that goes beyond the first page
//	p/<project>/index.html   one project, in the same way, with its months beside it
//
// What changes with a session is the page that lists it and the first page of
// its project. index.html is another when it lists the session, or when a
// rounded total changes.
func PlanIndexes(s Site) []IndexPage {
	p := indexPlanner{Site: s}
	p.List = listOf(&s)
	sessions := p.List.all()
	p.projects = p.List.countProjects()
	p.list(sessions, nil)
	byProject := make(map[string][]*indexed, len(p.projects))
	for _, session := range sessions {
		path := p.List.projects.all[session.project].Path
		byProject[path] = append(byProject[path], session)
	}
	for _, project := range p.projects {
		p.list(byProject[project.Path], &project.Project)
	}
	return p.pages
}

// An indexPlanner lists the index pages of a site.
type indexPlanner struct {
	Site
	projects []projectCount
	pages    []IndexPage
}

type projectCount struct {
	Project
	sessions int
}

// countProjects lists the projects, those with most sessions first.
func (l *List) countProjects() []projectCount {
	all := make([]projectCount, len(l.projects.all))
	for i, p := range l.projects.all {
		all[i].Project = p
	}
	for i := range l.sessions {
		all[l.sessions[i].project].sessions++
	}
	slices.SortFunc(all, func(a, b projectCount) int {
		return cmp.Or(cmp.Compare(b.sessions, a.sessions), strings.Compare(a.Name, b.Name),
			strings.Compare(a.Path, b.Path))
	})
	return all
}

// list plans the pages of the site, or of one project: the first one with the
// newest sessions, and one for each older part.
func (p *indexPlanner) list(sessions []*indexed, project *Project) {
	first, folder, root := "index.html", "m/", ""
	if project != nil {
		first = project.Path
		folder, root = strings.TrimSuffix(first, "index.html"), strings.Repeat("../", strings.Count(first, "/"))
	}
	sizes := usualSizes
	if p.Large {
		sizes = largeSizes
	}
	parts := sizes.partsOf(p.List, sessions)
	n := sizes.newest(parts)
	shown, older := parts[:n], parts[n:]
	f := frontPage{indexPlanner: p, project: project, root: root, sessions: sessions, shown: shown, older: older}
	if project == nil {
		f.folder = folder
	}
	p.add(first, p.frontKey(f), f.draw)
	for i, o := range older {
		page := partPage{indexPlanner: p, project: project, first: first, part: o,
			root: strings.Repeat("../", strings.Count(folder, "/"))}
		if i > 0 {
			page.newer = older[i-1].name() + ".html"
		}
		if i+1 < len(older) {
			page.older = older[i+1].name() + ".html"
		}
		key := p.keyOf(page.newer, page.older, p.sessionKeys(o.sessions))
		p.add(folder+o.name()+".html", key, page.draw)
		if p.Large && i >= mostFiltered { // which nobody loads
			continue
		}
		rows := folder + o.name() + ".js"
		p.add(rows, key, func() []byte { return p.rowsScript(rows, o, root, project == nil) })
	}
}

func (p *indexPlanner) add(name, key string, draw func() []byte) {
	p.pages = append(p.pages, IndexPage{Name: name, Key: key, HTML: draw})
}

// keyOf is the key of a page with all that every page depends on.
func (p *indexPlanner) keyOf(parts ...string) string {
	h := sha256.New()
	for _, s := range append([]string{p.Generator, p.Prices, p.Sample, p.Comparison, assets.Stylesheet().Name,
		assets.Script().Name, strings.Join(p.Failures, "\n")}, parts...) {
		h.Write([]byte(s))
		h.Write([]byte{0})
	}
	if p.Large {
		h.Write([]byte("large"))
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// sessionKeys stands for all that is shown of sessions.
func (p *indexPlanner) sessionKeys(sessions []*indexed) string {
	h := sha256.New()
	for _, s := range sessions {
		h.Write(s.key[:])
		io.WriteString(h, p.List.agent(s))
	}
	return string(h.Sum(nil))
}

// frontKey is the key of a first page. That of the site shows the projects, the
// problems and the ledger too.
func (p *indexPlanner) frontKey(f frontPage) string {
	if f.project != nil {
		return p.keyOf(f.project.Name, f.project.Path, p.sessionKeys(f.sessions))
	}
	about, err := json.Marshal(struct {
		Problems []transcript.Problem
		Ledger   Ledger
		Empty    int
		Notes    []LostNote `json:",omitempty"`
	}{p.Problems, p.Ledger, p.Empty, p.LostNotes})
	if err != nil {
		panic("render: " + err.Error())
	}
	return p.keyOf(string(about), p.sessionKeys(f.sessions))
}

// totals are the numbers of many sessions.
func (l *List) totals(sessions []*indexed) stats.Totals {
	var t stats.Totals
	for _, s := range sessions {
		t.Accumulate(l.summary(s).Totals)
	}
	return t
}

// dayKey is the UTC day of a session, "" when the log has no time.
func dayKey(s *Summary) string {
	if s.Start.IsZero() {
		return ""
	}
	return s.Start.UTC().Format(time.DateOnly)
}
