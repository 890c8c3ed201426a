package redact

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"viewer/internal/redact/match"
)

// TestFinder compares the finder with a simple, slow search, for all words of the rules.
func TestFinder(t *testing.T) {
	w := builtin()
	rng := rand.New(rand.NewPCG(3, 3))
	for range 300 {
		var b strings.Builder
		for range rng.IntN(12) {
			word := w.targets[rng.IntN(len(w.targets))].word
			switch rng.IntN(5) {
			case 0:
				b.WriteString(strings.ToUpper(word))
			case 1:
				b.WriteString(word[:rng.IntN(len(word))])
			case 2:
				b.WriteString("\u00e9\u20ac\n")
			default:
				b.WriteString(word)
			}
		}
		text := b.String()
		var got, want []string
		w.find.Each([]byte(text), func(index, at int) {
			if word := strings.ToLower(w.targets[index].word); hasFoldAt([]byte(text), at, word) {
				got = append(got, fmt.Sprintf("%d %s", at, word))
			}
		})
		for i := range w.targets {
			target := &w.targets[i]
			word := strings.ToLower(target.word)
			for at := range len(text) {
				if hasFoldAt([]byte(text), at, word) {
					want = append(want, fmt.Sprintf("%d %s", at, word))
				}
			}
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Fatalf("in %q\ngot  %q\nwant %q", text, got, want)
		}
	}
}

// TestWordsAtEnd: a text may end in any word of the rules, or before the last byte of one.
func TestWordsAtEnd(t *testing.T) {
	w := builtin()
	for i := range w.targets {
		word := w.targets[i].word
		for _, text := range []string{word, word[:len(word)-1], "x=1 " + word, `"` + word[:len(word)-1]} {
			s := newSession(t, Options{})
			s.Text(text)
			s.Text(fmt.Sprintf("%*s", 64, text)) // no memory follows a text of this size
		}
	}
}

func TestSpell(t *testing.T) {
	for word, want := range map[string]string{
		"plain":         "plain",
		"a[bc]d":        "abd acd",
		"k[0-2]":        "k0 k1 k2",
		"x[ab][12]":     "xa1 xb1 xa2 xb2",
		`key[.)\]-]`:    "key. key) key] key-",
		"[0-1]Q~[a-b.]": "0Q~a 1Q~a 0Q~b 1Q~b 0Q~. 1Q~.",
	} {
		got := spell(word)
		slices.Sort(got)
		expected := strings.Fields(want)
		slices.Sort(expected)
		if !slices.Equal(got, expected) {
			t.Errorf("spell(%q): got %q, want %q", word, got, expected)
		}
	}
}

// TestWordsFit: every word has a window of four bytes that is looked up in lower case.
func TestWordsFit(t *testing.T) {
	targets := builtin().targets
	for i := range targets {
		target := &targets[i]
		if len(target.word) < match.ShortestWord {
			t.Errorf("the word %q is shorter than a window", target.word)
		}
		if target.detector == nil {
			t.Errorf("the word %q has no detector", target.word)
		}
	}
}
