package store

import (
	"math/rand/v2"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"viewer/internal/failure"
)

// TestDiskFull fills a small disk: what was archived before stays readable, and with more space the next run continues.
func TestDiskFull(t *testing.T) {
	disk := t.TempDir()
	if err := syscall.Mount("none", disk, "tmpfs", 0, "size=200k"); err != nil {
		t.Skipf("this user may not mount a file system: %v", err)
	}
	defer syscall.Unmount(disk, syscall.MNT_DETACH)
	dir := filepath.Join(disk, "kept")
	mustAdd(t, dir, logOf("a.jsonl", "one\n"))
	random, noise := rand.New(rand.NewPCG(3, 1)), make([]byte, 600_000)
	for i := range noise {
		noise[i] = byte(' ' + random.IntN(90))
	}
	large := logOf("b.jsonl", string(noise))
	w, err := Create(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err = w.Add(large, day1); err == nil {
		err = w.Flush()
	}
	if !failure.Full(err) || !strings.HasPrefix(err.Error(), "writing "+dir) {
		t.Errorf("on a full disk: error %v, want one that names the archive", err)
	}
	w.Close()
	if got := contents(t, dir); len(got) != 1 || got["a.jsonl"] != "one\n" {
		t.Errorf("after a full disk the archive has %d files, want the first only", len(got))
	}
	if err := syscall.Mount("none", disk, "tmpfs", syscall.MS_REMOUNT, "size=20m"); err != nil {
		t.Fatal(err)
	}
	mustAdd(t, dir, large)
	if got := contents(t, dir); len(got) != 2 || got["a.jsonl"] != "one\n" || got["b.jsonl"] != string(noise) {
		t.Errorf("with more space the archive has %d files, want both", len(got))
	}
}
