package page

import (
	"slices"
	"time"
)

// wrongClock is how many years days must be after the others to be taken for those of a wrong clock.
const wrongClock = 10

// LastDay returns the last of some days ("2026-03-02"), at which a view of days ends, or "" for none. Days of a wrong
// clock would leave the view empty, so they do not count if there are more of the others.
func LastDay(days []string) string {
	var all []time.Time
	for _, day := range days {
		if at, err := time.Parse(time.DateOnly, day); err == nil {
			all = append(all, at)
		}
	}
	if len(all) == 0 {
		return ""
	}
	slices.SortFunc(all, func(a, b time.Time) int { return b.Compare(a) })
	last := all[0]
	for i := 1; i < len(all)-i; i++ {
		if all[i-1].Year()-all[i].Year() >= wrongClock {
			last = all[i]
		}
	}
	return last.Format(time.DateOnly)
}
