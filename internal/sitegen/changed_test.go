package sitegen

import (
	"fmt"
	"slices"
	"testing"
)

// TestChanged: Report.Changed lists the files that a server has to announce.
func TestChanged(t *testing.T) {
	w := watchCopy(t)
	if r := w.build(); len(r.Changed) > 0 {
		t.Errorf("without a change: got %q, want none", r.Changed)
	}
	appendTo(t, w.file, fmt.Sprintf(line, 1, 1))
	page := "s/" + stem(w.file) + "/index.html"
	r := w.build()
	if !slices.Contains(r.Changed, page) || !slices.IsSorted(r.Changed) || len(r.Changed) != r.Written {
		t.Errorf("after an append: got %q, want all %[3]d written files in order, including %[2]s",
			r.Changed, page, r.Written)
	}
	remove(t, w.file)
	if r := w.build(); !slices.Contains(r.Changed, page) {
		t.Errorf("after the rest of the line: got %q, want these to include %s", r.Changed, page)
	}
}
