package search

import (
	"slices"
	"testing"
)

// TestRounds: similar units come after one unit of each other kind, unless units like them had hits, and last if those
// had none.
func TestRounds(t *testing.T) {
	// The kinds of units by number: eight of one kind, eight of another, and two single ones.
	kind := func(u int) float64 { return []float64{9, 9, 9, 9, 9, 9, 9, 9, 8, 8, 8, 8, 8, 8, 8, 8, 7, 6}[u] }
	h := evaluation{
		signature: func(u int) signature { return signature{kind(u), 1} }, size: func(int) int { return 1 },
		hasHits: make(map[signature]bool),
	}
	for u := range 18 {
		h.units = append(h.units, u)
	}
	wants := func(have int, want ...int) {
		t.Helper()
		if got := h.round(have, 10); !slices.Equal(got, want) {
			t.Errorf("with %d hits the round is %v, want %v", have, got, want)
		}
	}
	wants(0, 0, 8, 16, 17, 1, 2, 3, 4) // one of each, then the rest of the most promising kind
	h.demote(map[signature]int{{9, 1}: 0, {8, 1}: 1, {7, 1}: 0, {6, 1}: 1})
	wants(6, 9, 10, 11, 12, 13, 14, 15, 5, 6, 7) // twice the number needed is more than there are

	h.units, h.done = []int{9, 10, 11, 12, 13, 14, 15}, 8
	wants(9, 9, 10, 11, 12) // only one more hit is needed: few units
	h.units, h.done, h.size = []int{9, 10, 11, 12}, 0, func(int) int { return 5 }
	wants(0, 9, 10) // large units: few at a time
	if !slices.Equal(h.units, []int{11, 12}) {
		t.Errorf("the units %v are left, want 11 and 12", h.units)
	}
}
