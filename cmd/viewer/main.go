// Command viewer turns Claude Code session logs into a static site.
//
// It holds the flags, every word that is printed, and the exit codes; the work
// is done by sitegen.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

func main() { os.Exit(run(os.Args[1:])) }

// Exit codes.
const (
	exitDone        = 0
	exitFailed      = 1
	exitUsage       = 2
	exitProblems    = 3 // --strict, and the data has problems
	exitInterrupted = 130
)

// run is main with its arguments: tests call it as a program of its own.
func run(args []string) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	u := newUI(os.Stdout, os.Stderr)
	root := newRoot(u)
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	if ctx.Err() != nil {
		u.line("interrupted; what was written stays")
		return exitInterrupted
	}
	return u.fail(err)
}
