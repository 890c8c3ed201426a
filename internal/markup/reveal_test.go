package markup

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestReveal(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"nothing to reveal", "<b title=\"é ü 中文 — “x” │ 🙂\">a\tb\nc\u00a0d</b>",
			"<b title=\"é ü 中文 — “x” │ 🙂\">a\tb\nc\u00a0d</b>"},
		{"a name that is turned around", "<a title=\"gpj\u202eexe.scr\">x</a>", "<a title=\"gpjU+202Eexe.scr\">x</a>"},
		{"marks and isolates", "\u200e\u2066a\u2069\u061c", "U+200EU+2066aU+2069U+061C"},
		{"without width", "rm\u200b -rf \u2060/\ufeff\u00ad", "rmU+200B -rf U+2060/U+FEFFU+00AD"},
		{"terminals", "a\x1b[1m\x07\x7f\u009b", "aU+001B[1mU+0007U+007FU+009B"},
		{"other line separators", "a\u2028b\u2029c", "aU+2028bU+2029c"},
		{"joiners of names", "is\u200cAdmin is\u200dAdmin", "isU+200CAdmin isU+200DAdmin"},
		{"tags", "a\U000e0041\U000e0042", "aU+E0041U+E0042"},
		{"selectors that hold data", "a\ufe00\U000e0100", "aU+FE00U+E0100"},
		{"fillers", "a\u3164b\u115f\uffa0", "aU+3164bU+115FU+FFA0"},
		{"emoji", "👨\u200d👩\u200d👧 ❤️\u200d🔥 ⚠️ 1️⃣ " +
			"\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f 🏳️\u200d🌈",
			"👨\u200d👩\u200d👧 ❤️\u200d🔥 ⚠️ 1️⃣ " +
				"\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f 🏳️\u200d🌈"},
		{"scripts that are written with them", "می\u200cخواهم क्\u200dष ไทย\u200bไทย",
			"می\u200cخواهم क्\u200dष ไทย\u200bไทย"},
		{"noncharacters", "\ufdd0\uffff", "U+FDD0U+FFFF"},
		{"bytes that are not UTF-8 stay", "a\xffb\xe2\x80", "a\xffb\xe2\x80"},
	} {
		got := string(Reveal([]byte(c.in)))
		if got != c.want {
			t.Errorf("%s: got %+q, want %+q", c.name, got, c.want)
		}
		if again := string(Reveal([]byte(got))); again != got {
			t.Errorf("%s: a second call gives %+q", c.name, again)
		}
	}
}

// TestRevealSkipsNothing reveals texts with special characters at all distances, and compares with a version that
// checks one character at a time.
func TestRevealSkipsNothing(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	odds := []string{"a", "a", "bc", "<b>\n", "\t", "\r\n", "é", "—", "🙂", "\x00", "\x1f", "\x7f", "\x80", "\u0085",
		"\u00ad", "\u200b", "\u202e", "\uffff", "\U0001fffe", "\U000e0041", "\xe2\x80", "~", " "}
	for range 3000 {
		var page strings.Builder
		for range rng.IntN(30) {
			page.WriteString(odds[rng.IntN(len(odds))])
		}
		in := page.String()
		var want strings.Builder
		for i := 0; i < len(in); {
			r, n := utf8.DecodeRuneInString(in[i:])
			if (hidden(r) || invisible(r)) && r != '\r' && !needed([]byte(in), i, r, n) {
				fmt.Fprintf(&want, "%U", r)
			} else {
				want.WriteString(in[i : i+n])
			}
			i += n
		}
		if got := string(Reveal([]byte(in))); got != want.String() {
			t.Fatalf("%+q: got %+q, want %+q", in, got, want.String())
		}
	}
}

// TestSpecial: no block of characters with a hidden or invisible one is left out.
func TestSpecial(t *testing.T) {
	for r := range rune(utf8.MaxRune + 1) {
		if want := (hidden(r) || invisible(r)) && r != '\r'; special(r) != want {
			t.Errorf("%U: special %v, want %v", r, special(r), want)
		}
	}
}

func BenchmarkReveal(b *testing.B) {
	page := []byte(strings.Repeat(`<details class="tool"><summary class="row"><span class="nm">Bash</span> <span `+
		`class="arg">go test ./... — all of it</span></summary>`+"\n", 4000))
	b.SetBytes(int64(len(page)))
	for b.Loop() {
		Reveal(page)
	}
}
