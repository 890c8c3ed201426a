// Package scratch puts temporary folders of tests into memory. Tests of sites create and remove some 100,000 small
// files, and half of their CPU time went into the file system's search for free inodes. The package never uses memory
// that is scarce, and is for tests only. For the browser tests .ci/memory does the same.
package scratch

import (
	"flag"
	"os"
)

// InMemory makes t.TempDir create folders in memory from now on, if there is enough space. Call it at the beginning of
// TestMain. It does nothing for benchmarks and make torture, which test disks, or if TMPDIR is set.
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
