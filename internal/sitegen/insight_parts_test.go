package sitegen

import (
	"maps"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"viewer/internal/fingerprint"
	"viewer/internal/insights"
	"viewer/internal/sitegen/output"
	"viewer/internal/sitegen/state"
	"viewer/internal/testing/manysessions"
)

// TestKeptInsights: a build adds up the insights of parts that have changed, and takes the sums of others from the
// state. A build that checks all pages adds up all.
func TestKeptInsights(t *testing.T) {
	source := t.TempDir()
	if err := manysessions.Write(source, 40); err != nil {
		t.Fatal(err)
	}
	settle(t, source)
	o := Options{Sources: []string{source}, Out: t.TempDir(), Version: "test", insightPart: 2}
	grow := func(session int) {
		t.Helper()
		file := filepath.Join(source, manysessions.Path(session))
		appendTo(t, file, manysessions.Record(session, 7, "user", "And the harbour?"))
		mustBuild(t, o)
	}
	isRight := func() bool {
		return strings.Contains(string(read(t, filepath.Join(o.Out, "insights.html"))), "over 40 sessions")
	}
	mustBuild(t, o)
	first := changeSums(t, o, func(map[fingerprint.Digest]state.InsightSum) {})
	grow(3)
	compareClean(t, o)
	if now := changeSums(t, o, func(sums map[fingerprint.Digest]state.InsightSum) {
		for key := range sums {
			sums[key] = state.NewInsightSum(&insights.Total{Sessions: 1000})
		}
	}); len(first) < 2*manysessions.Projects || !reflect.DeepEqual(now, first) {
		t.Errorf("after an append %d sums are stored, want the %d of before: two of each project", len(now), len(first))
	}
	if grow(5); isRight() {
		t.Error("the build does not use the sums in the state")
	}
	o.Verify = true
	if mustBuild(t, o); !isRight() {
		t.Error("a build that checks all pages uses the sums in the state")
	}
	compareClean(t, o)
}

// changeSums changes the stored sums of insights, and returns them as they were.
func changeSums(
	t *testing.T, o Options, change func(map[fingerprint.Digest]state.InsightSum),
) (totals map[fingerprint.Digest]*insights.Total) {
	t.Helper()
	withState(t, o, func(s *state.State, out *output.Writer) {
		var details output.Spool
		defer details.Close()
		s.ReadSessions(out, &details)
		totals = make(map[fingerprint.Digest]*insights.Total)
		for key, sum := range s.InsightSums {
			totals[key] = new(insights.Total)
			sum.AddTo(totals[key], []int32{0, 1})
		}
		before := maps.Clone(s.InsightSums)
		if change(s.InsightSums); !maps.Equal(before, s.InsightSums) {
			if err := s.Write(out, nil); err != nil {
				t.Fatal(err)
			}
		}
	})
	return totals
}
