package sitegen

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"viewer/internal/insights"
	"viewer/internal/stats"
	"viewer/internal/testing/corpus"
)

// TestInsightsAddUp compares insights with the totals of each session, which other code counts.
func TestInsightsAddUp(t *testing.T) {
	checkInsights(t, "../../testdata/projects")
	for _, source := range corpus.Share(corpus.Optional(t, "dev/*", "agents/*/*", "sdk/*", "synthetic")) {
		checkInsights(t, source)
	}
}

func checkInsights(t *testing.T, source string) {
	sessions, _, err := List(context.Background(), Options{Sources: []string{source}, Version: "test"},
		ListOptions{Insights: true})
	if errors.Is(err, ErrNone) { // a file, not a folder
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range sessions {
		var tools insights.Row
		var work time.Duration
		places := 0
		for _, r := range s.Insights.Rows {
			if r.Kind == insights.Activity {
				work += r.Time
			}
			if r.Kind == insights.Tool {
				tools.Count += r.Count
				tools.Failed += r.Failed
				if r.Place != "" {
					places++
				}
			}
		}
		if tools.Count != s.Totals.Tools || tools.Failed != s.Totals.Failed {
			t.Errorf("%s: tools have %d calls, %d failed; want %d, %d as in the session",
				s.File, tools.Count, tools.Failed,
				s.Totals.Tools, s.Totals.Failed)
		}
		if work != s.Totals.Work {
			t.Errorf("%s: days have %s of work, want %s as in the session", s.File, work, s.Totals.Work)
		}
		if s.Totals.Tools > 0 && places == 0 {
			t.Errorf("%s: no tool has a place, want some", s.File)
		}
		var days stats.Totals
		for _, day := range s.Insights.Days {
			days.Accumulate(stats.Totals{Models: day.Models})
			for _, m := range day.Models {
				days.Usage, days.Cost = days.Usage.Add(m.Usage), days.Cost.Add(m.Cost)
			}
		}
		if days.Usage != s.Totals.Usage || days.Cost != s.Totals.Cost {
			t.Errorf("%s: days have %+v, %+v; want %+v, %+v as in the session",
				s.File, days.Usage, days.Cost, s.Totals.Usage,
				s.Totals.Cost)
		}
		named := slices.DeleteFunc(days.Models, func(m stats.Model) bool { return m.Requests == 0 && m.Name == "" })
		if len(named) > len(s.Totals.Models) {
			t.Errorf("%s: days have %d models, want at most the %d of the session",
				s.File, len(named), len(s.Totals.Models))
		}
	}
}
