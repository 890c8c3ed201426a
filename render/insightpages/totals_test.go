package insightpages

import (
	"slices"
	"testing"

	"viewer/internal/insights"
	"viewer/internal/stats"
	"viewer/normalize"
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

// TestContextOrder: groups of sessions by their context are in the order of size, not of how many sessions they have.
func TestContextOrder(t *testing.T) {
	total := &insights.Total{}
	for i, name := range []string{"100k to 150k", "25k to 50k", "100k to 150k", "500k and more", "below 25k"} {
		total.Add(i, &insights.Session{Rows: []insights.Row{{Kind: insights.Context, Name: name, Count: 1}}})
	}
	var got []string
	p := insightsPage{total: total, folder: func(int) string { return "s" }}
	for _, bar := range p.contextBox().Bars {
		got = append(got, bar.Name)
	}
	if want := []string{"below 25k", "25k to 50k", "100k to 150k", "500k and more"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestDeniedNames: the words for who stopped a call fit beside a bar.
func TestDeniedNames(t *testing.T) {
	total := &insights.Total{}
	total.Add(0, &insights.Session{Rows: []insights.Row{
		{Kind: insights.Denied, Name: "Bash", Detail: normalize.ByNobody.String(), Count: 1},
	}})
	p := insightsPage{total: total, folder: func(int) string { return "s" }}
	box := p.deniedBox()
	if bar, row := box.Bars[0].Name, box.Rows[0].Cells[0].Text; bar != "Bash: nobody to ask" ||
		row != "Bash: nobody was there to ask" {
		t.Errorf("got %q beside the bar and %q in the table", bar, row)
	}
}
