//go:build unix

package output

import (
	"errors"
	"path/filepath"
	"syscall"
	"testing"

	"viewer/internal/failure"
)

// TestPipe: a named pipe in the folder of a site is not opened, which would block.
func TestPipe(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o644); err != nil {
		t.Skip(err)
	}
	w, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if _, err := w.ReadFile("pipe"); !errors.Is(err, failure.ErrIrregular) {
		t.Errorf("reading: got error %v, want %v", err, failure.ErrIrregular)
	}
	if _, err := w.OpenFile("pipe"); !errors.Is(err, failure.ErrIrregular) {
		t.Errorf("opening: got error %v, want %v", err, failure.ErrIrregular)
	}
}
