package main

import (
	"os"
	"strconv"
	"strings"
	"time"
)

// A load is the processor time that all programs of the machine have used.
type load struct {
	busy  time.Duration // of all cores, since the machine started
	known bool          // only on Linux
}

// tick is the unit of /proc/stat.
const tick = 10 * time.Millisecond

// loadNow reads /proc/stat.
func loadNow() load {
	data, err := os.ReadFile("/proc/stat")
	if err != nil {
		return load{}
	}
	return parseLoad(string(data))
}

// parseLoad adds up the columns of the first line, except the fourth and fifth, which are idle time, and the last two,
// the time of guests, which the first two include.
func parseLoad(stat string) load {
	line, _, _ := strings.Cut(stat, "\n")
	columns := strings.Fields(line)
	if len(columns) < 9 || columns[0] != "cpu" {
		return load{}
	}
	var ticks int64
	for i, column := range columns[1:9] {
		n, err := strconv.ParseInt(column, 10, 64)
		if err != nil {
			return load{}
		}
		if i != 3 && i != 4 {
			ticks += n
		}
	}
	return load{time.Duration(ticks) * tick, true}
}

// foreign returns the processor time of other programs between two loads. Two ticks are within the precision of the
// figures.
func foreign(before, after load, own time.Duration) time.Duration {
	if !before.known || !after.known {
		return 0
	}
	return max(0, after.busy-before.busy-own-2*tick)
}

// isQuiet reports whether other programs took at most a tenth of the processor time of a run on so many cores.
func isQuiet(foreign, wall time.Duration, cores int) bool {
	return foreign*10 <= wall*time.Duration(cores)
}
