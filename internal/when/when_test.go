package when

import (
	"testing"
	"time"
)

func TestParseWhen(t *testing.T) {
	now := time.Date(2026, 7, 14, 15, 4, 5, 0, time.FixedZone("", 2*60*60))
	for _, c := range []struct {
		in   string
		last bool
		want string // "" for an error
	}{
		{"2026-07-01", false, "2026-07-01T00:00:00+02:00"},
		{"2026-07-01", true, "2026-07-01T23:59:59+02:00"},
		{"2026-07-01 09:30", true, "2026-07-01T09:30:00+02:00"},
		{"2026-07-01T09:30:00Z", false, "2026-07-01T11:30:00+02:00"},
		{"2026-05", false, "2026-05-01T00:00:00+02:00"},
		{"2026-02", true, "2026-02-28T23:59:59+02:00"},
		{"2025", false, "2025-01-01T00:00:00+02:00"},
		{"2025", true, "2025-12-31T23:59:59+02:00"},
		{"today", false, "2026-07-14T00:00:00+02:00"},
		{"Yesterday", true, "2026-07-13T23:59:59+02:00"},
		{"2 days ago", false, "2026-07-12T15:04:05+02:00"},
		{"1 hour ago", false, "2026-07-14T14:04:05+02:00"},
		{"36h", false, "2026-07-13T03:04:05+02:00"},
		{"3 weeks", false, "2026-06-23T15:04:05+02:00"},
		{"now", false, "2026-07-14T15:04:05+02:00"},
		{"", false, ""}, {"soon", false, ""}, {"2 fortnights ago", false, ""}, {"days ago", false, ""},
		{"2026-13-01", false, ""}, {"999999999999 days ago", false, ""},
	} {
		got, err := Parse(c.in, now, c.last)
		text := ""
		if err == nil {
			text = got.In(now.Location()).Format(time.RFC3339)
		}
		if text != c.want {
			t.Errorf("parseWhen(%q, last %v) = %s (%v), want %s", c.in, c.last, text, err, c.want)
		}
	}
}
