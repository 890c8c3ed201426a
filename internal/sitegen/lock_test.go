package sitegen

import (
	"strings"
	"testing"
)

// TestLock: one build at a time writes into a folder, on every system that we are released for.
func TestLock(t *testing.T) {
	dir := t.TempDir()
	var sites [2]*output
	for i := range sites {
		o, err := openOutput(dir)
		if err != nil {
			t.Fatal(err)
		}
		defer o.close()
		sites[i] = o
	}
	release, err := lock(sites[0])
	if err != nil {
		t.Fatal(err)
	}
	if _, err := lock(sites[1]); err == nil || !strings.Contains(err.Error(), "another build is writing to "+dir) {
		t.Errorf("a second build is told %v", err)
	}
	release()
	if release, err = lock(sites[1]); err != nil {
		t.Fatalf("after the first build: %v", err)
	}
	release()
}
