package search

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
)

// inOrder are the terms of a text with their weights, and the words of it that are
// kept as a rest, as the scanner finds them.
func inOrder(text string, weight uint8) (terms, kept string) {
	var all, rest strings.Builder
	seen := make(map[string]bool)
	for _, term := range Terms(text) {
		if !seen[term.Text] {
			seen[term.Text] = true
			fmt.Fprintf(&all, "%s %d\n", term.Text, weight)
			if !term.Part {
				rest.WriteString(text[term.Start:term.End] + " ")
			}
		}
	}
	return all.String(), rest.String()
}

// scanned are the same as they get into a table.
func scanned(text string, weight uint8) (terms, kept string) {
	t := &wordTable{table: newTable(fewSlots)}
	t.begin()
	t.doc = 1
	t.scan(text, weight, true)
	var all strings.Builder
	for term, weight := range t.end(Unit{}).postings() {
		fmt.Fprintf(&all, "%s %d\n", term, weight)
	}
	return all.String(), string(t.text)
}

func compareScan(t *testing.T, text string) {
	t.Helper()
	terms, kept := inOrder(text, 2)
	if got, rest := scanned(text, 2); got != terms || rest != kept {
		t.Fatalf("%q\nterms %q\nwant  %q\nrest %q\nwant %q", text, got, terms, rest, kept)
	}
}

// TestScan holds the quick way to find terms to the scanner, wherever a word stands.
func TestScan(t *testing.T) {
	table, err := os.ReadFile("testdata/terms.txt")
	if err != nil {
		t.Fatal(err)
	}
	pieces := []string{
		"a", "Z", "9", "the", "words", "eightlet", "nineletterss", "Capital", "HTTP", "parseHTTPHeader", "x2Y3z", "aB", "ABc", "sixteenSixteenAb",
		strings.Repeat("long", 9), strings.Repeat("x", 40), strings.Repeat("Ab", 20) + "c", strings.Repeat("y", 64), strings.Repeat("fileName", 20),
		" ", "\n", "_", "/", "@", "[", "`", "{", ":", "\x00", "\x10", "\x1f", "\x7f", "—", "→", "──", "é", "Ünï", "搜索功能", "ひ", "🐳", "\xff", "\xe2\x86", "\u00a0", "İ",
	}
	for line := range strings.Lines(string(table)) {
		pieces = append(pieces, strings.TrimPrefix(line, "> "))
	}
	for _, piece := range pieces {
		for before := range 2*windowSize + shortTerm {
			compareScan(t, strings.Repeat(" ", before)+piece)
			compareScan(t, strings.Repeat("-", before)+piece+" "+piece+"end")
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 4_000 {
		var b strings.Builder
		for range r.IntN(60) {
			b.WriteString(pieces[r.IntN(len(pieces))])
			if r.IntN(2) == 0 {
				b.WriteByte(' ')
			}
		}
		compareScan(t, b.String())
	}
}

func FuzzScan(f *testing.F) {
	f.Add(strings.Repeat("parseHTTPHeader → 搜索功能 Ünï_case ", 5))
	f.Fuzz(func(t *testing.T, text string) { compareScan(t, text) })
}

// TestTableGrows puts in more terms than a table has room for at first.
func TestTableGrows(t *testing.T) {
	table := newTable(fewSlots)
	name := func(k int) string { return strings.Repeat("t", k%30) + fmt.Sprint(k) }
	for range 2 {
		for k := range 5 * fewSlots {
			if got := number(&table, name(k)); got != k {
				t.Fatalf("%s has number %d, want %d", name(k), got, k)
			}
		}
		for k := range 5 * fewSlots {
			if got := number(&table, []byte(name(k))); got != k || string(table.term(k)) != name(k) {
				t.Fatalf("%s has number %d, want %d; that one is %s", name(k), got, k, table.term(k))
			}
		}
		table.reset()
	}
}
