package prose

import (
	"strings"
	"testing"
)

// TestCutProse: text is only cut at the start of a block, and only if both parts are valid without the other.
func TestCutProse(t *testing.T) {
	lines := func(n int, line string) string { return strings.Repeat(line+"\n", n) }
	for name, c := range map[string]struct{ text, rest string }{
		"short":             {lines(10, "a\n"), ""},
		"little more":       {lines(28, "a") + "\n" + lines(11, "b"), ""},
		"at a blank line":   {lines(30, "a") + "\nb\n" + lines(20, "b"), "b\n" + lines(20, "b")},
		"no blank line":     {lines(90, "a"), ""},
		"before an item":    {"- a\n" + lines(40, "  a") + lines(20, "- b"), lines(20, "- b")},
		"before a number":   {lines(30, "1. a") + lines(20, "2) b"), lines(2, "1. a") + lines(20, "2) b")},
		"not in a fence":    {"```go\n" + lines(40, "a\n") + "```\n\n" + lines(20, "b"), lines(20, "b")},
		"not in a longer":   {"````\n" + lines(20, "a\n") + "```\n\n" + lines(20, "a\n") + "````\n\n" + lines(20, "b"), lines(20, "b")},
		"not in an item":    {"- a\n\n" + lines(20, "  a\n") + "\nb\n" + lines(20, "b"), "b\n" + lines(20, "b")},
		"links at the end":  {lines(30, "a [x]") + "\n" + lines(20, "b") + "\n[x]: https://example.com\n", ""},
		"lines that wrap":   {lines(4, strings.Repeat("wide ", 200)) + "\n" + lines(20, "b"), lines(20, "b")},
		"emphasis, no item": {lines(30, "a") + lines(20, "**b**"), ""},
	} {
		head, rest := Cut(c.text)
		if rest != c.rest || head+rest != c.text {
			t.Errorf("%s: the rest is %q, want %q", name, rest, c.rest)
		}
	}
}
