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
	// period returns the first or last moment of a period that begins with the day of t, at noon.
	period := func(t time.Time, years, months, days int) time.Time {
		if last {
			return startOfDay(t.AddDate(years, months, days)).Add(-time.Nanosecond)
		}
		return startOfDay(t)
	}
	noon := func(t time.Time) time.Time {
		y, m, d := t.Date()
		return time.Date(y, m, d, 12, 0, 0, 0, now.Location())
	}
	for _, l := range layouts {
		if l.years+l.months+l.days == 0 {
			if t, err := time.ParseInLocation(l.layout, s, now.Location()); err == nil {
				return t, nil
			}
		} else if t, err := time.Parse(l.layout, s); err == nil {
			return period(noon(t), l.years, l.months, l.days), nil
		}
	}
	switch strings.ToLower(s) {
	case "now":
		return now, nil
	case "today":
		return period(noon(now), 0, 0, 1), nil
	case "yesterday":
		return period(noon(now).AddDate(0, 0, -1), 0, 0, 1), nil
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

// startOfDay returns the first moment of a day, given its noon. In some zones the clock goes from midnight to 1:00 in
// spring, or from 1:00 to midnight in autumn: then midnight is missing, or there are two.
func startOfDay(noon time.Time) time.Time {
	y, m, d := noon.Date()
	midnight := time.Date(y, m, d, 0, 0, 0, 0, noon.Location())
	change, _ := noon.ZoneBounds()
	if change.IsZero() || change.Before(midnight.Add(-day/2)) {
		return midnight
	}
	_, offset := change.Add(-1).Zone()
	first := time.Date(y, m, d, 0, 0, 0, 0, time.FixedZone("", offset)).In(noon.Location())
	if first.Before(change) {
		return first
	}
	if midnight.Before(change) || midnight.Day() != d {
		return change
	}
	return midnight
}
