package publish

import (
	"errors"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"viewer/internal/failure"
)

// TestFailed: the hint for a full disk names what has to be done before the next run.
func TestFailed(t *testing.T) {
	for _, c := range []struct {
		cause error
		want  string
	}{
		{syscall.ENOSPC, "free some space, and run it again: finished work is not repeated"},
		{syscall.EIO, "run it again: finished work is not repeated"},
	} {
		if runtime.GOOS == "windows" && c.cause == syscall.ENOSPC {
			c.cause = syscall.Errno(112) // ERROR_DISK_FULL
		}
		var known *failure.Error
		err := failed("writing", &Place{Name: "public"}, "index.html", c.cause)
		if !errors.As(err, &known) || known.Hint != c.want ||
			!strings.HasPrefix(err.Error(), "writing public/index.html: ") {
			t.Errorf("%v: %v with hint %q, want %q", c.cause, err, known.Hint, c.want)
		}
	}
}
