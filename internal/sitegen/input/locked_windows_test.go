package input

import (
	"os"
	"path/filepath"
	"testing"

	"viewer/internal/testing/exclusive"
)

// TestLocked: a file that no other program may open is found, so that it does not count as removed.
func TestLocked(t *testing.T) {
	top := t.TempDir()
	file := filepath.Join(top, "a.jsonl")
	if err := os.WriteFile(file, []byte("{}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	defer exclusive.Open(t, file)()
	if _, err := os.ReadFile(file); err == nil {
		t.Skip("this system does not lock open files")
	}
	src, err := OpenPath(top)
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	found, problems, err := src.List(t.Context())
	if err != nil || len(found) != 1 || found[0].Size != 3 || len(problems) > 0 {
		t.Errorf("found %v, problems %v, error %v; want a.jsonl and no problem", found, problems, err)
	}
}
