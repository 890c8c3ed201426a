package sitegen

import (
	"fmt"
	"slices"
	"testing"
)

// TestChanged: who shows the site is told which files are others now.
func TestChanged(t *testing.T) {
	w := watchCopy(t)
	if r := w.build(); len(r.Changed) > 0 {
		t.Errorf("without a change: %q", r.Changed)
	}
	appendTo(t, w.file, fmt.Sprintf(line, 1, 1))
	page := "s/" + stem(w.file) + "/index.html"
	r := w.build()
	if !slices.Contains(r.Changed, page) || !slices.IsSorted(r.Changed) || len(r.Changed) != r.Written {
		t.Errorf("after an append: %q, want %s among them, and all %d that were written", r.Changed, page, r.Written)
	}
	remove(t, w.file)
	if r := w.build(); !slices.Contains(r.Changed, page) {
		t.Errorf("after its end: %q, want %s among them", r.Changed, page)
	}
}
