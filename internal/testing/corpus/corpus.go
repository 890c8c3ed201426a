// Package corpus finds real sessions in ../shared/corpus, next to the project, which only developers have. Tests
// without sessions are skipped with a reason; the package never fails them. It is for tests only.
package corpus

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// All is the environment variable for sweeps over all sessions, and for more sessions in tests that make them up. make
// check and make torture set it.
const All = "VIEWER_SWEEP"

// Full reports whether VIEWER_SWEEP is set.
func Full() bool { return os.Getenv(All) != "" }

// Long skips a test that takes a second of CPU time or more, unless VIEWER_SWEEP is set or the test has the race
// detector.
func Long(t testing.TB) {
	t.Helper()
	if !Full() && !race {
		t.Skipf("takes long: make test runs it, and %s=all", All)
	}
}

// every is the interval of Share: it takes one in so many sessions.
const every = 8

// Glob lists the files in ../shared/corpus that match the patterns, in the order of the patterns. If a pattern matches
// nothing, or with -short, the test is skipped with a reason.
func Glob(t testing.TB, patterns ...string) []string {
	t.Helper()
	paths, reason := usual(t, patterns)
	if reason != "" {
		t.Skip(reason)
	}
	return paths
}

// Optional is Glob for a test with other cases too: if there are no files, it adds a skipped subtest with the reason
// instead of skipping the test.
func Optional(t *testing.T, patterns ...string) []string {
	t.Helper()
	paths, reason := usual(t, patterns)
	if reason != "" {
		t.Run("corpus", func(t *testing.T) { t.Skip(reason) })
		return nil
	}
	return paths
}

// Find lists the files that match the patterns, also with -short, or returns the reason why there are none.
func Find(t testing.TB, patterns ...string) (paths []string, reason string) {
	t.Helper()
	return find(root(t), patterns)
}

func usual(t testing.TB, patterns []string) (paths []string, reason string) {
	t.Helper()
	if testing.Short() {
		return nil, "-short leaves out the sessions beside the project"
	}
	return find(root(t), patterns)
}

// Files lists the files below the folders that wanted takes by their path.
func Files(t testing.TB, wanted func(path string) bool, folders ...string) []string {
	t.Helper()
	var paths []string
	for _, folder := range folders {
		err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() && wanted(filepath.ToSlash(path)) {
				paths = append(paths, path)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return paths
}

// Share returns the part of a list that is enough for go test: one in eight, including the first. With VIEWER_SWEEP=all
// it returns the whole list.
func Share(list []string) []string {
	if Full() {
		return list
	}
	var some []string
	for i := 0; i < len(list); i += every {
		some = append(some, list[i])
	}
	return some
}

// notesName is the name of a file in a folder of sessions that says where they come from. It is none of them.
const notesName = "SOURCES.md"

func find(folder string, patterns []string) (paths []string, reason string) {
	for _, p := range patterns {
		found, err := filepath.Glob(filepath.Join(folder, filepath.FromSlash(p)))
		found = slices.DeleteFunc(found, func(path string) bool { return filepath.Base(path) == notesName })
		if err != nil || len(found) == 0 {
			return nil, "no sessions beside the project: nothing matches ../shared/corpus/" + p
		}
		paths = append(paths, found...)
	}
	return paths, ""
}

// root returns the folder of the corpora: ../shared/corpus, relative to the root of the module.
func root(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for ; ; dir = filepath.Dir(dir) {
		text, err := os.ReadFile(filepath.Join(dir, "go.mod"))
		if err == nil && strings.HasPrefix(string(text), "module viewer\n") {
			return filepath.Join(filepath.Dir(dir), "shared", "corpus")
		}
		if dir == filepath.Dir(dir) {
			t.Fatal("the test does not run in a folder of the module")
		}
	}
}
