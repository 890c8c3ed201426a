//go:build unix

package serve

import (
	"path/filepath"
	"syscall"
	"testing"
)

// TestPipe: a named pipe in the site is not opened, which would block.
func TestPipe(t *testing.T) {
	dir := testSite(t)
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe.html"), 0o644); err != nil {
		t.Skip(err)
	}
	if a := get(t, started(t, New(Options{Dir: dir})), "/pipe.html"); a.code != 404 {
		t.Errorf("got %d, want 404", a.code)
	}
}
