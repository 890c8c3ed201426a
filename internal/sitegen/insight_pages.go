package sitegen

import (
	"maps"
	"slices"

	"viewer/internal/fingerprint"
	"viewer/internal/insights"
	"viewer/render"
	"viewer/render/indexpages"
	"viewer/render/insightpages"
)

// planInsights plans the pages of insights: one of the site, and one of each project. A page whose numbers have not
// changed is kept and not planned; kept counts these. For write see planFiles.
func (b *builder) planInsights(
	site indexpages.Site, l *indexedSessions, write func([]indexpages.Page) error,
) (pages []indexpages.Page, kept int, err error) {
	if l.Len() == 0 {
		return nil, 0, nil
	}
	byProject := l.byProject()
	var projects []render.Project
	for _, path := range slices.Sorted(maps.Keys(byProject)) {
		projects = append(projects, l.Listed(int(byProject[path][0])).Project)
	}
	plan := func(project *render.Project, key fingerprint.Digest, sessions int, at func(int) int32) error {
		name := insightpages.Path(project)
		inputs := "inputs of " + name
		b.setIndexKey(inputs, key)
		if b.isKnown(inputs, key) && b.out.Intact(name) {
			b.setIndexKey(name, b.old.IndexKeys[name])
			b.out.Keep(name)
			kept++
			return nil
		}
		var rows []insights.Row // of one session after the other
		summary := func(i int) *render.Summary { return l.session(at(i)).listSummary() }
		page := insightpages.Plan(site, project, projects, sessions, summary, func(i int) insights.Session {
			counted := l.session(at(i)).Insights(rows[:0])
			rows = counted.Rows
			return counted
		})
		if write != nil {
			return write([]indexpages.Page{page})
		}
		pages = append(pages, page)
		return nil
	}
	all := newLongKey() // of the page of the site, which is made from the same as the others
	for _, project := range projects {
		of := byProject[project.Path]
		key := b.insightsKey(project, projects, l, of)
		all.Digest(key)
		if err := plan(&project, key, len(of), func(i int) int32 { return of[i] }); err != nil {
			return nil, 0, err
		}
	}
	err = plan(nil, all.digest(), l.Len(), func(i int) int32 { return int32(i) })
	return pages, kept, err
}

// insightsKey returns a hash of everything that the insights of a project are made from.
func (b *builder) insightsKey(
	project render.Project, projects []render.Project, l *indexedSessions, sessions []int32,
) fingerprint.Digest {
	r := newLongKey()
	r.Digest(b.site.base)
	r.Text(project.Name)
	for _, other := range projects {
		r.Text(other.Name)
		r.Text(other.Path)
	}
	r.flush()
	for _, i := range sessions {
		listed := l.Listed(int(i))
		r.Digest(listed.Key)
		r.Digest(l.get(listed.At).InsightsKey())
		r.flush()
	}
	return r.digest()
}
