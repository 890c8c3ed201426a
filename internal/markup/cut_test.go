package markup

import "testing"

func TestLines(t *testing.T) {
	for s, want := range map[string]int{"": 0, "a": 1, "a\n": 1, "\n": 1, "a\nb": 2, "a\n\n": 2, "a\n\nb\n": 3} {
		if got := Lines(s); got != want {
			t.Errorf("Lines(%q) = %d, want %d", s, got, want)
		}
	}
}

func TestCut(t *testing.T) {
	for _, test := range []struct {
		in         string
		n          int
		head, rest string
	}{
		{"a\nb\nc", 2, "a\nb\n", "c"},
		{"a\nb\nc", 3, "a\nb\nc", ""},
		{"a\n\nb", 2, "a\n\n", "b"},
		{"a\n", 1, "a\n", ""},
		{"a", 0, "", "a"},
		{"", 1, "", ""},
	} {
		if head, rest := CutText(test.in, test.n); head != test.head || rest != test.rest {
			t.Errorf("CutText(%q, %d) = %q, %q, want %q, %q", test.in, test.n, head, rest, test.head, test.rest)
		}
	}
}

func TestNumbers(t *testing.T) {
	for _, test := range []struct {
		first, n int
		want     string
	}{{41, 3, "41\n42\n43"}, {9, 2, "9\n10"}, {1, 1, "1"}, {1, 0, ""}} {
		if got := Numbers(test.first, test.n); got != test.want {
			t.Errorf("Numbers(%d, %d) = %q, want %q", test.first, test.n, got, test.want)
		}
	}
}
