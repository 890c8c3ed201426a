package sitegen

import (
	"runtime/debug"
	"runtime/metrics"
)

// Memory is limited by the largest session, not by the number of sessions: a build should need no more than 96 MiB plus
// twice the largest session. The soft limit of the collector (debug.SetMemoryLimit) is lower, because the collector
// does not count everything.
const (
	// baseMemory is for everything that does not depend on sessions, in bytes. The program itself takes about 25 MiB
	// more.
	baseMemory = 65 << 20
	// smallSessionMemory is added when the largest session is small. For large sessions, memory that the collector does
	// not count takes its place.
	smallSessionMemory = 6 << 20
	// largeSession is the size above which a session gets a sixth more memory: several copies of a long line may exist
	// at a time.
	largeSession = 32 << 20
	// largeSessionExtra limits what a large session gets besides, as the budget has room for it: with 10 MiB more, a
	// session of 100 MB needs 23 collections instead of 29.
	largeSessionExtra = 10 << 20
	// cacheMemory is added when a site is built again: the cached sessions stay in memory, and most appends should not
	// have to wait for a collection.
	cacheMemory = 9 << 20
	// listedMemory is what a merge of a large site needs for any number of sessions, and sessionMemory what it needs
	// for each: its place in lists and in a file, and its part of keys and plans of pages.
	listedMemory  = 56 << 20
	sessionMemory = 128
	// indexMemory is for indexes, when all sessions are written. The program itself then takes 35 MiB.
	indexMemory = 58 << 20
	// nonHeapMemory is about what the soft limit counts besides the heap.
	nonHeapMemory = 8 << 20
)

// softLimit returns the soft memory limit for a largest session of so many bytes.
func softLimit(largest int64) int64 {
	extra := min(max(0, largest-largeSession)/6, largeSessionExtra)
	return baseMemory + largest*18/10 + extra + max(0, smallSessionMemory-largest/2, (largest-largeSession)/6)
}

// A memoryLimit sets GOGC to 2000 and a soft memory limit during a build. With GOGC at 2000 the collector first runs
// when the heap has 80 MiB, so that a small build needs no collection. Near the soft limit it runs more and more often.
type memoryLimit struct {
	restore func() // restores the settings; nil while none are set
}

// set replaces the limit that was set before, so that two never add up.
func (l *memoryLimit) set(largest int64) { l.setTo(l.atLeast(softLimit(largest))) }

// setForIndexes lowers the limit to what indexes need, when all sessions are written.
func (l *memoryLimit) setForIndexes() {
	l.setTo(min(debug.SetMemoryLimit(-1), l.atLeast(indexMemory)))
}

// atLeast returns a limit that leaves room above what is in use.
func (l *memoryLimit) atLeast(bytes int64) int64 { return max(bytes, heapInUse()*3/2+nonHeapMemory) }

// setFor replaces the limit by one for indexes of so many sessions.
func (l *memoryLimit) setFor(sessions int) {
	l.setTo(heapInUse() + nonHeapMemory + listedMemory + int64(sessions)*sessionMemory)
}

func (l *memoryLimit) setTo(bytes int64) {
	l.reset()
	percent := debug.SetGCPercent(2000)
	limit := debug.SetMemoryLimit(bytes)
	l.restore = func() {
		debug.SetGCPercent(percent)
		debug.SetMemoryLimit(limit)
	}
}

// reset restores the settings from before set.
func (l *memoryLimit) reset() {
	if l.restore != nil {
		l.restore()
		l.restore = nil
	}
}

// heapInUse returns what the last collection found in use, in bytes. When a site is built again, the cached sessions
// may take more than the largest one accounts for.
func heapInUse() int64 {
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	return int64(live[0].Value.Uint64())
}

// largest returns the size of the largest session to draw.
func (v *survey) largest() int64 {
	n := int64(0)
	for _, fo := range v.folders {
		for _, s := range fo.sessions {
			n = max(n, s.size())
		}
	}
	return n
}
