package archtest

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// checkComments checks that each package has a comment that says what the package does and what it never does.
func checkComments(packages map[string][]source) []string {
	var findings []string
	for _, folder := range slices.Sorted(maps.Keys(packages)) {
		says := func(s source) bool { return s.file.Doc != nil && strings.Contains(s.file.Doc.Text(), "never") }
		if sources := packages[folder]; len(sources) > 0 && !slices.ContainsFunc(sources, says) {
			const want = "%s: no comment says what the package does and what it never does: write one in doc.go"
			findings = append(findings, fmt.Sprintf(want, folder))
		}
	}
	return findings
}

func TestComments(t *testing.T) {
	for _, c := range []struct{ name, path, text, want string }{
		{"a comment", "a/a.go", "// Package a adds. It never subtracts.\npackage a", ""},
		{"a comment that says one half", "a/a.go", "// Package a adds.\npackage a", "a: no comment says"},
		{"a comment of something else", "a/a.go", "// It never subtracts.\n\npackage a", "a: no comment says"},
		{"no comment", "a/a.go", "package a", "a: no comment says"},
		{"a package of tests", "a/a_test.go", "package a", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			sources, err := parseModule(fstest.MapFS{c.path: {Data: []byte(c.text)}})
			if err != nil {
				t.Fatal(err)
			}
			got := strings.Join(checkComments(byFolder(sources)), "\n")
			if !strings.HasPrefix(got, c.want) || (got == "") != (c.want == "") {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}
