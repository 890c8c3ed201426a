package comparisonpages

import (
	"fmt"
	"testing"

	"viewer/internal/compare"
	"viewer/internal/export"
	"viewer/internal/report"
	"viewer/internal/testing/htmlcheck"
	"viewer/render/indexpages"
)

// TestManyRuns: a few runs have their texts in columns, more have them in folds below narrow columns of figures. A note
// that all runs have is said once.
func TestManyRuns(t *testing.T) {
	pageOf := func(runs int) string {
		c := &compare.Comparison{}
		for i := range runs {
			c.Runs = append(c.Runs, compare.Run{
				Title: fmt.Sprintf("Run %d", i), Page: fmt.Sprintf("s/%d/index.html", i),
				Agent: "Codex", Outcome: report.Success, Models: []string{"tern"},
				Asked: fmt.Sprintf("Dredge channel %d", i), Answer: "Dredged.",
				Spent: export.Spent{CostUSD: float64(i + 1), ListPrice: true},
				Steps: []compare.Step{{Asked: true, Name: "Prompt", Text: "Dredge", Key: fmt.Sprint(i)}},
			})
			c.Keys = append(c.Keys, fmt.Sprint(i))
		}
		c.Load = func(i int) compare.Run { return c.Runs[i] }
		return string(Plan(indexpages.Site{}, c)[0].HTML())
	}
	htmlcheck.Run(t, pageOf(fewBeside),
		htmlcheck.HasNot(".many"), htmlcheck.HasNot("#page-said"),
		htmlcheck.In("#page-figures tr:nth-child(4) th", htmlcheck.IsText("Asked")),
		htmlcheck.In("#page-figures thead small", htmlcheck.IsText("Codex · tern")),
		htmlcheck.In("#page-partings b", htmlcheck.IsText("A, B, C and D part at step 1")),
	)
	htmlcheck.Run(t, pageOf(fewBeside+1),
		htmlcheck.Count(".many", 2),
		htmlcheck.HasNot("#page-figures thead small"),
		htmlcheck.In("#page-figures tr:nth-child(8) th", htmlcheck.IsText("Cost list price")),
		htmlcheck.In("#page-figures tr:nth-child(8) td", htmlcheck.IsText("$1.00")),
		htmlcheck.Count("#page-said details", fewBeside+1),
		htmlcheck.In("#page-said details", htmlcheck.IsText("A Run 0Asked Dredge channel 0Answer Dredged.")),
		htmlcheck.In("#page-partings b", htmlcheck.IsText("All part at step 1")),
	)
}
