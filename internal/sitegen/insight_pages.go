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
	var everything []insightPart
	for i := range projects {
		sessions := b.byProject[projects[i].Path]
		parts := b.insightParts(sessions)
		key := b.insightsKey(projects[i], projects, sessions, parts)
		all.Digest(key)
		if err := b.planInsightsPage(&plan, &projects[i], projects, key, parts); err != nil {
			return plan, err
		}
		everything = append(everything, parts...)
	}
	err := b.planInsightsPage(&plan, nil, projects, all.digest(), everything)
	return plan, err
}

// planInsightsPage plans the page of a project, nil for the site, unless the numbers on it have not changed. key is a
// hash of what they are made from.
func (b *indexBuild) planInsightsPage(
	plan *pagePlan, project *render.Project, projects []render.Project, key fingerprint.Digest, parts []insightPart,
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
	total := new(insights.Total)
	for _, part := range parts {
		b.addInsights(total, part)
	}
	folder := func(i int) string { return b.list.session(int32(i)).Folder }
	return b.add(plan, insightpages.Plan(b.shown, project, projects, total, folder))
}

// insightsKey returns a hash of everything that the insights of a project are made from.
func (b *indexBuild) insightsKey(
	project render.Project, projects []render.Project, sessions []int32, parts []insightPart,
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
		r.Digest(b.list.Listed(int(i)).Key)
		r.flush()
	}
	for _, part := range parts {
		r.Digest(part.key)
	}
	return r.digest()
}
