package sitegen

import (
	"runtime"
	"runtime/debug"
	"testing"
)

// TestSoftLimit: the limit leaves space in the budget for memory that the garbage collector does not count.
func TestSoftLimit(t *testing.T) {
	for _, mb := range []int64{0, 1, 4, 12, 16, 32, 64, 100, 1000} {
		largest := mb << 20
		if got, budget := softLimit(largest), 96<<20+2*largest; got > budget-15<<20 {
			t.Errorf("the limit is %d MiB for a session of %d, want at least 15 less than the budget of %d",
				got>>20, mb, budget>>20)
		}
	}
}

// TestMemoryLimit: a better estimate during a build replaces the first limit, and the limit from before is restored at
// the end.
func TestMemoryLimit(t *testing.T) {
	limit, percent := debug.SetMemoryLimit(-1), debug.SetGCPercent(100)
	debug.SetGCPercent(percent)
	const largest = 1 << 30
	var l memoryLimit
	l.set(0)
	l.set(largest)
	if got, want := debug.SetMemoryLimit(-1), softLimit(largest); got != want {
		t.Errorf("the limit is %d MiB, want %d", got>>20, want>>20)
	}
	l.reset()
	l.reset()
	got := debug.SetGCPercent(percent)
	if now := debug.SetMemoryLimit(-1); now != limit || got != percent {
		t.Errorf("after the build: got a limit of %d and %d %%, want %d and %d", now, got, limit, percent)
	}
}

// TestMemoryLimitInUse: if a site already uses more memory than its largest session needs, the limit is above that.
func TestMemoryLimitInUse(t *testing.T) {
	alive := make([]byte, 3*softLimit(0))
	runtime.GC()
	var l memoryLimit
	l.set(0)
	if got := debug.SetMemoryLimit(-1); got < int64(len(alive))*5/4 {
		t.Errorf("the limit is %d MiB while %d are in use, want at least a quarter more", got>>20, len(alive)>>20)
	}
	l.reset()
	runtime.KeepAlive(alive)
}
