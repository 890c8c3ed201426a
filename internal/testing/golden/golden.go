// Package golden compares the result of a test with what a txtar file of testdata expects, and rewrites the file when
// the test runs with -update. It never changes a file without that flag, and is for tests only.
package golden

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "rewrite the wanted sections of golden files with what the tests got")

// Update reports whether the test runs with -update.
func Update() bool { return *update }

// Archive is one txtar file: a comment that describes the case, and named sections.
type Archive struct {
	Path    string
	Comment string

	sections map[string]string
}

// maxColumns is the maximum length of a line of a comment.
const maxColumns = 120

// Open reads the archive at path. It fails if a line of its comment is too long.
func Open(t testing.TB, path string) *Archive {
	t.Helper()
	parsed, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatalf("reading golden: %v", err)
	}
	a := &Archive{Path: path, Comment: string(parsed.Comment), sections: map[string]string{}}
	for line := range strings.Lines(a.Comment) {
		if n := utf8.RuneCountInString(line) - 1; n > maxColumns {
			t.Fatalf("%s: a line of the comment has %d columns, want at most %d: wrap it", path, n, maxColumns)
		}
	}
	for _, f := range parsed.Files {
		if _, twice := a.sections[f.Name]; twice {
			t.Fatalf("%s: two sections are named %s: remove one", path, f.Name)
		}
		a.sections[f.Name] = string(f.Data)
	}
	return a
}

// Glob lists the files that match pattern, in order. It fails if there are none, because a test without cases would
// pass for the wrong reason.
func Glob(t testing.TB, pattern string) []string {
	t.Helper()
	paths, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatalf("golden: pattern %s: %v", pattern, err)
	}
	if len(paths) == 0 {
		t.Fatalf("no file matches %s: the test has no cases; add one, or correct the pattern", pattern)
	}
	return paths
}

// Sections returns the sections of one name in the archives that match pattern, by the name of their file.
func Sections(t testing.TB, pattern, name string) map[string][]byte {
	t.Helper()
	all := make(map[string][]byte)
	for _, path := range Glob(t, pattern) {
		a, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range a.Files {
			if f.Name == name {
				all[strings.TrimSuffix(filepath.Base(path), ".txtar")] = f.Data
			}
		}
	}
	return all
}

// Has reports whether the archive has a section of that name.
func (a *Archive) Has(name string) bool {
	_, ok := a.sections[name]
	return ok
}

// Section returns the text of one section. If it is missing the test ends.
func (a *Archive) Section(t testing.TB, name string) string {
	t.Helper()
	text, ok := a.sections[name]
	if !ok {
		t.Fatalf("%s has no section -- %s --: add it", a.Path, name)
	}
	return text
}

// Compare fails the test if the section called name differs from got. With -update it writes got into the section.
// Sections named *.html may differ in the white space between tags, so templates may be indented freely. All other
// sections are compared byte by byte, except for the newline at the end, which txtar always adds.
func (a *Archive) Compare(t testing.TB, name, got string) {
	t.Helper()
	got = endInNewline(got)
	want, ok := a.sections[name]
	if ok && canonical(name, want) == canonical(name, got) {
		return
	}
	if Update() {
		a.rewrite(t, name, got)
		return
	}
	if !ok {
		t.Errorf("%s has no section -- %s --; got:\n%s\nto write it: %s", a.Path, name, got, Command(t))
		return
	}
	t.Errorf("%s: %s differs (-want +got):\n%s\nif got is right: %s",
		a.Path, name, cmp.Diff(canonical(name, want), canonical(name, got)), Command(t))
}

// Command returns the command that runs only this test again, with -update.
func Command(t testing.TB) string {
	parts := strings.Split(t.Name(), "/")
	for i, p := range parts {
		parts[i] = regexp.QuoteMeta(p)
	}
	return "go test " + packagePath() + " -run '" + strings.Join(parts, "/") + "' -update"
}

// packagePath returns the folder of the running test, relative to its module. go test starts each test in its folder.
func packagePath() string {
	dir, err := os.Getwd()
	if err != nil {
		return "."
	}
	for root := dir; ; root = filepath.Dir(root) {
		if _, err := os.Stat(filepath.Join(root, "go.mod")); err == nil {
			rel, err := filepath.Rel(root, dir)
			if err != nil {
				return "."
			}
			return "./" + filepath.ToSlash(rel)
		}
		if root == filepath.Dir(root) {
			return "."
		}
	}
}

// writing is held while a file is rewritten: parallel cases may share it.
var writing sync.Mutex

func (a *Archive) rewrite(t testing.TB, name, text string) {
	t.Helper()
	writing.Lock()
	defer writing.Unlock()

	// Read again: another case may have written its section since Open.
	archive, err := txtar.ParseFile(a.Path)
	if err != nil {
		t.Fatalf("updating golden: %v", err)
	}
	set(archive, name, text)
	out := txtar.Format(archive)
	if reread := txtar.Parse(out); len(reread.Files) != len(archive.Files) || !bytes.Equal(txtar.Format(reread), out) {
		t.Fatalf("%s: section %s contains a line that looks like a txtar marker (-- name --): change the case", a.Path, name)
	}
	if err := os.WriteFile(a.Path, out, 0o644); err != nil {
		t.Fatalf("updating golden: %v", err)
	}
	a.sections[name] = text
	t.Logf("wrote section %s of %s", name, a.Path)
}

func set(archive *txtar.Archive, name, text string) {
	for i := range archive.Files {
		if archive.Files[i].Name == name {
			archive.Files[i].Data = []byte(text)
			return
		}
	}
	archive.Files = append(archive.Files, txtar.File{Name: name, Data: []byte(text)})
}

func endInNewline(s string) string {
	if s == "" || strings.HasSuffix(s, "\n") {
		return s
	}
	return s + "\n"
}
