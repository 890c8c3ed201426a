package indexpages

import (
	"crypto/sha256"
	"io"
	"strings"
	"time"

	"viewer/internal/stats"
	"viewer/render"
)

// Plan returns the index pages of a site, so that only those with new content are drawn:
//
//	index.html               totals, the year, the newest sessions
//	m/2026-03.html           sessions of an older month; 2026-03-2.html and so on if there are many
//	m/2026-03.js             the same for filters on the first page
//	p/<project>/index.html   one project, in the same way, with its months beside it
//
// A session changes the page that lists it and the first page of its project. It changes index.html only if that lists
// the session, or if a rounded total changes.
func Plan(s Site) []Page {
	p := indexPlanner{Planner: Planner{Site: s}}
	p.List = listOf(&s)
	sessions := p.List.all()
	p.projects = p.List.Projects()
	p.list(sessions, nil)
	byProject := make(map[string][]*indexed, len(p.projects))
	for _, session := range sessions {
		path := p.List.projects.all[session.project].Path
		byProject[path] = append(byProject[path], session)
	}
	for _, project := range p.projects {
		p.list(byProject[project.Path], &project.Project)
	}
	return p.Pages
}

// An indexPlanner lists the index pages of a site.
type indexPlanner struct {
	Planner
	projects []ProjectSum
}

// list plans the pages of the site, or of one project: the first one with the
// newest sessions, and one for each older part.
func (p *indexPlanner) list(sessions []*indexed, project *render.Project) {
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
	p.addFront(first, f)
	for i, o := range older {
		page := partPage{indexPlanner: p, project: project, first: first, part: o,
			root: strings.Repeat("../", strings.Count(folder, "/"))}
		if i > 0 {
			page.newer = older[i-1].name() + ".html"
		}
		if i+1 < len(older) {
			page.older = older[i+1].name() + ".html"
		}
		key := p.KeyOf(page.newer, page.older, p.sessionKeys(o.sessions))
		p.Add(folder+o.name()+".html", key, page.draw)
		if p.Large && i >= maxFiltered { // no page loads it
			continue
		}
		rows := folder + o.name() + ".js"
		p.Add(rows, key, func() []byte { return p.rowsScript(rows, o, root, project == nil) })
	}
}

// sessionKeys returns the keys of sessions.
func (p *indexPlanner) sessionKeys(sessions []*indexed) string {
	h := sha256.New()
	for _, s := range sessions {
		h.Write(s.key[:])
		io.WriteString(h, p.List.agent(s))
	}
	return string(h.Sum(nil))
}

// addFront adds a first page. The key of that of a site is its view and its rows: since it rounds totals, a session
// that it does not list changes it seldom.
func (p *indexPlanner) addFront(name string, f frontPage) {
	if f.project != nil {
		key := p.KeyOf(f.project.Name, f.project.Path, p.sessionKeys(f.sessions))
		p.Add(name, key, func() []byte { return f.draw(f.view()) })
		return
	}
	v := f.view()
	p.Add(name, p.KeyOfView(v, p.sessionKeys(f.listed())), func() []byte { return f.draw(v) })
}

// totals returns the totals of sessions.
func (l *List) totals(sessions []*indexed) stats.Totals {
	var t stats.Totals
	for _, s := range sessions {
		t.Accumulate(l.summary(s).Totals)
	}
	return t
}

// dayKey returns the UTC day of a session, "" when the log has no time.
func dayKey(s *render.Summary) string {
	if s.Start.IsZero() {
		return ""
	}
	return s.Start.UTC().Format(time.DateOnly)
}
