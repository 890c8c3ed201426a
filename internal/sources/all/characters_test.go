package all_test

import (
	"bytes"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"viewer/internal/sources/all"
	"viewer/internal/testing/corpus"
	"viewer/internal/testing/golden"
	"viewer/internal/transcript"
	"viewer/normalize"
	"viewer/render"
)

// members matches members whose values are strings.
var members = regexp.MustCompile(`"\w+"\s*:\s*"[^"\\]*"`)

// foreign are texts of characters of several bytes, at even and odd offsets, and one with bytes that are no characters.
var foreign = []string{
	"é", "éclat", strings.Repeat("é", 200), "a" + strings.Repeat("é", 200), "b " + strings.Repeat("𝄞", 200),
	"c\xff\xc3",
}

// TestCharactersStayWhole replaces texts of sessions of all sources by others: pages must be UTF-8, however they cut
// such a text or begin with it.
func TestCharactersStayWhole(t *testing.T) {
	cases := golden.Sections(t, "../../../normalize/testdata/sources/*.txtar", "in.jsonl")
	seeds := uint64(1)
	if corpus.Full() {
		seeds = 8
	}
	for _, name := range slices.Sorted(maps.Keys(cases)) {
		for seed := range seeds {
			dice := rand.New(rand.NewPCG(seed, 5))
			data := members.ReplaceAllFunc(cases[name], func(m []byte) []byte {
				if dice.IntN(6) > 0 || bytes.HasPrefix(m, []byte(`"type"`)) {
					return m
				}
				member, _, _ := bytes.Cut(m, []byte(":"))
				return []byte(string(member) + `:"` + foreign[dice.IntN(len(foreign))] + `"`)
			})
			f := all.Sources.Read("in.jsonl", data, transcript.Options{})
			c := normalize.Build(normalize.Input{ID: "in", Main: &f})
			for _, p := range render.DrawSession(render.Session{Conversation: c, Main: &f, Folder: "in"}).Pages {
				if at := invalid(p.HTML); at >= 0 {
					t.Errorf("%s, seed %d: %s has half a character: %q", name, seed, p.Name, p.HTML[max(0, at-60):at+1])
				}
			}
		}
	}
}

// invalid returns the index of the first byte that is not UTF-8, or -1.
func invalid(text []byte) int {
	for at := 0; at < len(text); {
		r, n := utf8.DecodeRune(text[at:])
		if r == utf8.RuneError && n == 1 {
			return at
		}
		at += n
	}
	return -1
}
