package sitegen

import (
	"runtime"
	"runtime/debug"
	"testing"
	"time"
)

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
	if got := debug.SetMemoryLimit(-1); got != frugal+largest*18/10 {
		t.Errorf("the bound is %d MiB, want %d", got>>20, (frugal+largest*18/10)>>20)
	}
	runtime.KeepAlive(alive)
	b.unbind()
	b.unbind()
	got := debug.SetGCPercent(percent)
	if now := debug.SetMemoryLimit(-1); now != limit || got != percent {
		t.Errorf("after the build: a bound of %d and %d %%, want %d and %d", now, got, limit, percent)
	}
}
