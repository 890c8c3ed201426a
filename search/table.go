package search

import "hash/maphash"

// A table numbers terms in the order in which it meets them. Looking terms up
// takes most of the time of indexing: so it is a table of our own, which makes
// no strings. Its hashes are those of this run only, so that no text can be made
// up whose terms collide; nothing of them shows.
type table struct {
	slots   []slot // a power of two
	terms   []entry
	letters []byte // of all terms, one behind the other
	seed    maphash.Seed
}

type slot struct {
	hash uint32
	term int32 // + 1
}

type entry struct {
	end  int32 // in letters
	hash uint32
}

const fewSlots = 1 << 12

func newTable() table { return table{slots: make([]slot, fewSlots), seed: maphash.MakeSeed()} }

// reset forgets all terms, and keeps the memory for the next.
func (t *table) reset() {
	t.slots = t.slots[:fewSlots]
	clear(t.slots)
	t.terms, t.letters = t.terms[:0], t.letters[:0]
}

// number is that of a term, which is new when it is the number of terms before.
func (t *table) number(term []byte) int {
	h := uint32(maphash.Bytes(t.seed, term))
	mask := uint32(len(t.slots) - 1)
	i := h & mask
	for ; t.slots[i].term != 0; i = (i + 1) & mask {
		if s := t.slots[i]; s.hash == h && string(t.term(int(s.term-1))) == string(term) {
			return int(s.term - 1)
		}
	}
	t.letters = append(t.letters, term...)
	t.terms = append(t.terms, entry{int32(len(t.letters)), h})
	t.slots[i] = slot{h, int32(len(t.terms))}
	if 2*len(t.terms) > len(t.slots) {
		t.grow()
	}
	return len(t.terms) - 1
}

func (t *table) term(k int) []byte {
	start := int32(0)
	if k > 0 {
		start = t.terms[k-1].end
	}
	return t.letters[start:t.terms[k].end]
}

func (t *table) grow() {
	n := 2 * len(t.slots)
	if cap(t.slots) < n {
		t.slots = make([]slot, n)
	} else {
		t.slots = t.slots[:n]
		clear(t.slots)
	}
	mask := uint32(n - 1)
	for k, e := range t.terms {
		i := e.hash & mask
		for t.slots[i].term != 0 {
			i = (i + 1) & mask
		}
		t.slots[i] = slot{e.hash, int32(k + 1)}
	}
}
