//go:build unix

package publish

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"viewer/internal/failure"
)

// TestPipe: a named pipe in place of a folder is not opened, which would block.
func TestPipe(t *testing.T) {
	name := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(name, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), name); err == nil || !strings.Contains(err.Error(), "not a directory") {
		t.Errorf("got error %v, want that it is no folder", err)
	}
}

// TestReadOnly: to run again does not help if a folder cannot be written to.
func TestReadOnly(t *testing.T) {
	for cause, want := range map[error]string{
		fs.ErrPermission: "choose a folder that you may write to",
		syscall.EROFS:    "choose a folder that you may write to",
		syscall.EIO:      "run it again: finished work is not repeated",
	} {
		var known *failure.Error
		if errors.As(failed("writing", &Place{Name: "public"}, "a.html", cause), &known); known.Hint != want {
			t.Errorf("%v: got the hint %q, want %q", cause, known.Hint, want)
		}
	}
}
