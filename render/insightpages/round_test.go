package insightpages

import (
	"testing"
	"time"
)

// TestRound: numbers are rounded to the nearest one with two digits, not cut.
func TestRound(t *testing.T) {
	for d, want := range map[time.Duration]string{
		9*time.Hour + 24*time.Minute: "9h 20m", 9*time.Hour + 56*time.Minute: "10h 00m", 125 * time.Hour: "130 h",
		12*time.Hour + 53*time.Minute: "13 h", 12*time.Hour + 20*time.Minute: "12 h",
	} {
		if got := aboutTime(d); got != want {
			t.Errorf("%s is written %q, want %q", d, got, want)
		}
	}
	for f, want := range map[float64]string{9.94: "$9.90", 12.7: "$13", 12.4: "$12", 124.6: "$120", 125.2: "$130"} {
		if got := aboutDollars(f); got != want {
			t.Errorf("%v dollars are written %q, want %q", f, got, want)
		}
	}
}
