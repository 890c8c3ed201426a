//go:build !man

// Command viewer turns Claude Code session logs into a static site.
//
// It holds the flags, every word that is printed, and the exit codes; the work
// is done by sitegen.
package main

import (
	"os"
	"runtime"
)

func main() {
	runtime.MemProfileRate = 0 // noting allocations takes 2 MB and a fiftieth of a build; --memprofile asks for it
	os.Exit(run(os.Args[1:]))
}
