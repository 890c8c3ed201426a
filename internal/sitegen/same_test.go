package sitegen

import (
	"maps"
	"os"
	"path/filepath"
	"testing"

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

// compareClean compares a site with a clean build with the same options, and returns the folder of that build.
func compareClean(t *testing.T, o Options) string {
	t.Helper()
	site := o.Out
	o.Out = t.TempDir()
	mustBuild(t, o)
	compareTrees(t, o.Out, site)
	compareTrees(t, site, o.Out)
	return o.Out
}

// compareContents compares what the states of two sites with the same options know of the files of their sources.
func compareContents(t *testing.T, o Options, other string) {
	t.Helper()
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

func compareTrees(t *testing.T, a, b string) {
	t.Helper()
	seen := 0
	err := filepath.WalkDir(a, func(path string, d os.DirEntry, err error) error {
		if d != nil && d.IsDir() && d.Name() == output.StateDir { // the state has the times of files
			return filepath.SkipDir
		}
		if err != nil || d.IsDir() {
			return err
		}
		seen++
		rel, err := filepath.Rel(a, path)
		if err != nil {
			return err
		}
		one, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		other, err := os.ReadFile(filepath.Join(b, rel))
		if err != nil {
			return err
		}
		if string(one) != string(other) {
			t.Errorf("%s differs between two builds", rel)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if seen < 5 {
		t.Errorf("%d files were compared, want at least 5", seen)
	}
}
