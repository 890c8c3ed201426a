package failure

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

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

// TestCause: what the system says goes on after a colon, and is what it says elsewhere.
func TestCause(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	_, err := os.ReadFile(path)
	if err = Cause(err); err.Error() != "no such file or directory" || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("of a file that is not there: %v", err)
	}
	if err := os.WriteFile(path, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	h := alone(t, path)
	defer windows.CloseHandle(h)
	if err := Cause(os.Rename(path, path+"b")); err.Error() != "another program has it open" {
		t.Errorf("of a file that is open elsewhere: %v", err)
	}
}
