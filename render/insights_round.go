package render

import (
	"math"
	"time"

	"viewer/render/page"
)

// The pages of insights write numbers with two digits: otherwise each session that grows would change them, for nothing
// but a last digit. That holds for what is drawn as well.

// coarse is a number with two digits; what is below 100 is as it is.
func coarse(n int64) int64 {
	unit := int64(1)
	for n/unit >= 100 {
		unit *= 10
	}
	return (n + unit/2) / unit * unit
}

func about(n int) string { return short(coarse(int64(n))) }

func aboutDollars(f float64) string {
	if f < 1 {
		return dollars(f)
	} else if f < 10 {
		return dollars(math.Round(f*10) / 10)
	}
	return page.Rounded.Dollars(float64(coarse(int64(f))))
}

func aboutTime(d time.Duration) string {
	if h := int64(d.Hours()); h >= 10 {
		return count(int(coarse(h))) + " h"
	} else if h >= 3 {
		d = d.Round(10 * time.Minute)
	}
	return span(d)
}

func aboutTokens(n int64) string { return short(coarse(n)) }
