package golden

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

const sample = `A case with two sections.

-- in.txt --
one
-- want.html --
<p>
  <b>one</b>
</p>
`

func TestOpen(t *testing.T) {
	a := Open(t, write(t, sample))
	if want := "A case with two sections.\n\n"; a.Comment != want {
		t.Errorf("Comment = %q, want %q", a.Comment, want)
	}
	if got, want := a.Section(t, "in.txt"), "one\n"; got != want {
		t.Errorf("Section(in.txt) = %q, want %q", got, want)
	}
	if !a.Has("want.html") || a.Has("want.txt") {
		t.Errorf("Has(want.html), Has(want.txt) = %v, %v, want true, false", a.Has("want.html"), a.Has("want.txt"))
	}
}

func TestFailures(t *testing.T) {
	path := write(t, sample)
	for _, c := range []struct {
		name string
		do   func(testing.TB)
		want string
	}{
		{"no such file", func(t testing.TB) { Open(t, path+"x") }, "reading golden: "},
		{"a name twice", func(t testing.TB) { Open(t, write(t, "-- a --\n-- a --\n")) }, "two sections are named a"},
		{"a long comment", func(t testing.TB) { Open(t, write(t, strings.Repeat("a", 121)+"\n-- a --\n")) },
			"a line of the comment has 121 columns, want at most 120"},
		{"no such section", func(t testing.TB) { Open(t, path).Section(t, "other") }, "has no section -- other --"},
		{"nothing matches", func(t testing.TB) {
			Glob(t, filepath.Join(filepath.Dir(path), "*.none"))
		}, "no file matches"},
		{"a bad pattern", func(t testing.TB) { Glob(t, "[") }, "syntax error in pattern"},
		{"text differs", func(t testing.TB) { Open(t, path).Compare(t, "in.txt", "two") }, `"one`},
		{"nothing is wanted yet", func(t testing.TB) {
			Open(t, path).Compare(t, "new.txt", "two")
		}, "has no section -- new.txt --; got:\ntwo"},
		{"how to update", func(t testing.TB) { Open(t, path).Compare(t, "in.txt", "two") },
			"go test ./internal/testing/golden -run 'TestFailures/how_to_update' -update"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := failure(t, c.do)
			if !strings.Contains(got, c.want) {
				t.Errorf("failure is\n%s\nwant it to contain\n%s", got, c.want)
			}
		})
	}
	if got := read(t, path); got != sample {
		t.Errorf("without -update the file changed to\n%s", got)
	}
}

func TestCompareHTML(t *testing.T) {
	for _, c := range []struct {
		name, want, got string
		same            bool
	}{
		{"indentation", "<p>\n  <b>a</b>\n</p>\n", "<p><b>a</b></p>", true},
		{"a line break in a text", "<p>a\n  b</p>", "<p>a b</p>", true},
		{"a word", "<p>a</p>", "<p>b</p>", false},
		{"a blank between words", "<b>a</b> <b>b</b>", "<b>a</b><b>b</b>", false},
		{"a blank after a tag", "<b>a</b> and", "<b>a</b>and", false},
		{"blanks in pre", "<pre>a  b</pre>", "<pre>a b</pre>", false},
		{"lines in pre", "<pre>a\nb</pre>", "<pre>a b</pre>", false},
		{"after pre", "<pre>a</pre>\n<p>b</p>", "<pre>a</pre><p>b</p>", true},
		{"an attribute", `<p class="a">`, `<p class="b">`, false},
		{"an entity", "<p>&lt;</p>", "<p>&amp;lt;</p>", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := Open(t, write(t, "-- want.html --\n"+c.want+"\n"))
			got := failure(t, func(t testing.TB) { a.Compare(t, "want.html", c.got) })
			if (got == "") != c.same {
				t.Errorf("%q and %q: got equal %v, want %v\n%s", c.want, c.got, got == "", c.same, got)
			}
		})
	}
}

func TestCompareText(t *testing.T) {
	a := Open(t, write(t, sample))
	a.Compare(t, "in.txt", "one")
	a.Compare(t, "in.txt", "one\n")
	if got := failure(t, func(t testing.TB) { a.Compare(t, "in.txt", " one") }); got == "" {
		t.Error("a text with an additional space compares equal, want a difference")
	}
}

func TestUpdate(t *testing.T) {
	updating(t)
	path := write(t, sample)
	a, b := Open(t, path), Open(t, path)

	a.Compare(t, "want.html", "<p><b>one</b></p>")
	if got := read(t, path); got != sample {
		t.Errorf("a section that compares equal was rewritten to:\n%s", got)
	}

	a.Compare(t, "want.html", "<p>two</p>")
	b.Compare(t, "want.outline", "1 user")
	want := strings.Replace(sample, "<p>\n  <b>one</b>\n</p>", "<p>two</p>", 1) + "-- want.outline --\n1 user\n"
	if got := read(t, path); got != want {
		t.Errorf("after -update the file is\n%s\nwant\n%s", got, want)
	}
}

func TestUpdateRefusesMarkers(t *testing.T) {
	updating(t)
	path := write(t, sample)
	got := failure(t, func(t testing.TB) { Open(t, path).Compare(t, "in.txt", "a\n-- b --\n") })
	if want := "looks like a txtar marker"; !strings.Contains(got, want) {
		t.Errorf("failure is %q, want %q", got, want)
	}
	if got := read(t, path); got != sample {
		t.Errorf("the file changed to\n%s\nwant it unchanged", got)
	}
}

func updating(t *testing.T) {
	before := *update
	*update = true
	t.Cleanup(func() { *update = before })
}

func write(t testing.TB, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "case.txtar")
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func read(t testing.TB, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// failure runs a function and returns the failures of its test, or "".
func failure(t *testing.T, do func(testing.TB)) string {
	t.Helper()
	r := &recorder{TB: t}
	done := make(chan struct{})
	go func() {
		defer close(done)
		do(r)
	}()
	<-done
	return r.text.String()
}

// A recorder records the failures of a test under test. Fatalf ends its goroutine, as testing does.
type recorder struct {
	testing.TB
	text strings.Builder
}

func (r *recorder) Errorf(format string, args ...any) { fmt.Fprintf(&r.text, format+"\n", args...) }

func (r *recorder) Fatalf(format string, args ...any) {
	r.Errorf(format, args...)
	runtime.Goexit()
}
