package search

import (
	"fmt"
	"strings"
	"testing"
)

// TestDictionaryGrows adds more terms than a dictionary has slots for at first.
func TestDictionaryGrows(t *testing.T) {
	table := newDictionary(initialSlots)
	name := func(k int) string { return strings.Repeat("t", k%30) + fmt.Sprint(k) }
	for range 2 {
		for k := range 5 * initialSlots {
			if got := intern(&table, name(k)); got != k {
				t.Fatalf("%s has number %d, want %d", name(k), got, k)
			}
		}
		for k := range 5 * initialSlots {
			if got := intern(&table, []byte(name(k))); got != k || string(table.term(k)) != name(k) {
				t.Fatalf("%s has number %d, want %d; that one is %s", name(k), got, k, table.term(k))
			}
		}
		table.reset()
	}
}

// TestShortTerms adds terms with other bytes after them in memory, which do not belong to them.
func TestShortTerms(t *testing.T) {
	b := unitBuilders.Get().(*unitBuilder)
	defer b.release()
	b.begin()
	b.doc++
	for n := range shortTerm + 2 {
		for _, behind := range []string{"", "z", strings.Repeat("y", shortTerm)} {
			memory := []byte(strings.Repeat("t", n) + behind)
			if isNew := b.addTerm(memory[:n:len(memory)], 0); isNew != (behind == "") {
				t.Errorf("%d letters before %q: new = %v", n, behind, isNew)
			}
		}
		if got, want := string(b.term(n)), strings.Repeat("t", n); got != want {
			t.Errorf("term %d is %q, want %q", n, got, want)
		}
	}
}
