//go:build !linux

package highlight

import "time"

var started = time.Now()

// threadTime is the time of the clock, where that of a thread is not to be had.
func threadTime() time.Duration { return time.Since(started) }
