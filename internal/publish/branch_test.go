package publish

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// TestAbandonedFolders: the temporary folder of a run that was killed is removed by a later run, and nothing else.
func TestAbandonedFolders(t *testing.T) {
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	t.Setenv("TMP", temporary) // of Windows
	outside := filepath.Join(t.TempDir(), "outside")
	old := time.Now().Add(-48 * time.Hour)
	want := map[string]bool{"viewer-branch-1": false, "viewer-branch-2": true, "viewer-branch-3": true, "other-1": true}
	for _, dir := range []string{
		filepath.Join(temporary, "viewer-branch-1", "tree"), filepath.Join(temporary, "viewer-branch-2"),
		filepath.Join(temporary, "other-1"), outside,
	} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(outside, filepath.Join(temporary, "viewer-branch-3")); err != nil {
		t.Skip(err)
	}
	for _, dir := range []string{
		filepath.Join(temporary, "viewer-branch-1"), filepath.Join(temporary, "other-1"), outside,
	} {
		if err := os.Chtimes(dir, old, old); err != nil {
			t.Fatal(err)
		}
	}
	repository := t.TempDir()
	if out, err := exec.Command("git", "init", "--quiet", "--bare", repository).CombinedOutput(); err != nil {
		t.Skipf("git: %v: %s", err, out)
	}
	p, err := Open(t.Context(), repository+"#pages")
	if err != nil {
		t.Fatal(err)
	}
	p.Close()
	for name, stays := range want {
		if _, err := os.Lstat(filepath.Join(temporary, name)); (err == nil) != stays {
			t.Errorf("%s: %v, want that it stays: %v", name, err, stays)
		}
	}
	if _, err := os.Stat(outside); err != nil {
		t.Error(err)
	}
}
