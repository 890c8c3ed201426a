package main

import (
	"fmt"
	"strings"
	"time"
)

// budgets compares the figures of a viewer with the budgets for a machine with two cores.
func budgets(runs map[string]figure, total, largest int64, ratio float64) string {
	var b strings.Builder
	say := func(met bool, what string, args ...any) {
		word := "met"
		if !met {
			word = "MISSED"
		}
		fmt.Fprintf(&b, "- %s: %s\n", word, fmt.Sprintf(what, args...))
	}
	rate := float64(total) / 1e6 / runs[cold].wall.Seconds()
	say(rate >= 100, "%.0f MB of input a second, at least 100", rate)
	cores := runs[oneCore].wall.Seconds() / runs[cold].wall.Seconds()
	say(cores >= 1.7, "%.2f times as fast on all cores as on one, at least 1.7 on two", cores)
	say(runs[warm].wall < 40*time.Millisecond, "%d ms when nothing changed, under 40", runs[warm].wall.Milliseconds())
	say(runs[appended].wall < 60*time.Millisecond && runs[appended].pages <= 3,
		"%d ms and %d pages for an appended record, under 60 and at most 3", runs[appended].wall.Milliseconds(),
		runs[appended].pages)
	bound := 96 + 2*float64(largest)/(1<<20)
	peak := float64(runs[cold].peak) / (1 << 20)
	say(peak <= bound, "%.0f MiB of memory, at most %.0f: 96 and twice the largest session", peak, bound)
	say(ratio <= 0.6, "%.2f bytes of output for a byte of input, without media; at most 0.6", ratio)
	return b.String()
}
