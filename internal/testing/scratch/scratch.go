// Package scratch has tests keep their temporary folders in memory. Tests of sites create and remove some 100,000 small
// files, and half of their CPU time was the disk's search for free inodes. The package never takes memory that is
// scarce, and is for tests only.
package scratch

import (
	"flag"
	"os"
)

// InMemory has t.TempDir make folders in memory from here on, where there is a place for that with enough room. It is
// called at the beginning of TestMain. Benchmarks and make torture are about disks and stay there, and where TMPDIR is
// set it is obeyed.
func InMemory() {
	flag.Parse()
	if f := flag.Lookup("test.bench"); f != nil && f.Value.String() != "" {
		return
	}
	if os.Getenv("TMPDIR") != "" || os.Getenv("VIEWER_TORTURE") != "" {
		return
	}
	if dir := memory(); dir != "" {
		os.Setenv("TMPDIR", dir)
	}
}
