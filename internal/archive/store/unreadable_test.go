package store

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestUnreadable: an archive without rights is not called something else.
func TestUnreadable(t *testing.T) {
	if os.Getuid() == 0 || runtime.GOOS == "windows" {
		t.Skip("everything can be read")
	}
	dir := filepath.Join(t.TempDir(), "kept")
	mustAdd(t, dir, logOf("a/b.jsonl", "one\n"))
	if err := os.Chmod(dir, 0); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(dir, 0o700)
	if _, err := Open(t.Context(), dir); err == nil || !strings.HasSuffix(err.Error(), "permission denied") {
		t.Errorf("error %v, want that it may not be read", err)
	}
}
