package sitegen

import (
	"runtime"
	"runtime/debug"
	"testing"
	"time"
)

// TestAllowed: a build may ask for no more than its budget less what the collector does not count.
func TestAllowed(t *testing.T) {
	for _, mb := range []int64{0, 1, 4, 12, 16, 32, 64, 100, 1000} {
		largest := mb << 20
		if got, budget := allowed(largest), 64<<20+2*largest; got > budget-15<<20 {
			t.Errorf("%d MiB for a session of %d, where %d is the budget", got>>20, mb, budget>>20)
		}
	}
}

// TestBind: the bound of a build that is known better takes the place of the first one, which does not come back
// when more is alive than it allowed.
func TestBind(t *testing.T) {
	limit, percent := debug.SetMemoryLimit(-1), debug.SetGCPercent(100)
	debug.SetGCPercent(percent)
	const largest = 1 << 30
	var b builder
	b.bind(0)
	b.bind(largest)
	alive := make([]byte, 2*frugal)
	for range 3 {
		runtime.GC()
		time.Sleep(20 * time.Millisecond) // for what is done after a collection
	}
	if got, want := debug.SetMemoryLimit(-1), allowed(largest); got != want {
		t.Errorf("the bound is %d MiB, want %d", got>>20, want>>20)
	}
	runtime.KeepAlive(alive)
	b.unbind()
	b.unbind()
	got := debug.SetGCPercent(percent)
	if now := debug.SetMemoryLimit(-1); now != limit || got != percent {
		t.Errorf("after the build: a bound of %d and %d %%, want %d and %d", now, got, limit, percent)
	}
}
