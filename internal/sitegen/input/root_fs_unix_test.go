//go:build unix

package input

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"viewer/internal/failure"
)

// TestReplacedByPipe: a file that was replaced by a pipe after it was listed is an error. Opening the pipe would wait.
func TestReplacedByPipe(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "a.jsonl")
	if err := os.WriteFile(file, []byte("{}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	src, err := Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	if data, err := fs.ReadFile(src.FS, "a.jsonl"); err != nil || string(data) != "{}\n" {
		t.Fatalf("of a file: got %q, %v", data, err)
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(file, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := src.FS.Open("a.jsonl"); !errors.Is(err, failure.ErrIrregular) {
		t.Errorf("of a pipe: got %v, want %v", err, failure.ErrIrregular)
	}
}
