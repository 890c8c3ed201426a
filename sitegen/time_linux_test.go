package sitegen

import (
	"syscall"
	"time"
)

// processTime is the processor time that this process has had: what a busy
// machine does besides does not count.
func processTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
