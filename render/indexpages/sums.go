package indexpages

import (
	"cmp"
	"slices"
	"strings"

	"viewer/internal/stats"
	"viewer/render"
)

// A ProjectSum adds up the sessions of a project.
type ProjectSum struct {
	render.Project
	Sessions int
	Spent    stats.Totals
}

// add adds a session. It keeps no memory of it.
func (s *ProjectSum) add(t stats.Totals) {
	s.Sessions++
	s.Spent.Accumulate(t)
}

// Projects returns the sums of all projects, those with most sessions first.
func (l *List) Projects() []ProjectSum {
	return slices.SortedFunc(slices.Values(l.sums), func(a, b ProjectSum) int {
		return cmp.Or(cmp.Compare(b.Sessions, a.Sessions), strings.Compare(a.Name, b.Name),
			strings.Compare(a.Path, b.Path))
	})
}

// Spent returns the sum of a project, or of all sessions for nil.
func (l *List) Spent(project *render.Project) (t stats.Totals) {
	for i := range l.sums {
		if project == nil || l.sums[i].Path == project.Path {
			t.Accumulate(l.sums[i].Spent)
		}
	}
	return t
}
