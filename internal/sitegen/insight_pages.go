package sitegen

import (
	"maps"
	"slices"

	"viewer/internal/fingerprint"
	"viewer/internal/insights"
	"viewer/render"
	"viewer/render/insightpages"
)

// planInsights plans the pages of insights: one of the site, and one of each project.
func (b *indexBuild) planInsights() (pagePlan, error) {
	var plan pagePlan
	if b.list.Len() == 0 {
		return plan, nil
	}
	var projects []render.Project
	for _, path := range slices.Sorted(maps.Keys(b.byProject)) {
		projects = append(projects, b.list.Listed(int(b.byProject[path][0])).Project)
	}
	all := newLongKey() // of the page of the site, which is made from the same as the others
	for i := range projects {
		of := b.byProject[projects[i].Path]
		key := b.insightsKey(projects[i], projects, of)
		all.Digest(key)
		if err := b.planInsightsPage(&plan, &projects[i], projects, key, of); err != nil {
			return plan, err
		}
	}
	everything := make([]int32, b.list.Len())
	for i := range everything {
		everything[i] = int32(i)
	}
	err := b.planInsightsPage(&plan, nil, projects, all.digest(), everything)
	return plan, err
}

// planInsightsPage plans the page of a project, nil for the site, unless the numbers on it have not changed. key is a
// hash of what they are made from.
func (b *indexBuild) planInsightsPage(
	plan *pagePlan, project *render.Project, projects []render.Project, key fingerprint.Digest, sessions []int32,
) error {
	name := insightpages.Path(project)
	inputs := "inputs of " + name
	b.setIndexKey(inputs, key)
	if b.isKnown(inputs, key) && b.out.Intact(name) {
		b.setIndexKey(name, b.old.IndexKeys[name])
		b.out.Keep(name)
		plan.kept++
		return nil
	}
	var rows []insights.Row // of one session after the other
	summary := func(i int) *render.Summary { return b.list.session(sessions[i]).listSummary() }
	counted := func(i int) insights.Session {
		s := b.list.session(sessions[i]).Insights(rows[:0])
		rows = s.Rows
		return s
	}
	return b.add(plan, insightpages.Plan(b.shown, project, projects, len(sessions), summary, counted))
}

// insightsKey returns a hash of everything that the insights of a project are made from.
func (b *indexBuild) insightsKey(
	project render.Project, projects []render.Project, sessions []int32,
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
		listed := b.list.Listed(int(i))
		r.Digest(listed.Key)
		r.Digest(b.list.get(listed.At).InsightsKey())
		r.flush()
	}
	return r.digest()
}
