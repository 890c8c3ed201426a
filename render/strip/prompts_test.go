package strip

import "testing"

// TestLabelOf: wide letters need more room, so a label has fewer of them.
func TestLabelOf(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"When is the tide high?", "When is the…"},
		{"Is it high?", "Is it high?"},
		{"満潮はいつですか。教えてください。", "満潮はいつです…"},
		{"満潮はいつですか", "満潮はいつですか"},
		{"The pier 満潮はいつ", "The pier 満…"},
	} {
		if got := labelOf(c.text, 12); got != c.want {
			t.Errorf("the label of %q is %q, want %q", c.text, got, c.want)
		}
	}
}
