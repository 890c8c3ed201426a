package output

import (
	"strings"
	"testing"
)

// TestLock: only one build at a time writes to a folder, on every system for which there are releases.
func TestLock(t *testing.T) {
	dir := t.TempDir()
	var sites [2]*Writer
	for i := range sites {
		o, err := Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		defer o.Close()
		sites[i] = o
	}
	release, err := sites[0].Lock()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := sites[1].Lock(); err == nil || !strings.Contains(err.Error(), "another build is writing to "+dir) {
		t.Errorf("a second build: error %v, want that another one is running", err)
	}
	release()
	if release, err = sites[1].Lock(); err != nil {
		t.Fatalf("after the first build: %v", err)
	}
	release()
}
