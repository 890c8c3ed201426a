package changes

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"viewer/internal/testing/plaingit"
)

// TestPatch applies patches with git.
func TestPatch(t *testing.T) {
	plaingit.Use(t)
	for _, c := range []struct {
		name   string
		before map[string]string
		steps  []Step
		after  map[string]string
	}{
		{"made, changed, renamed, taken away", map[string]string{"b": "1\n2\n", "c": "3\n", "d": "4\n"}, []Step{
			do(change, "sub/a", texts{Absent: true, After: p("x\n")}),
			do(change, "b", texts{Before: p("1\n2\n"), After: p("1\n5\n")}), do(observe, "c", texts{Before: p("3\n")}),
			rename("c", "e f"), do(change, "e f", texts{After: p("6\n")}), do(observe, "d", texts{Before: p("4\n")}),
			remove("d"),
		}, map[string]string{"sub/a": "x\n", "b": "1\n5\n", "e f": "6\n"}},
		{"hostile names", map[string]string{"q\"\\ä\tx": "1\n"}, []Step{
			do(change, "q\"\\ä\tx", texts{Before: p("1\n"), After: p("2\n")}), do(change, "a\nb", texts{Absent: true,
				After: p("3\n")}),
			do(change, "../up", texts{Absent: true, After: p("4\n")}), do(change, ".git/config", texts{Absent: true,
				After: p("5\n")}),
			do(change, "/etc/passwd", texts{Absent: true, After: p("6\n")}),
		}, map[string]string{"q\"\\ä\tx": "2\n", "a\nb": "3\n"}},
		{"ends of all kinds", map[string]string{"a": "1\r\n2\n3\rx\n", "b": "1\r2\r3"}, []Step{
			do(change, "a", texts{Before: p("1\r\n2\n3\rx\n"), After: p("1\r\n2\n4\rx\n")}),
			do(change, "b", texts{Before: p("1\r2\r3"), After: p("1\r5\r3")}),
		}, map[string]string{"a": "1\r\n2\n4\rx\n", "b": "1\r5\r3"}},
		{"CRLF, a mark, no last end", map[string]string{"a": "1\r\n2\r\n", "b": "\ufeff1\n2", "c": "1"}, []Step{
			do(change, "a", texts{Before: p("1\r\n2\r\n"), After: p("1\r\n3\r\n")}), do(change, "b",
				texts{Before: p("\ufeff1\n2"), After: p("\ufeff1\n2\n")}),
			do(change, "c", texts{Before: p("1"), After: p("2\n3")}),
		}, map[string]string{"a": "1\r\n3\r\n", "b": "\ufeff1\n2\n", "c": "2\n3"}},
		{"new files with CRLF and a mark", nil, []Step{
			do(change, "a", texts{Absent: true, After: p("\ufeff1\r\n2\r\n")}),
			do(change, "b", texts{Absent: true, After: p("1\r\n")}), do(change, "b",
				texts{Edits: replaced("1", "2", false)}),
		}, map[string]string{"a": "\ufeff1\r\n2\r\n", "b": "2\r\n"}},
		{"empty files", map[string]string{"b": "1\n", "c": ""}, []Step{
			do(change, "a", texts{Absent: true, After: p("")}), do(change, "b", texts{Before: p("1\n"), After: p("")}),
			do(change, "c", texts{Before: p(""), After: p("1\n")}),
		}, map[string]string{"a": "", "b": "", "c": "1\n"}},
		{"a text that is not known", map[string]string{"a": "0\n1\n2\n3\n"}, []Step{
			do(change, "a", texts{Hunks: patchOf(2, " 1", "-2", "+5", " 3")}),
			do(change, "a", texts{Hunks: patchOf(2, " 1", "-5", "+6", " 3")}),
		}, map[string]string{"a": "0\n1\n6\n3\n"}},
		{"renamed, and another in its place", map[string]string{"a": "a line that is kept\n"}, []Step{
			do(observe, "a", texts{Before: p("a line that is kept\n")}), rename("a", "b"), do(change, "a",
				texts{Absent: true, After: p("1\n")}),
		}, map[string]string{"a": "1\n", "b": "a line that is kept\n"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if runtime.GOOS == "windows" && strings.HasPrefix(c.name, "hostile") {
				t.Skip("Windows does not allow these names")
			}
			dir := t.TempDir()
			for name, text := range c.before {
				writeFile(t, dir, name, text)
			}
			var patch Patch
			for _, f := range Replay(c.steps, Options{}).Files {
				patch.Add(&f, "")
			}
			applyPatch(t, c.name, dir, patch.Bytes())
			for name, want := range c.after {
				if got, err := os.ReadFile(filepath.Join(dir, name)); string(got) != want || err != nil {
					t.Errorf("%q: got %q, error %v, want %q\n%s", name, got, err, want, patch.Bytes())
				}
			}
			for name := range c.before {
				if _, err := os.Stat(filepath.Join(dir, name)); err == nil && c.after[name] == "" && name != "b" {
					t.Errorf("%s still exists, want it deleted", name)
				}
			}
		})
	}
}

func TestMatches(t *testing.T) {
	for _, c := range []struct {
		pattern, name string
		want          bool
	}{
		{"*.go", "a/b.go", true}, {"a/*.go", "a/b.go", true}, {"a", "a/b.go", true}, {"a/", "a/b.go", true}, {"b.go",
			"a/b.go", true},
		{"[", "a", false}, {"*.c", "a/b.go", false}, {"a/b", "a/b.go", false},
	} {
		if got := Matches(c.pattern, c.name); got != c.want {
			t.Errorf("Matches(%s, %s) = %v", c.pattern, c.name, got)
		}
	}
}

// TestPatchLarge: a file that is too large to compare is left out of the patch, because its diff would be wrong.
func TestPatchLarge(t *testing.T) {
	steps := []Step{do(change, "a", texts{Absent: true, After: p(strings.Repeat("\n", MaxLines+1))})}
	var patch Patch
	for _, f := range Replay(steps, Options{}).Files {
		patch.Add(&f, "")
	}
	if patch.Len() > 0 || len(patch.Large) != 1 {
		t.Errorf("got patch %q, too large %q; want no patch and 1 file", patch.Bytes(), patch.Large)
	}
}
