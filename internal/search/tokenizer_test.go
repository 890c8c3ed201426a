package search

import (
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"
)

// TestTerms checks the table that also assets/js/search.js is checked with (e2e/search_test.go).
func TestTerms(t *testing.T) {
	data, err := os.ReadFile("testdata/terms.txt")
	if err != nil {
		t.Fatal(err)
	}
	text, cases := "", 0
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSuffix(line, "\n")
		if strings.HasPrefix(line, "#") {
			continue
		}
		if after, ok := strings.CutPrefix(line, "> "); ok {
			text = after
			continue
		}
		cases++
		if got := inTable(termsOf(text)); got != line {
			t.Errorf("%s\ngot  %s\nwant %s", text, got, line)
		}
	}
	if cases < 20 {
		t.Fatalf("the table has %d cases, want at least 20", cases)
	}
}

// inTable returns terms in the notation of the table.
func inTable(terms []textTerm) string {
	var b strings.Builder
	for i, term := range terms {
		switch {
		case term.Subword && !terms[i-1].Subword:
			b.WriteString(" (")
		case i > 0 && terms[i-1].Subword && !term.Subword:
			b.WriteString(") ")
		case i > 0:
			b.WriteByte(' ')
		}
		b.WriteString(term.Text)
	}
	if n := len(terms); n > 0 && terms[n-1].Subword {
		b.WriteByte(')')
	}
	return b.String()
}

// TestTermPlaces: the text at the place of a term is the term.
func TestTermPlaces(t *testing.T) {
	const text = "x parseHTTPHeader 搜索功能 Ünï_case"
	last := -1
	for _, term := range termsOf(text) {
		var folded strings.Builder
		for _, r := range text[term.Start:term.End] {
			folded.WriteRune(foldRune(r))
		}
		if folded.String() != term.Text {
			t.Errorf("the text at the place of %q is %q", term.Text, text[term.Start:term.End])
		}
		if want := last + 1; !term.Subword && term.Position != want || term.Subword && term.Position != last {
			t.Errorf("%q has position %d after %d", term.Text, term.Position, last)
		}
		last = term.Position
	}
}

// TestWordRunes compares the fast checks with package unicode.
func TestWordRunes(t *testing.T) {
	for r := rune(0x80); r <= unicode.MaxRune; r++ {
		if want := unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r); isWordRune(r) != want {
			t.Errorf("isWordRune(%U) = %v, want %v", r, !want, want)
		}
	}
}

// TestASCIIWords: a word gives the same terms at the end of a text, where it is read letter by letter.
func TestASCIIWords(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	const letters = "abcxyz019ABCXYZ_-@[`{/:é搜\x7f\u0301"
	all, ascii, plain := []rune(letters), strings.IndexByte(letters, '_'), 0
	for range 100_000 {
		word := make([]rune, 1+rng.IntN(3*longestTerm/2))
		for i := range word {
			if word[i] = all[rng.IntN(ascii)]; rng.IntN(60) == 0 {
				word[i] = all[rng.IntN(len(all))]
			}
		}
		text := string(word)
		whole := tokenizer{text: text + strings.Repeat(" ", 8)}
		if whole.asciiWord() {
			plain++
		}
		if diff := cmp.Diff(termsOf(text), termsOf(whole.text)); diff != "" {
			t.Fatalf("%q (-at the end +before blanks):\n%s", text, diff)
		}
	}
	if plain < 10_000 {
		t.Errorf("only %d words are read as ASCII", plain)
	}
}
