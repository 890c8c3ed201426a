//go:build unix

package main

import (
	"runtime"
	"syscall"
	"time"
)

// usage returns the processor time of the program so far, and its peak memory in bytes.
func usage() (cpu time.Duration, peak int64, ok bool) {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0, 0, false
	}
	peak = int64(u.Maxrss)
	if runtime.GOOS != "darwin" && runtime.GOOS != "ios" { // these systems count bytes, all others kilobytes
		peak *= 1 << 10
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()), peak, true
}
