package archtest

import (
	"fmt"
	"go/ast"
	"strings"
	"testing"
	"testing/fstest"
	"unicode"
)

// metaphors are words that names in code may not contain, because there is a term that engineers know: cache, prefetch,
// tail reader, scan state, redactor, relations, notifier, memory limit.
var metaphors = setOf("nursery brood growth glance shelf scout trail kin deed bell keeper stretch frugal lively ample " +
	"spare hand twin stutter patience heedless disown")

// checkWords checks that no name contains a metaphor.
func checkWords(sources []source) []string {
	var findings []string
	for _, s := range sources {
		seen := map[string]bool{}
		ast.Inspect(s.file, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			if !ok || seen[id.Name] {
				return true
			}
			seen[id.Name] = true
			for _, word := range wordsOf(id.Name) {
				if metaphors[strings.TrimSuffix(word, "s")] {
					findings = append(findings, fmt.Sprintf("%s: %s: %q is a metaphor: use the field's word for it",
						s.at(id), id.Name, word))
				}
			}
			return true
		})
	}
	return findings
}

// wordsOf returns the words of a name in lower case: "lastScout" has "last" and "scout".
func wordsOf(name string) []string {
	var words []string
	start := 0
	for i, c := range name {
		if i > start && (unicode.IsUpper(c) || c == '_') {
			words, start = append(words, name[start:i]), i
		}
	}
	words = append(words, name[start:])
	for i, w := range words {
		words[i] = strings.ToLower(strings.Trim(w, "_"))
	}
	return words
}

func TestWords(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"none", "package a\nfunc example(kind int) {}", ""},
		{"a function", "package a\nfunc scout() {}", `a/a.go:2: scout: "scout" is`},
		{"a part of a name", "package a\nvar newGlances int", `a/a.go:2: newGlances: "glances" is`},
		{"a field", "package a\ntype a struct {\n\tkin_of int\n}", `a/a.go:3: kin_of: "kin" is`},
		{"a comment and a text", "package a\n\n// spare\nvar a = \"scout\"", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			sources, err := parseModule(fstest.MapFS{"a/a.go": {Data: []byte(c.text)}})
			if err != nil {
				t.Fatal(err)
			}
			got := strings.Join(checkWords(sources), "\n")
			if !strings.HasPrefix(got, c.want) || (got == "") != (c.want == "") {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}
