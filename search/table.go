package search

import (
	"encoding/binary"
	"hash/maphash"
	"math/bits"
)

// A table numbers terms in the order in which it meets them. Looking terms up
// takes most of the time of indexing: so it is a table of our own, which makes
// no strings, and finds short terms without looking at their letters. Its hashes
// are those of this run only, so that no text can be made up whose terms collide;
// nothing of them shows.
type table struct {
	slots   []slot // a power of two
	terms   []entry
	letters []byte // of all terms, one behind the other
	seed    maphash.Seed
	mix     [2]uint64 // the same for short terms
}

type slot struct {
	hash uint32
	term int32 // + 1
}

// An entry is a term with what its user counts of it.
type entry struct {
	key           uint64 // of its letters, see keyOf
	start, length int32  // in letters
	hash          uint32
	last          int32 // what held it last
	value         int32
}

const fewSlots = 1 << 12

func newTable() table {
	seed := maphash.MakeSeed()
	return table{slots: make([]slot, fewSlots), seed: seed, mix: [2]uint64{maphash.String(seed, "0"), maphash.String(seed, "1")}}
}

// reset forgets all terms, and keeps the memory for the next.
func (t *table) reset() {
	t.slots = t.slots[:fewSlots]
	clear(t.slots)
	t.terms, t.letters = t.terms[:0], t.letters[:0]
}

// shortTerm is how many letters the key of a term holds.
const shortTerm = 8

// keyOf holds the first letters of a term. No two short terms of one length have the same.
func keyOf(term []byte) uint64 {
	n := len(term)
	switch {
	case n >= 8:
		return binary.LittleEndian.Uint64(term)
	case n >= 4:
		return uint64(binary.LittleEndian.Uint32(term)) | uint64(binary.LittleEndian.Uint32(term[n-4:]))<<32
	case n > 0:
		return uint64(term[0]) | uint64(term[n/2])<<8 | uint64(term[n-1])<<16
	}
	return 0
}

// number is that of a term, which is new when it is the number of terms before.
func (t *table) number(term []byte) int {
	key, length := keyOf(term), int32(len(term))
	var h uint32
	if length <= shortTerm {
		high, low := bits.Mul64(key^t.mix[0], uint64(length)^t.mix[1])
		h = uint32(high ^ low)
	} else {
		h = uint32(maphash.Bytes(t.seed, term))
	}
	mask := uint32(len(t.slots) - 1)
	i := h & mask
	for ; t.slots[i].term != 0; i = (i + 1) & mask {
		if s := t.slots[i]; s.hash == h {
			if e := &t.terms[s.term-1]; e.key == key && e.length == length && (length <= shortTerm || string(t.term(int(s.term-1))) == string(term)) {
				return int(s.term - 1)
			}
		}
	}
	t.terms = append(t.terms, entry{key: key, start: int32(len(t.letters)), length: length, hash: h})
	t.letters = append(t.letters, term...)
	t.slots[i] = slot{h, int32(len(t.terms))}
	if 2*len(t.terms) > len(t.slots) {
		t.grow()
	}
	return len(t.terms) - 1
}

func (t *table) term(k int) []byte {
	e := &t.terms[k]
	return t.letters[e.start : e.start+e.length]
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
