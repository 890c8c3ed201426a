package input

import (
	"strings"
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
