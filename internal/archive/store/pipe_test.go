//go:build unix

package store

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"viewer/internal/archive"
)

// TestPipe: a named pipe in an archive is not opened, which would block.
func TestPipe(t *testing.T) {
	dir := t.TempDir()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	d := newDisk(root)
	defer d.close()
	stream := filepath.Join(dir, filepath.FromSlash(archive.StreamPath("aabb")))
	if err := os.MkdirAll(filepath.Dir(stream), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{filepath.Join(dir, archive.ManifestName), stream} {
		if err := syscall.Mkfifo(name, 0o644); err != nil {
			t.Skip(err)
		}
	}
	for _, name := range []string{dir, filepath.Join(dir, archive.ManifestName)} {
		if Is(t.Context(), name) {
			t.Errorf("%s counts as an archive", name)
		}
	}
	_, manifest := d.readManifest()
	_, frames := d.openStream("aabb")
	for _, err := range []error{manifest, frames} {
		if err == nil || !strings.Contains(err.Error(), "not a regular file") {
			t.Errorf("got error %v, want that it is not a regular file", err)
		}
	}
}
