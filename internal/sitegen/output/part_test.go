package output

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestLeftPart: the next run removes the part of a file that a killed one has left, and not that of one that lives.
func TestLeftPart(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "run.md")
	hidden := func() (all []string) {
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			if e.Name() != "run.md" {
				all = append(all, e.Name())
			}
		}
		return all
	}
	var part string
	err := WriteFileBy(name, func(w io.Writer) error {
		part = strings.Join(hidden(), " ")
		if err := WriteFile(name, []byte("by another")); err != nil {
			t.Errorf("writing a file that another process writes: %v", err)
		}
		if left := strings.Join(hidden(), " "); left != part {
			t.Errorf("beside the file are %q, want %q", left, part)
		}
		_, err := io.WriteString(w, "first")
		return err
	})
	if err != nil || part == "" {
		t.Fatalf("part %q, error %v", part, err)
	}
	if err := os.WriteFile(filepath.Join(dir, part), []byte("fir"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := WriteFile(name, []byte("second")); err != nil {
		t.Fatal(err)
	}
	if got, _ := os.ReadFile(name); string(got) != "second" || len(hidden()) > 0 {
		t.Errorf("the file has %q, beside it are %q", got, hidden())
	}
}
