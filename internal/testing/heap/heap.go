// Package heap measures the memory in use. It never limits it, and is for tests only.
package heap

import "runtime"

// Live returns the size of the objects that are in use, in bytes.
func Live() int64 {
	for range 3 { // pools free their objects at the second collection
		runtime.GC()
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
