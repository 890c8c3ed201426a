package sitegen

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/sys/windows"
)

// alone opens a file so that nobody else can.
func alone(t *testing.T, path string) windows.Handle {
	t.Helper()
	name, err := windows.UTF16PtrFromString(path)
	if err != nil {
		t.Fatal(err)
	}
	h, err := windows.CreateFile(name, windows.GENERIC_READ, 0, nil, windows.OPEN_EXISTING, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// TestBusy: a file that another program has opened for a moment is replaced and removed after it.
func TestBusy(t *testing.T) {
	dir := t.TempDir()
	o, err := openOutput(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer o.close()
	release, err := lock(o) // which makes the folder for the journal
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	path := filepath.Join(dir, "a.html")
	for _, step := range []struct {
		name string
		do   func() error
	}{
		{"replaced", func() error { return o.write("a.html", []byte("two")) }},
		{"removed", func() error { return o.remove("a.html") }},
	} {
		o.begin()
		write(t, path, []byte("one"))
		h := alone(t, path)
		if _, err := os.ReadFile(path); err == nil {
			t.Skip("files are not kept from others here")
		}
		time.AfterFunc(100*time.Millisecond, func() { windows.CloseHandle(h) })
		if err := step.do(); err != nil {
			t.Errorf("%s: %v", step.name, err)
		}
	}
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("it is still there: %v", err)
	}
}

// TestPlainly: what the system says goes on after a colon, and is what it says elsewhere.
func TestPlainly(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	_, err := os.ReadFile(path)
	if err = Cause(err); err.Error() != "no such file or directory" || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("of a file that is not there: %v", err)
	}
	write(t, path, nil)
	h := alone(t, path)
	defer windows.CloseHandle(h)
	if err := Cause(os.Rename(path, path+"b")); err.Error() != "another program has it open" {
		t.Errorf("of a file that is open elsewhere: %v", err)
	}
}
