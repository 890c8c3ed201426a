package insightpages

import "testing"

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
