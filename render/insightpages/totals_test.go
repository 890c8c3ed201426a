package insightpages

import (
	"slices"
	"testing"

	"viewer/internal/insights"
	"viewer/internal/stats"
	"viewer/render/page"
)

// TestTotalOfOneCall: a single call is in the singular.
func TestTotalOfOneCall(t *testing.T) {
	for calls, want := range map[int]string{1: "of 1 call failed", 2: "of 2 calls failed"} {
		p := insightsPage{total: &insights.Total{}, spent: stats.Totals{Tools: calls}}
		all := p.totals(func(string) string { return "" })
		if !slices.ContainsFunc(all, func(n page.Number) bool { return n.Name == want }) {
			t.Errorf("the totals are %+v, want %q", all, want)
		}
	}
}

// TestLoopsAddUp: a row has the calls of several loops, so the list is not one of the longest.
func TestLoopsAddUp(t *testing.T) {
	p := insightsPage{total: &insights.Total{}}
	if got := p.loopsBox().Title; got != "Loops" {
		t.Errorf("got %q, want Loops", got)
	}
}
