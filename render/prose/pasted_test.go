package prose

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
)

func TestIsPasted(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       bool
	}{
		{"words", "Please mend the slots.\nThey overlap.", false},
		{"a plan", "# Ovens\n\n## Goal\n\n1. **One** oven (the old one)\n2. `two` of them\n\n- a (b)\n- c (d)\n- e (f)", false},
		{"a list of calls", "- open(path)\n- read(path)\n- close(path)", false},
		{"nested lists", "- a\n    - b\n    - c\n        - d\n", false},
		{"code in a fence", "Why?\n```go\nfunc a() {\n\treturn\n}\n```", false},
		{"a sentence and one line of code", "What does this do?\nx := f(y);", false},
		{"times", "It fails:\n2026-03-02 10:11:12 starting\n2026-03-02 10:11:13 *ready*\n2026-03-02 10:11:14 # failed", true},
		{"levels", "ERROR: no oven\nINFO: cold\nWARN: too hot\nhelp", true},
		{"a trace of Python", "Traceback (most recent call last):\n  File \"a.py\", line 3, in <module>\n    bake()\n  File \"b.py\", line 7, in bake\n    raise Cold\nCold", true},
		{"a trace of JavaScript", "TypeError: no oven\n    at bake (/srv/a.js:3:7)\n    at main (/srv/b.js:9:1)\n    at node:internal/main:1:1", true},
		{"messages of a compiler", "a.go:3:7: undefined: oven\na.go:9:1: missing return\nb.go:1: no\n", true},
		{"a patch", "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b", true},
		{"code", "func bake() {\n\toven := find()\n\treturn oven\n}", true},
		{"indented", "look\n    one\n    two\n    three", true},
		{"a terminal", "$ make\n$ make check\n$ ls\nok", true},
		{"markup", "<div class=\"a\">\n<p>x</p>\n</div>", true},
		{"two lines of a log in a long text", "one\ntwo\nthree\nfour\nfive\nsix\n10:11:12 a\n10:11:13 b\n10:11:14 c\nseven", false},
	} {
		if got := isPasted(c.text); got != c.want {
			t.Errorf("%s: isPasted = %v, want %v", c.name, got, c.want)
		}
	}
}

func TestDrawPrompt(t *testing.T) {
	long := "# Title\n\n"
	for range 60 {
		long += "- one\n"
	}
	shown, folded, all, ok := Prompt(long)
	if !ok || shown == "" || folded == "" || all != "all 62 lines" {
		t.Errorf("a long list: drawn %v, with %d and %d folded bytes, %q", ok, len(shown), len(folded), all)
	}
	for _, c := range []string{"just words\nin lines", "#tag", "    a\n    b", "```md\n# a\n```"} {
		if _, _, _, ok := Prompt(c); ok {
			t.Errorf("%q is changed, want it as typed", c)
		}
	}
}

// TestPastedLines: the fast checks agree with the regular expressions that they replace.
func TestPastedLines(t *testing.T) {
	codeEnd := regexp.MustCompile(`([;{}]|\);?|\},?|=>|\],)\s*$`)
	parts := []string{
		" ", "  ", "\t", "\f", "\v", "\u00a0", "\n", "[", "2026-03-02", "10:11:12", "TRACE",
		"ERROR:", "INFO]", "at x(", "at ", `File "a", line 3`, "Traceback (", "goroutine 7 [",
		"a.go:3:", "a.go", ":7", ": ", "diff --git ", "@@ -1", "+++ a", "--- a", "index 0123abc",
		"$ a", "% a", "me@host:~", "me@host:", "# ", "$ ", ">>> ", "npm ERR!", "yarn error",
		"import ", "func ", "async ", "x =", "f(", "#include", "#!", "<a>", "</b", "-", "1", "word",
		"é", "\xff", ";", "{", "}", ")", "},", "=>", "],", ",", "]",
	}
	random := rand.New(rand.NewPCG(1, 2))
	found := 0
	for range 200_000 {
		var line strings.Builder
		for range random.IntN(5) + 1 {
			line.WriteString(parts[random.IntN(len(parts))])
		}
		s := line.String()
		if pastedLine().MatchString(s) {
			if found++; !mayBePasted(s) {
				t.Fatalf("%q matches the expression, but is not checked", s)
			}
		}
		if got, want := endsLikeCode(s), codeEnd.MatchString(s); got != want {
			t.Fatalf("endsLikeCode(%q) = %v, want %v", s, got, want)
		}
	}
	if found < 1000 {
		t.Errorf("%d lines look pasted, want at least 1000", found)
	}
}
