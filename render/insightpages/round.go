package insightpages

import (
	"math"
	"time"

	"viewer/internal/words"
	"viewer/render/page"
)

// The pages of insights write numbers with two digits, otherwise each growing session would change them for a last
// digit only. The same is true of charts. Numbers of sessions are exact: they do not change while a session grows.

// coarse rounds a number to two digits.
func coarse(n int64) int64 {
	unit := int64(1)
	for n/unit >= 100 {
		unit *= 10
	}
	return (n + unit/2) / unit * unit
}

func about(n int) string { return words.Short(coarse(int64(n))) }

func aboutDollars(f float64) string {
	if f < 1 {
		return words.Dollars(f)
	} else if f < 10 {
		return words.Dollars(math.Round(f*10) / 10)
	}
	return page.Rounded.Dollars(float64(coarse(int64(f*100)) / 100))
}

func aboutTime(d time.Duration) string {
	if d >= 10*time.Hour {
		return words.Count(int(coarse(int64(d.Hours()*100))/100)) + " h"
	} else if d >= 3*time.Hour {
		d = d.Round(10 * time.Minute)
	}
	return words.Span(d)
}

func aboutTokens(n int64) string { return words.Short(coarse(n)) }
