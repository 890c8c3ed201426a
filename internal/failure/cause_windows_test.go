package failure

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"viewer/internal/testing/exclusive"
)

// TestCause: messages of Windows are the same as those of other systems.
func TestCause(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	_, err := os.ReadFile(path)
	if err = Cause(err); err.Error() != "no such file or directory" || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("of a missing file: got %v", err)
	}
	if err := os.WriteFile(path, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	defer exclusive.Open(t, path)()
	if err := Cause(os.Rename(path, path+"b")); err.Error() != "another program has it open" {
		t.Errorf("of a file that another program has open: got %v", err)
	}
}
