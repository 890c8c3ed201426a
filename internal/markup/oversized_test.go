package markup

import (
	"strings"
	"testing"
)

// TestOversizedMarkdown: a text whose HTML would be far larger than itself is drawn as plain text. Other long texts are
// not.
func TestOversizedMarkdown(t *testing.T) {
	const n = 40_000
	for _, test := range []struct {
		name, text string
		plain      bool
	}{
		{"references to one footnote", strings.Repeat("[^a]", n/8) + "\n\n[^a]: " + strings.Repeat("[^a]", n/8), true},
		{"fences", strings.Repeat("```\n", n/2), true},
		{"brackets in brackets", strings.Repeat("[", 2000) + strings.Repeat("]", 2000), true},
		{"brackets side by side", strings.Repeat("[x] ", 2000), false},
		{"few references", strings.Repeat("[^a]", 20) + "\n\n[^a]: b", false},
		{"much prose", strings.Repeat("Some **bold** words, and `code` too.\n\n", n/4), false},
		{"a long table", "|a|b|\n|-|-|\n" + strings.Repeat("|one|two|\n", n/40), false},
	} {
		got := string(Markdown(test.text, "x"))
		if plain := strings.HasPrefix(got, `<div class="text">`); plain != test.plain {
			t.Errorf("%s: plain is %v for %d bytes of HTML from %d of text, want %v", test.name, plain, len(got),
				len(test.text), test.plain)
		}
		if test.plain && len(got) > 3*len(test.text)+100 {
			t.Errorf("%s: got %d bytes of HTML from %d of text, want at most 3 times",
				test.name, len(got), len(test.text))
		}
	}
}
