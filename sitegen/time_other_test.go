//go:build !linux

package sitegen

import "time"

var started = time.Now()

// processTime is the time of the clock, where that of a process is not to be had.
func processTime() time.Duration { return time.Since(started) }
