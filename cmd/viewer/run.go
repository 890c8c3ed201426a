package main

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"runtime"
	"syscall"
	"time"

	"viewer/internal/failure"
)

// Exit codes.
const (
	exitDone        = 0
	exitFailed      = 1
	exitUsage       = 2
	exitProblems    = 3 // --strict with problems of the data; --fail-on with a condition that is met
	exitInterrupted = 130
)

// run is main with arguments, so that tests can call it.
func run(args []string) int {
	ctx, stop := signal.NotifyContext(context.Background(), stopSignals()...)
	defer stop()
	u := newUI(os.Stdout, os.Stderr)
	// The work stops before the next session. If a session takes long, it is abandoned, which is safe because all files
	// of the site are always complete.
	giveUp := context.AfterFunc(ctx, func() {
		time.Sleep(stopTimeout)
		os.Exit(u.interrupted())
	})
	defer giveUp() // before stop, which cancels the context too
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
	if lost := u.out.Err(); lost != nil && errors.Is(err, lost) { // which arrived reports
		err = nil
	}
	return u.arrived(u.fail(err))
}

// stopSignals returns the signals that stop the program. One is that the terminal was closed, unless the caller has the
// program run on, as nohup does.
func stopSignals() []os.Signal {
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		signals = append(signals, syscall.SIGHUP)
	}
	return signals
}

// arrived returns the final exit code: that of a failure if the output is incomplete, unless the reader closed the
// pipe.
func (u *ui) arrived(code int) int {
	err := u.out.Err()
	if f, ok := u.out.Raw().(*os.File); ok && err == nil {
		err = f.Close() // some systems report a full disk only here
	}
	if err == nil || closedPipe(err) {
		return code
	}
	u.fault("writing standard output: %v", failure.Cause(err))
	u.hint("the output is incomplete")
	return max(code, exitFailed)
}

// closedPipe reports whether the reader of the output has closed it.
func closedPipe(err error) bool {
	var number syscall.Errno
	return errors.Is(err, syscall.EPIPE) ||
		// ERROR_BROKEN_PIPE, ERROR_NO_DATA
		runtime.GOOS == "windows" && errors.As(err, &number) && (number == 109 || number == 232)
}

// stopTimeout is the time that a stopped build has to end by itself.
const stopTimeout = 700 * time.Millisecond
