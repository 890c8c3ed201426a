package search

import (
	"fmt"
	"strings"
	"testing"
)

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
