package input

import (
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestEndless: a file that counts as regular, but has no end, is not read. The system tells programs when the mounts of
// a process change, in the same way as it tells them of lines of /proc/kmsg, which only root may open.
func TestEndless(t *testing.T) {
	s, err := OpenPath("/proc/self/mounts")
	if err == nil {
		s.Close()
	}
	if err == nil || !strings.Contains(err.Error(), "not a file that ends") {
		t.Errorf("got error %v, want that the file does not end", err)
	}
}

// TestLeased: the open of a file with a lease, as file servers take it, waits until the lease is given back.
func TestLeased(t *testing.T) {
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
	broken := make(chan os.Signal, 1)
	signal.Notify(broken, syscall.SIGIO)
	defer signal.Stop(broken)
	held, err := os.OpenFile(file, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer held.Close()
	lease := func(kind int) syscall.Errno {
		_, _, errno := syscall.Syscall(syscall.SYS_FCNTL, held.Fd(), syscall.F_SETLEASE, uintptr(kind))
		return errno
	}
	if errno := lease(syscall.F_WRLCK); errno != 0 {
		t.Skipf("no leases here: %v", errno)
	}
	go func() {
		<-broken
		lease(syscall.F_UNLCK)
	}()
	if data, err := fs.ReadFile(src.FS, "a.jsonl"); err != nil || string(data) != "{}\n" {
		t.Errorf("got %q, %v", data, err)
	}
}
