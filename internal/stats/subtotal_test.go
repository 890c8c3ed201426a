package stats

import (
	"fmt"
	"slices"
	"testing"
	"time"
)

// TestSubtotals adds up sessions by what they worked on: a branch belongs to a project, a pull request does not.
func TestSubtotals(t *testing.T) {
	at := func(hour int) time.Time { return time.Date(2026, 3, 2, hour, 0, 0, 0, time.UTC) }
	spent := func(dollars int64) Totals { return Totals{Sessions: 1, Cost: Cost{List: Money(dollars * 1e12)}} }
	const one, two = "https://example.com/a/b/pull/1", "https://example.com/a/b/pull/2"
	sessions := []Worked{
		{Project: "a", Branch: "main", End: at(3), Totals: spent(1), PullRequests: []string{one}},
		{Project: "a", Branch: "main", End: at(5), Totals: spent(2), Agent: "tern"},
		{Project: "a", Branch: "fix", End: at(4), Totals: spent(9), PullRequests: []string{one, two}},
		{Project: "b", Branch: "main", Totals: spent(4), PullRequests: []string{two}},
	}
	show := func(all []Subtotal) (lines []string) {
		for _, s := range all {
			cost := s.Totals.Cost.Total().Dollars()
			lines = append(lines, fmt.Sprintf("%s %s %v $%v", s.Project, s.Name, s.Sessions, cost))
		}
		return lines
	}
	check := func(what string, all []Subtotal, want ...string) {
		t.Helper()
		if got := show(all); !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", what, got, want)
		}
	}
	check("branches", ByBranch(slices.Values(sessions)), "a main [0 1] $3", "a fix [2] $9", "b main [3] $4")
	check("coding agents", ByAgent(slices.Values(sessions)), "a tern [1] $2", "a  [0 2 3] $14")
	check("pull requests", ByPullRequest(slices.Values(sessions)),
		"a  [1] $2", "a "+one+" [0 2] $10", "a "+two+" [2 3] $13")
}
