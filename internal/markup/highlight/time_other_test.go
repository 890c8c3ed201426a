//go:build !linux

package highlight

import "time"

var started = time.Now()

// threadTime returns elapsed time on systems without the CPU time of a thread.
func threadTime() time.Duration { return time.Since(started) }
