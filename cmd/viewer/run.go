package main

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// Exit codes.
const (
	exitDone        = 0
	exitFailed      = 1
	exitUsage       = 2
	exitProblems    = 3 // --strict, and the data has problems; --fail-on, and something is so
	exitInterrupted = 130
)

// run is main with its arguments: tests call it as a program of its own.
func run(args []string) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	u := newUI(os.Stdout, os.Stderr)
	// The work stops at the next session. One that takes longer than a moment
	// is left where it is: every file of the site is whole at any time.
	giveUp := context.AfterFunc(ctx, func() {
		time.Sleep(patience)
		os.Exit(u.interrupted())
	})
	defer giveUp() // before stop, which ends the context too
	root := newRoot(u)
	root.SetArgs(args)
	var err error
	u.command, err = root.ExecuteContextC(ctx)
	switch {
	case errors.Is(err, errStopped):
		u.line("stopped")
		return exitInterrupted
	case ctx.Err() != nil:
		return u.interrupted()
	}
	return u.fail(err)
}

// patience is how long a stopped build may take to end by itself.
const patience = 700 * time.Millisecond
