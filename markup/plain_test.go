package markup

import (
	"strings"
	"testing"
)

var plainCases = []struct {
	in    string
	plain bool
}{
	{"", true}, {"Now the tests.", true}, {"One.\nTwo.\n\nThree, \"four\".\n", true}, {"\n\nA\n\n\n\nB\n\n", true}, {"é ü\n世界 (x)\n", true}, {"(a) b - c + d = e 1. f", true}, {"a: b; c, d! e? f/g h.i %j $k {l} 'm'", true}, {"It's 5 > 4", false},
	{" a", false}, {"a ", false}, {"a  \nb", false}, {"a\tb", false}, {"- a", false}, {"+ a", false}, {"1. a", false}, {"# a", false}, {"a\n---", false}, {"a\n===", false}, {"    a", false},
	{"*a*", false}, {"_a_", false}, {"`a`", false}, {"[a]", false}, {"<a>", false}, {"a & b", false}, {`a\b`, false}, {"~a~", false}, {"a | b", false}, {"a@b.c", false}, {"http://a.b", false}, {"www.a.b", false}, {"a\x00b", false}, {"a\x7fb", false},
}

func TestPlain(t *testing.T) {
	for _, c := range plainCases {
		if got := isPlain(c.in); got != c.plain {
			t.Errorf("isPlain(%q) = %v, want %v", c.in, got, c.plain)
		}
		checkPlain(t, c.in)
	}
}

// checkPlain checks that text which is not parsed is drawn as if it were.
func checkPlain(t *testing.T, s string) {
	t.Helper()
	if s = newlines(s); !isPlain(s) {
		return
	}
	if got, want := drawPlain(s), draw(s, "x"); got != want {
		t.Errorf("plain %q\n got %q\nwant %q", s, got, want)
	}
	parsed := excerpt{left: 41}
	parsed.parse(s)
	added := excerpt{left: 41}
	added.add(s)
	if got, want := added.String(40, true), parsed.String(40, true); got != want {
		t.Errorf("excerpt of plain %q\n got %q\nwant %q", s, got, want)
	}
}

func FuzzPlain(f *testing.F) {
	var seeds []string
	for _, c := range plainCases {
		seeds = append(seeds, c.in)
	}
	seed(f, append(seeds, texts...))
	f.Fuzz(func(t *testing.T, s string) {
		checkPlain(t, s)
		// Without what makes it something else, most text is plain.
		checkPlain(t, strings.Map(func(r rune) rune {
			if r < 0x80 && markupBytes[r] {
				return 'a'
			}
			return r
		}, s))
	})
}
