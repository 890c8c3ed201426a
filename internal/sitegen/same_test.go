package sitegen

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"viewer/internal/fingerprint"
	"viewer/internal/sitegen/output"
	"viewer/internal/sitegen/state"
	"viewer/internal/testing/corpus"
)

// TestSameBytes builds twice into new folders, and once more over the first. The same input must give the same bytes,
// and the third build must write nothing.
func TestSameBytes(t *testing.T) {
	for _, source := range append([]string{testdata}, corpus.Share(corpus.Optional(t, "dev/*"))...) {
		a, b := t.TempDir(), t.TempDir()
		buildInto(t, a, source)
		buildInto(t, b, source)
		compareTrees(t, a, b)
		one, err := os.ReadFile(filepath.Join(a, state.SessionsName))
		other, failed := os.ReadFile(filepath.Join(b, state.SessionsName))
		if err != nil || failed != nil || string(one) != string(other) {
			t.Errorf("%s: the stored state of sessions differs between two builds (errors %v, %v)", source, err, failed)
		}
		if again := buildInto(t, a, source); again.Written != 0 {
			t.Errorf("%s: building again wrote %d files, want none", source, again.Written)
		}
	}
}

// compareClean compares a site with a clean build with the same options, and returns the folder of that build. With
// -short it does nothing and returns "": with the race detector such builds take half of the time, and do nothing that
// others do not.
func compareClean(t *testing.T, o Options) string {
	t.Helper()
	if testing.Short() {
		return ""
	}
	site := o.Out
	o.Out = t.TempDir()
	mustBuild(t, o)
	compareTrees(t, o.Out, site)
	return o.Out
}

// compareContents compares what the states of two sites with the same options know of the files of their sources, if
// there is another site.
func compareContents(t *testing.T, o Options, other string) {
	t.Helper()
	if other == "" {
		return
	}
	one := contentsOf(t, o)
	o.Out = other
	if all := contentsOf(t, o); !maps.Equal(one, all) {
		t.Errorf("the states know other files of the sources: %d and %d", len(one), len(all))
	}
}

// contentsOf returns the digests of the files of the sources, as the state of a site has them.
func contentsOf(t *testing.T, o Options) map[fingerprint.Digest]fingerprint.Digest {
	t.Helper()
	all := make(map[fingerprint.Digest]fingerprint.Digest)
	withState(t, o, func(s *state.State, _ *output.Writer) {
		for id, f := range s.Files {
			all[id] = f.Content
		}
	})
	return all
}

// withState calls use with the state of a site, whose sessions are not read yet, and the folder of the site.
func withState(t *testing.T, o Options, use func(*state.State, *output.Writer)) {
	t.Helper()
	out, err := output.Open(o.Out)
	if err == nil {
		defer out.Close()
		err = o.ready()
	}
	if err != nil {
		t.Fatal(err)
	}
	use(state.Read(out, o.base()), out)
}

// compareTrees checks that two sites have the same files with the same bytes. Each file is read once.
func compareTrees(t *testing.T, a, b string) {
	t.Helper()
	names := siteFiles(t, a)
	if diff := cmp.Diff(names, siteFiles(t, b)); diff != "" || len(names) < 5 {
		t.Fatalf("got the %d files of one build, want at least 5 and those of the other:\n%s", len(names), diff)
	}
	for _, name := range names {
		if !bytes.Equal(read(t, filepath.Join(a, name)), read(t, filepath.Join(b, name))) {
			t.Errorf("%s differs between two builds", name)
		}
	}
}

// siteFiles returns the names of the files of a site, without its state, which has the times of files.
func siteFiles(t *testing.T, site string) (names []string) {
	t.Helper()
	walkFiles(t, site, func(path string) {
		rel, err := filepath.Rel(site, path)
		if err != nil {
			t.Fatal(err)
		}
		if first, _, _ := strings.Cut(filepath.ToSlash(rel), "/"); first != output.StateDir {
			names = append(names, rel)
		}
	})
	return names
}
