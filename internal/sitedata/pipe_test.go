//go:build unix

package sitedata

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestPipe: a named pipe in a site, or in place of one, is not opened, which would block.
func TestPipe(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(dir, FactsName), 0o644); err != nil {
		t.Skip(err)
	}
	for name, want := range map[string]string{
		dir: "not a regular file", filepath.Join(dir, FactsName): "not a directory",
	} {
		err := NewReader(name).Read(func(*View) error { return nil })
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got error %v, want %q", name, err, want)
		}
	}
}
