//go:build unix

package serve

import (
	"path/filepath"
	"syscall"
	"testing"
)

// A pipe in the site would wait for its other end.
func TestPipe(t *testing.T) {
	dir := testSite(t)
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe.html"), 0o644); err != nil {
		t.Skip(err)
	}
	if a := get(t, started(t, New(Options{Dir: dir})), "/pipe.html"); a.code != 404 {
		t.Errorf("%d, want 404", a.code)
	}
}
