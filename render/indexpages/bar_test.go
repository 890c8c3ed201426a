package indexpages

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"viewer/render"
)

// TestBar counts the values by which sessions can be filtered.
func TestBar(t *testing.T) {
	day := time.Date(2026, 5, 31, 23, 0, 0, 0, time.UTC)
	var sessions []render.Summary // of two projects, in May 2026 and earlier, the last without a time
	for n, s := range manySessions(5, 2, 0) {
		s.Start = day.AddDate(0, 0, -15*n)
		s.Totals.Failed, s.Totals.Agents, s.Kept = n%2, 0, n == 2
		sessions = append(sessions, s)
	}
	sessions[4].Start = time.Time{}
	sessions[1].Models = []string{"claude-fable-5", "another\x00"} // names are whatever a log says
	lines := func(v barView) (all []string) {
		for _, f := range v.Facets {
			for _, value := range f.Values {
				all = append(all, fmt.Sprintf("%s %s%s %d", f.Name, value.Value, value.Text, value.N))
			}
		}
		for _, f := range v.Flags {
			all = append(all, fmt.Sprintf("%s %s %d", f.Name, f.Text, f.N))
		}
		return append(all, v.First, v.Last)
	}
	for _, c := range []struct {
		name     string
		sessions []render.Summary
		named    bool
		want     []string
	}{
		{"a site", sessions, true, []string{
			"project project-0 3", "project project-1 2", "model claude-fable-5 5", "model another\x00 1",
			"month 2026-05May 2026 3", "month 2026-04April 2026 1", "month undatedNo time in the log 1",
			"failed Failed 2", "kept Files gone 1", "2026-04-16", "2026-05-31"}},
		{"a project", sessions[:2], false, []string{
			"model claude-fable-5 2", "model another\x00 1", "month 2026-05May 2026 2", "failed Failed 1", "2026-05-16",
			"2026-05-31"}},
		{"one session", sessions[:1], true, []string{"2026-05-31", "2026-05-31"}},
		{"none", nil, true, []string{"", ""}},
	} {
		l := listOf(&Site{Sessions: c.sessions})
		if got := lines(newBar(l, l.all(), c.named)); !slices.Equal(got, c.want) {
			t.Errorf("%s:\n got %q\nwant %q", c.name, got, c.want)
		}
	}
}

// TestBarBounds: of more values than a list has space for, the most frequent ones are kept.
func TestBarBounds(t *testing.T) {
	l := listOf(&Site{Sessions: append(manySessions(maxProjects+50, maxProjects+50, time.Minute),
		summary(1, "project-540", time.Now()))})
	v := newBar(l, l.all(), true)
	projects := v.Facets[0].Values
	if len(projects) != maxProjects || projects[0].Text != "project-540" || projects[0].N != 2 {
		t.Errorf("%d projects, the first %v, want %d and project-540 with 2", len(projects), projects[0], maxProjects)
	}
}
