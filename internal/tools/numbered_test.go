package tools

import "testing"

func TestNumberedLines(t *testing.T) {
	for _, c := range []struct {
		name, in string
		first    int
		code     string
	}{
		{"arrows, up to 2.1.8x", "     1→package moon\n     2→\n", 1, "package moon\n"},
		{"tabs, after", "9\ta\n10\tb\tc", 9, "a\nb\tc"},
		{"one line", "  120→x", 120, "x"},
		{"text without numbers", "high\nlow", 0, "high\nlow"},
		{"a number that is missing", "1\ta\n3\tc", 0, "1\ta\n3\tc"},
		{"a line without number", "1\ta\nb", 0, "1\ta\nb"},
		{"numbers that are content", "1 a\n2 b", 0, "1 a\n2 b"},
		{"a number too large", "12345678901\ta", 0, "12345678901\ta"},
		{"nothing", "", 0, ""},
		{"only a number", "7", 0, "7"},
		{"an arrow in the code", "3→a → b", 3, "a → b"},
	} {
		t.Run(c.name, func(t *testing.T) {
			first, code := NumberedLines(c.in)
			if first != c.first || code != c.code {
				t.Errorf("NumberedLines(%q)\n got %d, %q\nwant %d, %q", c.in, first, code, c.first, c.code)
			}
		})
	}
}
