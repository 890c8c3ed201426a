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
