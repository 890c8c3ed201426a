package words

import (
	"strings"
	"testing"
)

func TestClip(t *testing.T) {
	for _, c := range []struct {
		in   string
		n    int
		want string
	}{
		{"tide", 4, "tide"}, {"tides", 4, "tid…"}, {"", 4, ""}, {"été là", 4, "été…"},
		{"潮汐表です", 3, "潮汐…"}, {"ab", 1, "…"},
	} {
		if got := Clip(c.in, c.n); got != c.want {
			t.Errorf("Clip(%q, %d) = %q, want %q", c.in, c.n, got, c.want)
		}
	}
}

func TestLine(t *testing.T) {
	for _, c := range []struct {
		in   string
		n    int
		want string
	}{
		{"  two\n\n\twords ", 20, "two words"}, {"", 5, ""}, {"\n \t", 5, ""}, {"one two three", 8, "one two…"},
		{"\xff bad \xc3", 20, "bad"}, {"ééééééééé", 1, "…"},
	} {
		if got := Line(c.in, c.n); got != c.want {
			t.Errorf("Line(%q, %d) = %q, want %q", c.in, c.n, got, c.want)
		}
	}
}

func TestDomain(t *testing.T) {
	for in, want := range map[string]string{
		"https://tides.example/brest/?day=1": "tides.example/brest",
		"http://tides.example/":              "tides.example", "tides.example/a": "tides.example/a",
		"javascript:alert(1)": "javascript:alert(1)", "": "", "https://": "",
	} {
		if got := Domain(in); got != want {
			t.Errorf("Domain(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestMilliseconds(t *testing.T) {
	for ms, want := range map[float64]string{523.4: "523 ms", 90000: "1m 30s", -1: "", 1e15: ""} {
		if got := Milliseconds(ms); got != want {
			t.Errorf("Milliseconds(%v) = %q, want %q", ms, got, want)
		}
	}
}

// TestLineAsItIs: a text that is already one line is returned unchanged, and no other text is.
func TestLineAsItIs(t *testing.T) {
	texts := []string{
		"", " ", "a", "a b", "a  b", " a", "a ", "a\tb", "a\nb", "a\u00a0b", "a\u2003b",
		"a\u0085b", "é ü", "é  ü", "a\xffb", "a\x00b", "\ufffd", "…", "12345678",
		"123456789", "éééééééé", "ééééééééé", strings.Repeat("a ", 99),
	}
	for _, text := range texts {
		const n = 8
		want := text
		if len(want) > 8*n {
			want = want[:8*n]
		}
		want = Clip(strings.Join(strings.Fields(strings.ToValidUTF8(want, "")), " "), n)
		if got := Line(text, n); got != want {
			t.Errorf("Line(%q) = %q, want %q", text, got, want)
		}
	}
}
