package sitegen

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"viewer/internal/codec"
	"viewer/internal/fingerprint"
	"viewer/internal/insights"
	"viewer/render"
)

// planInsights plans the pages of insights: one of the site, and one of each project. Where nothing that was counted
// is another, the page stays as it is and is not planned; kept counts these.
func (b *builder) planInsights(site render.Site, sessions []indexed) (pages []render.IndexPage, kept int) {
	if len(sessions) == 0 {
		return nil, 0
	}
	sessions = slices.Clone(sessions)
	slices.SortFunc(sessions, func(a, b indexed) int {
		return cmp.Or(b.start.Compare(a.start), strings.Compare(a.Folder, b.Folder))
	})
	byProject := make(map[string][]indexed)
	for _, s := range sessions {
		path := s.summary.Project.Path
		byProject[path] = append(byProject[path], s)
	}
	plan := func(project *render.Project, sessions []indexed) {
		name := render.InsightsPath(project)
		inputs := "inputs of " + name
		key := b.insightsKey(project, sessions)
		b.next.IndexKeys[inputs] = key
		if b.old.IndexKeys[inputs] == key && !b.Force && !b.Verify && b.out.Intact(name) {
			b.next.IndexKeys[name] = b.old.IndexKeys[name]
			b.out.Keep(name)
			kept++
			return
		}
		summaries := make([]*render.Summary, len(sessions))
		for i, s := range sessions {
			summaries[i] = s.summary
		}
		pages = append(pages, render.PlanInsights(site, project, summaries,
			func(i int) insights.Session { return sessions[i].Insights() }))
	}
	for _, path := range slices.Sorted(maps.Keys(byProject)) {
		plan(&byProject[path][0].summary.Project, byProject[path])
	}
	plan(nil, sessions)
	return pages, kept
}

// insightsKey stands for all that a page of insights is made from.
func (b *builder) insightsKey(project *render.Project, sessions []indexed) fingerprint.Digest {
	r := make(codec.Encoder, 0, 32*len(sessions))
	r.Digest(b.site.base)
	if project != nil {
		r.Text(project.Name)
	}
	for _, s := range sessions {
		r.Digest(s.SummaryKey())
		r.Digest(s.InsightsKey())
	}
	return fingerprint.Of(r)
}
