package insightpages

import (
	"testing"

	"viewer/internal/insights"
	"viewer/internal/stats"
	"viewer/internal/transcript"
)

// TestTrendPoints: the change of a part is the difference of the rounded percentages beside it.
func TestTrendPoints(t *testing.T) {
	part := trend{isPart: true}
	for _, c := range []struct {
		now, before float64
		want        string
	}{{4.4, 0.6, "+3 points"}, {96.5, 95.6, "0 points"}, {0.4, 1.2, "−1 point"}} {
		if got := part.change(c.now, c.before); got != c.want {
			t.Errorf("%s after %s changed by %q, want %q", percents(c.now), percents(c.before), got, c.want)
		}
	}
}

// TestTrendWithoutPrice: a period whose tokens have no price, or whose logs have no tokens, does not seem cheaper.
func TestTrendWithoutPrice(t *testing.T) {
	model := func(tokens int64, c stats.Cost) []stats.Model {
		return []stats.Model{{Name: "m", Usage: transcript.Usage{Output: tokens}, Cost: c}}
	}
	const dollar = stats.Money(1e12)
	priced := model(1000, stats.Cost{List: 2 * dollar})
	for name, c := range map[string]struct {
		models             []stats.Model
		cost, costChange   string
		tokens, tokensLost string
	}{
		"a price":     {model(500, stats.Cost{List: dollar}), "$1.00", "−50 %", "500", "−50 %"},
		"no price":    {model(500, stats.Cost{Unpriced: 500}), "–", "", "500", "−50 %"},
		"some prices": {model(500, stats.Cost{List: dollar, Unpriced: 250}), "$1.00", "", "500", "−50 %"},
		"nearly all":  {model(500, stats.Cost{List: dollar, Unpriced: 5}), "$1.00", "−50 %", "500", "−50 %"},
		"free":        {model(500, stats.Cost{}), "$0.00", "−100 %", "500", "−50 %"},
		"no tokens":   {nil, "–", "", "–", ""},
		"only a cost": {model(0, stats.Cost{Logged: dollar}), "$1.00", "−50 %", "–", ""},
	} {
		p := &insightsPage{total: new(insights.Total)}
		p.folder = func(int) string { return "f" }
		for i, models := range [][]stats.Model{priced, c.models} {
			date := []string{"2026-03-01", "2026-04-20"}[i]
			p.total.Add(i, &insights.Session{
				Days: []stats.Day{{Date: date, Models: models}},
				Rows: []insights.Row{{Kind: insights.Activity, Name: date, Count: 4}},
			})
		}
		rows := p.trendBox().Rows
		got := [4]string{rows[1].Cells[1].Text, rows[1].Cells[3].Text, rows[2].Cells[1].Text, rows[2].Cells[3].Text}
		if want := [4]string{c.cost, c.costChange, c.tokens, c.tokensLost}; got != want {
			t.Errorf("%s: cost and new tokens are %q, want %q", name, got, want)
		}
	}
}
