//go:build unix

package failure

import (
	"fmt"
	"syscall"
	"testing"
)

// TestLimit: at a limit of the process or the system, the hint is about the limit, whatever the caller hints.
func TestLimit(t *testing.T) {
	for err, want := range map[error]string{
		syscall.EMFILE: "raise the limit of open files, see ulimit -n", syscall.ENFILE: "close other programs",
		syscall.ENOMEM: "close other programs", syscall.ENOENT: "name another",
	} {
		if got := New(fmt.Errorf("reading a: %w", err), "name another").Hint; got != want {
			t.Errorf("%v: got the hint %q, want %q", err, got, want)
		}
	}
}
