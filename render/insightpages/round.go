package insightpages

import (
	"math"
	"time"

	"viewer/internal/words"
	"viewer/render/page"
)

// The pages of insights write numbers with two digits, otherwise each growing session would change them for a last
// digit only. The same is true of charts.

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
	return page.Rounded.Dollars(float64(coarse(int64(f))))
}

func aboutTime(d time.Duration) string {
	if h := int64(d.Hours()); h >= 10 {
		return words.Count(int(coarse(h))) + " h"
	} else if h >= 3 {
		d = d.Round(10 * time.Minute)
	}
	return words.Span(d)
}

func aboutTokens(n int64) string { return words.Short(coarse(n)) }
