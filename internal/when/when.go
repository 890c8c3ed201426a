// Package when reads times as people write them. It never asks the clock.
package when

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// layouts are the forms of dates for --since and --until. Those without a time of day mean the whole day, month or
// year.
var layouts = []struct {
	layout              string
	years, months, days int // that it covers
}{
	{"2006", 1, 0, 0},
	{"2006-01", 0, 1, 0},
	{"2006-01-02", 0, 0, 1},
	{"2006-01-02 15:04", 0, 0, 0},
	{"2006-01-02T15:04", 0, 0, 0},
	{"2006-01-02 15:04:05", 0, 0, 0},
	{time.RFC3339, 0, 0, 0},
}

// units are the units of "2 days ago" by their beginning, since people write them in any length.
var units = map[string]time.Duration{
	"m": time.Minute, "min": time.Minute, "minute": time.Minute,
	"h": time.Hour, "hour": time.Hour,
	"d": day, "day": day,
	"w": 7 * day, "week": 7 * day,
	"month": 30 * day,
	"y":     365 * day, "year": 365 * day,
}

const day = 24 * time.Hour

// Parse reads a time in the past: a date, a month, a year, "today", "yesterday",
// "2 days ago", "36h". A day, month or year means its start, or for last its end.
func Parse(s string, now time.Time, last bool) (time.Time, error) {
	s = strings.TrimSpace(s)
	wholeDay := func(t time.Time) time.Time {
		y, m, d := t.Date()
		t = time.Date(y, m, d, 0, 0, 0, 0, now.Location())
		if last {
			t = t.AddDate(0, 0, 1).Add(-time.Nanosecond)
		}
		return t
	}
	for _, l := range layouts {
		if t, err := time.ParseInLocation(l.layout, s, now.Location()); err == nil {
			if last && l.years+l.months+l.days > 0 {
				t = t.AddDate(l.years, l.months, l.days).Add(-time.Nanosecond)
			}
			return t, nil
		}
	}
	switch strings.ToLower(s) {
	case "now":
		return now, nil
	case "today":
		return wholeDay(now), nil
	case "yesterday":
		return wholeDay(now.AddDate(0, 0, -1)), nil
	}
	words := strings.ToLower(strings.TrimSpace(strings.TrimSuffix(strings.ToLower(s), "ago")))
	digits := len(words) - len(strings.TrimLeft(words, "0123456789"))
	unit := strings.TrimSpace(words[digits:])
	if len(unit) > 1 {
		unit = strings.TrimSuffix(unit, "s")
	}
	n, err := strconv.Atoi(words[:digits])
	length, known := units[unit]
	if err != nil || !known || n > 100_000 {
		return time.Time{}, fmt.Errorf("%q is invalid: use 2026-07-14, 2026-07, 2026, \"2026-07-14 15:04\", today, yesterday, \"2 days ago\", 36h", s)
	}
	return now.Add(-time.Duration(n) * length), nil
}
