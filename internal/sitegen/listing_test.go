package sitegen

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"viewer/internal/fingerprint"
	"viewer/internal/sitegen/output"
	"viewer/internal/sitegen/state"
)

// TestListing: a build whose sources have the same files as before needs no sessions. It notices everything else: other
// files, other options, and files of the site.
func TestListing(t *testing.T) {
	source := copyOf(t, testdata)
	o := Options{Sources: []string{source}, Out: t.TempDir(), Version: "test"}
	project := filepath.Join(source, "-srv-nightwatch")
	logs := mainFiles(t, source, "-srv-nightwatch")
	first, second := filepath.Join(project, logs[0]), filepath.Join(project, logs[1])
	settle(t, source)
	before := mustBuild(t, o)
	for _, step := range []struct {
		name   string
		change func()
		same   bool // the list of files is the same
	}{
		{"nothing", func() {}, true},
		{"another text of the same size and time", func() {
			rewriteInPlace(t, first, "nightwatch", "nightwitch")
		}, false},
		{"a file that is no session", func() { write(t, filepath.Join(project, "other.json"), []byte("{}")) }, false},
		{"a moved session", func() {
			if err := os.Rename(second, filepath.Join(source, "-home-mara-ovenbell", logs[1])); err != nil {
				t.Fatal(err)
			}
		}, false},
		{"notes", func() {
			note := `[{"session": "` + stem(first) + `", "text": "look here"}]`
			write(t, filepath.Join(source, "viewer.notes.json"), []byte(note))
		}, false},
		{"without notes", func() { o.Notes.Off = true }, false},
		{"and nothing", func() {}, true},
		{"a removed page", func() { remove(t, filepath.Join(o.Out, "s", stem(first), "index.html")) }, true},
		{"personal data", func() { o.Personal = true }, true},
	} {
		old := listingOf(t, o)
		step.change()
		time.Sleep(60 * time.Millisecond) // so that a later change must get another time
		mustBuild(t, o)
		now := listingOf(t, o)
		if none := (fingerprint.Digest{}); now == none || (now == old) != step.same {
			t.Errorf("%s: the list of files is %x, before %x", step.name, now, old)
		}
		compareContents(t, o, compareClean(t, o))
	}
	o.Filter, o.Narrow = Filter{Sessions: []string{stem(first)}}, true
	if r := mustBuild(t, o); r.Sessions != 1 || before.Sessions < 3 {
		t.Errorf("%d sessions match the filter, want 1 of %d", r.Sessions, before.Sessions)
	}
	o.Filter = Filter{}
	remove(t, first)
	mustBuild(t, o) // archives it
	if r := mustBuild(t, o); r.Kept != 1 {
		t.Errorf("%d kept sessions, want 1", r.Kept)
	}
	o.Prune = true
	if r := mustBuild(t, o); r.Kept != 0 {
		t.Errorf("%d kept sessions after they are pruned, want none", r.Kept)
	}
}

// listingOf returns the digest in the state of a site.
func listingOf(t *testing.T, o Options) (listing fingerprint.Digest) {
	t.Helper()
	withState(t, o, func(s *state.State, _ *output.Writer) { listing = s.Listing })
	return listing
}
