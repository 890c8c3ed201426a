package page

import "testing"

// TestLastDay: days of a wrong clock are not the last, unless there are no more of the others.
func TestLastDay(t *testing.T) {
	for want, days := range map[string][]string{
		"":           {"", "soon"},
		"2026-03-03": {"2026-03-02", "", "2026-03-03", "2025-01-01"},
		"2026-03-02": {"2099-01-01", "2026-03-02", "2026-03-01"},
		"2026-04-01": {"2099-01-01", "2060-01-01", "2026-04-01", "2020-03-01", "2020-01-01"},
		"2099-01-01": {"2099-01-01"},
		"2027-01-01": {"2027-01-01", "1970-01-01"},
		"2027-01-03": {"2027-01-03", "2027-01-02", "1970-01-01"},
		"2026-02-01": {"2099-01-02", "2099-01-01", "2026-02-01", "2026-01-01", "2025-01-01"},
	} {
		if got := LastDay(days); got != want {
			t.Errorf("%q: got %q, want %q", days, got, want)
		}
	}
}
