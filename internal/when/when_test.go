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

// TestMissingMidnight: where the clock changes at midnight, a day begins when the one before it ends.
func TestMissingMidnight(t *testing.T) {
	for _, c := range []struct{ zone, day, begins, ends string }{
		{"Asia/Beirut", "2026-03-29", "2026-03-29T01:00:00+03:00", "2026-03-29T23:59:59+03:00"},
		{"Africa/Cairo", "2026-04-24", "2026-04-24T01:00:00+03:00", "2026-04-24T23:59:59+03:00"},
		{"Africa/Cairo", "2026-10-29", "2026-10-29T00:00:00+03:00", "2026-10-29T23:59:59+02:00"},
		{"Africa/Cairo", "2026-10-30", "2026-10-30T00:00:00+02:00", "2026-10-30T23:59:59+02:00"},
		{"America/Santiago", "2026-09-05", "2026-09-05T00:00:00-04:00", "2026-09-05T23:59:59-04:00"},
		{"America/Santiago", "2026-09-06", "2026-09-06T01:00:00-03:00", "2026-09-06T23:59:59-03:00"},
		{"America/Havana", "2026-11-01", "2026-11-01T00:00:00-04:00", "2026-11-01T23:59:59-05:00"},
		{"America/Havana", "2026-10-31", "2026-10-31T00:00:00-04:00", "2026-10-31T23:59:59-04:00"},
		{"Europe/Berlin", "2026-03-29", "2026-03-29T00:00:00+01:00", "2026-03-29T23:59:59+02:00"},
		{"Europe/Berlin", "2026-10-25", "2026-10-25T00:00:00+02:00", "2026-10-25T23:59:59+01:00"},
		{"UTC", "2026-03-29", "2026-03-29T00:00:00Z", "2026-03-29T23:59:59Z"},
	} {
		zone, err := time.LoadLocation(c.zone)
		if err != nil {
			t.Skip(err)
		}
		now, err := time.ParseInLocation("2006-01-02 15:04", c.day+" 17:00", zone)
		if err != nil {
			t.Fatal(err)
		}
		for name, now := range map[string]time.Time{c.day: now, "today": now, "yesterday": now.AddDate(0, 0, 1)} {
			begins, err := Parse(name, now, false)
			ends, err2 := Parse(name, now, true)
			if err != nil || err2 != nil || begins.Format(time.RFC3339) != c.begins ||
				ends.Format(time.RFC3339) != c.ends {
				t.Errorf("%s %s: from %s to %s, errors %v, %v; want from %s to %s", c.zone, name,
					begins.Format(time.RFC3339), ends.Format(time.RFC3339), err, err2, c.begins, c.ends)
			}
		}
	}
}
