//go:build unix

package sitedata

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestPipe: a named pipe in a site is not opened, which would block.
func TestPipe(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(dir, FactsName), 0o644); err != nil {
		t.Skip(err)
	}
	err := NewReader(dir).Read(func(*View) error { return nil })
	if err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("got error %v, want that it is not a regular file", err)
	}
}
