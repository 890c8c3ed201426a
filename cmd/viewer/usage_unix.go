//go:build unix

package main

import (
	"runtime"
	"syscall"
	"time"
)

// usage is the processor time that the program took so far, and the most memory
// it had, in bytes.
func usage() (cpu time.Duration, peak int64, ok bool) {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0, 0, false
	}
	peak = int64(u.Maxrss)
	if runtime.GOOS != "darwin" && runtime.GOOS != "ios" { // they count bytes, all others kilobytes
		peak *= 1 << 10
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()), peak, true
}
