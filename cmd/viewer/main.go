//go:build !man

// Command viewer turns Claude Code session logs into a static site.
//
// It holds the flags, every word that is printed, and the exit codes; the work
// is done by sitegen.
package main

import "os"

func main() { os.Exit(run(os.Args[1:])) }
