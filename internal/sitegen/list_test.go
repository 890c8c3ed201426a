package sitegen

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestListOfSite: the sessions that a site knows equal those that reading gives. Sessions that changed since the build
// are read.
func TestListOfSite(t *testing.T) {
	source := copyOf(t, testdata)
	o := Options{Sources: []string{source}, Out: t.TempDir(), Version: "test"}
	list := func(sites ...string) ([]Listed, int) {
		t.Helper()
		all, known, err := List(context.Background(), o, Listing{Sites: sites, Git: PullRequests})
		if err != nil {
			t.Fatal(err)
		}
		return all, known
	}
	read, known := list()
	if known != 0 || len(read) < 3 {
		t.Fatalf("got %d sessions, %d known without a site; want at least 3 and none", len(read), known)
	}
	time.Sleep(60 * time.Millisecond) // the stamp of a newer file is not trusted, see stamp.fresh
	mustBuild(t, o)
	recalled, known := list(filepath.Join(o.Out, "none"), o.Out)
	if diff := cmp.Diff(read, recalled); diff != "" {
		t.Errorf("the list from the site differs (-read +site):\n%s", diff)
	}
	if known < len(read) {
		t.Errorf("want all %d sessions from the site, got %d", len(read), known)
	}
	appendRecord(t, read[0].File, "zebrafish")
	changed, now := list(o.Out)
	if now != known-1 || changed[0].Totals.Prompts != read[0].Totals.Prompts+1 {
		t.Errorf("after an append %d sessions were known, and the newest has %d prompts; want %d and %d", now,
			changed[0].Totals.Prompts, known-1, read[0].Totals.Prompts+1)
	}
}

// TestListsCopies: a session of which another one has all records is listed as in the index of a site, whether the site
// is known or not.
func TestListsCopies(t *testing.T) {
	source, out := t.TempDir(), t.TempDir()
	record := func(uuid, text string) string {
		return `{"type":"user","uuid":"` + uuid + `","timestamp":"2026-05-12T10:00:00Z",` +
			`"message":{"role":"user","content":"` + text + `"}}` + "\n"
	}
	all := record("a", "Count the lamps") + record("b", "And the wicks") + record("c", "And the oil")
	write(t, filepath.Join(source, "-w", "one.jsonl"), []byte(all))
	write(t, filepath.Join(source, "-w", "two.jsonl"), []byte(all))
	o := Options{Sources: []string{source}, Out: out, Version: "test"}
	built := mustBuild(t, o).Sessions
	for _, sites := range [][]string{nil, {out}} {
		o := Options{Sources: []string{source}, Version: "test"}
		listed, _, err := List(context.Background(), o, Listing{Sites: sites})
		if err != nil || len(listed) != built || built != 2 {
			t.Errorf("with the sites %q: %d sessions, %v, want %d as in the site, 2", sites, len(listed), err, built)
		}
	}
}
