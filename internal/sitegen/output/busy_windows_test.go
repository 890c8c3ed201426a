package output

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"viewer/internal/failure"
	"viewer/internal/testing/exclusive"
)

// TestBusy: a file that another program has open for a short time is replaced or removed afterwards.
func TestBusy(t *testing.T) {
	dir := t.TempDir()
	o, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	release, err := o.Lock() // this creates the folder for the journal
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	path := filepath.Join(dir, "a.html")
	for _, step := range []struct {
		name string
		do   func() error
	}{
		{"replaced", func() error { return o.Write("a.html", []byte("two")) }},
		{"removed", func() error { return o.remove("a.html") }},
	} {
		o.StartBuild()
		if err := os.WriteFile(path, []byte("one"), 0o644); err != nil {
			t.Fatal(err)
		}
		unlock := exclusive.Open(t, path)
		if _, err := os.ReadFile(path); err == nil {
			t.Skip("this system does not lock open files")
		}
		time.AfterFunc(100*time.Millisecond, unlock)
		if err := step.do(); err != nil {
			t.Errorf("%s: %v", step.name, err)
		}
	}
	o.StartBuild()
	if err := os.WriteFile(path, []byte("one"), 0o644); err != nil {
		t.Fatal(err)
	}
	unlock := exclusive.Open(t, path)
	err = o.Write("a.html", []byte("two"))
	unlock()
	if f, ok := errors.AsType[*failure.Error](err); !ok || !strings.HasPrefix(f.Hint, "close programs") {
		t.Errorf("open for longer: got error %v, want one with a hint", err)
	}
	if err := o.remove("a.html"); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the removed file still exists: %v", err)
	}
}
