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
