package archtest

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// TestReadable checks the limits of functions and lines with files just below and just above them.
func TestReadable(t *testing.T) {
	wide := strings.Repeat("x", maxColumns)
	ifs := func(n int) string { return strings.Repeat("if a {\n}\n", n) }
	for _, c := range []struct{ name, path, text, want string }{
		{"a simple function", "a/a.go", "package a\nfunc f(a bool) {\n" + ifs(29) + "}", ""},
		{"one branch more", "a/a.go", "package a\nfunc f(a bool) {\n" + ifs(30) + "}", "a/a.go:2: f has a cyclomatic complexity of 31, over 30"},
		{"in a test", "a/a_test.go", "package a\nfunc f(a bool) {\n" + ifs(30) + "}", "a/a_test.go:2: f has"},
		{"in a nested module", "e2e/a_test.go", "package a\nfunc f(a bool) {\n" + ifs(30) + "}", "e2e/a_test.go:2: f has"},
		{"in testdata", "a/testdata/a.go", "package a\nfunc f(a bool) {\n" + ifs(30) + "}", ""},
		{"a method", "a/a.go", "package a\nfunc (x *t[k]) f(a bool) {\n" + ifs(30) + "}", "t.f has"},
		{"a function inside", "a/a.go", "package a\nvar f = func(a bool) {\n" + ifs(30) + "}", "var has"},
		{"loops, cases and operators", "a/a.go", "package a\nfunc f(a bool, b chan int) {\n" + ifs(23) +
			"for a {\n}\nfor range b {\n}\nswitch {\ncase a && a || a:\ndefault:\n}\nselect {\ncase <-b:\ndefault:\n}\n}", ""},
		{"and one branch more", "a/a.go", "package a\nfunc f(a bool, b chan int) {\n" + ifs(24) +
			"for a {\n}\nfor range b {\n}\nswitch {\ncase a && a || a:\ndefault:\n}\nselect {\ncase <-b:\ndefault:\n}\n}", "complexity of 31"},

		{"a full line", "a/a.go", "package a\n// " + wide[3:], ""},
		{"a longer line", "a/a.go", "package a\n// " + wide[2:], "a/a.go:2: over 120 columns"},
		{"a full line of wide letters", "a/a.go", "package a\n// " + strings.Repeat("–", 117), ""},
		{"a full line with a tab", "a/a.go", "package a\nfunc f() {\n\t// " + wide[7:] + "\n}", ""},
		{"a longer line with a tab", "a/a.go", "package a\nfunc f() {\n\t// " + wide[6:] + "\n}", "a/a.go:3: over"},
		{"code and a long string", "a/a.go", "package a\nvar " + wide[:32] + " = \"" + wide + "\"", ""},
		{"more code and a long string", "a/a.go", "package a\nvar " + wide[:34] + " = \"" + wide + "\"", "a/a.go:2: over"},
		{"code and a string", "a/a.go", "package a\nvar a = b(\"" + wide[:77] + "\", " + wide[:30] + ")", "a/a.go:2: over"},
		{"a string on its line", "a/a.go", "package a\nvar a = b(\n\"" + wide + "\",\n)", ""},
		{"a part of a string", "a/a.go", "package a\nvar a = \"\" +\n\"" + wide + "\" +\n\"\"", ""},
		{"lines of a string", "a/a.go", "package a\nvar a = `\n" + wide + wide + "\n`", ""},
		{"a row of a table", "a/a.go", "package a\nvar a = []b{\n{1, \"" + wide + "\"},\n}", ""},
		{"a row of a map", "a/a.go", "package a\nvar a = map[string]string{\n\"" + wide + "\": c,\n}", ""},
		{"a row without text", "a/a.go", "package a\nvar a = []b{\n" + wide + ",\n}", "a/a.go:3: over"},
		{"a row with a function", "a/a.go", "package a\nvar a = []b{\n{\"\", func() { " + wide + "() }},\n}", "a/a.go:3: over"},
		{"two rows on a line", "a/a.go", "package a\nvar a = []b{\n{\"" + wide[:70] + "\"}, {\"" + wide[:70] + "\"},\n}", "a/a.go:3: over"},
		{"a table on one line", "a/a.go", "package a\nvar a = []b{{1, \"" + wide + "\", " + wide[:30] + "}}", "a/a.go:2: over"},
		{"the tag of a field", "a/a.go", "package a\ntype a struct {\nb string `" + wide + "`\n}", ""},
		{"an import", "a/a.go", "package a\nimport _ \"" + wide + "\"", ""},
		{"a directive", "a/a.go", "package a\n//go:generate " + wide, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			sources, err := parseModule(fstest.MapFS{
				"e2e/go.mod": {Data: []byte(`module viewer/e2e`)},
				c.path:       {Data: []byte(c.text)},
			})
			if err != nil {
				t.Fatal(err)
			}
			got := checkReadable(sources)
			says := func(f string) bool { return strings.Contains(f, c.want) }
			if c.want == "" && len(got) > 0 || c.want != "" && !slices.ContainsFunc(got, says) {
				t.Errorf("%s:\n%s\nfindings %q\nwant one with %q", c.path, c.text, got, c.want)
			}
		})
	}
}
