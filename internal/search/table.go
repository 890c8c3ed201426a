package search

import (
	"encoding/binary"
	"hash/maphash"
	"math/bits"
)

// A table numbers terms in the order in which it meets them. Looking terms up
// takes much of the time of indexing: so it is a table of our own, which makes no
// strings, and takes eight letters at a time. Its hashes are those of this run
// only, so that no text can be made up whose terms collide; nothing of them shows.
type table struct {
	slots   []slot // a power of two
	few     int    // of them at first
	terms   []entry
	letters []byte // of all terms, one behind the other
	mix     [2]uint64
}

// A slot is free when its term is 0.
type slot struct {
	key    uint64 // the letters of a short term, the hash of another
	term   int32  // + 1
	length int32
}

// An entry is a term with what its user counts of it.
type entry struct {
	start, length int32 // in letters
	last          int32 // what held it last
	value         int32
}

// newTable is one for few terms, or more than so many.
func newTable(few int) table {
	seed := maphash.MakeSeed()
	return table{slots: make([]slot, few), few: few, mix: [2]uint64{maphash.String(seed, "0"), maphash.String(seed, "1") | 1}}
}

// reset forgets all terms, and keeps the memory for the next.
func (t *table) reset() {
	t.slots = t.slots[:t.few]
	clear(t.slots)
	t.terms, t.letters = t.terms[:0], t.letters[:0]
}

// shortTerm is how many letters a slot holds.
const shortTerm = 8

// eight are the letters at i and behind it, the first one the lowest byte.
func eight[T string | []byte](s T, i int) uint64 {
	_ = s[i+7]
	return uint64(s[i]) | uint64(s[i+1])<<8 | uint64(s[i+2])<<16 | uint64(s[i+3])<<24 |
		uint64(s[i+4])<<32 | uint64(s[i+5])<<40 | uint64(s[i+6])<<48 | uint64(s[i+7])<<56
}

// mixed is one number of two.
func mixed(a, b uint64) uint64 {
	high, low := bits.Mul64(a, b)
	return high ^ low
}

// number is that of a term, which is new when it is the number of terms before.
func number[T string | []byte](t *table, term T) int {
	if len(term) > shortTerm {
		return long(t, term)
	}
	return t.short(upTo(term), len(term))
}

// known is the number of a term that is in the table already.
func known[T string | []byte](t *table, term T) (k int, ok bool) {
	var s *slot
	if len(term) > shortTerm {
		s = slotOf(t, hashOf(t, term), term)
	} else {
		s = t.slot(upTo(term), len(term))
	}
	return int(s.term - 1), s.term > 0
}

// upTo are all letters of a short term.
func upTo[T string | []byte](term T) (key uint64) {
	for i := len(term) - 1; i >= 0; i-- {
		key = key<<8 | uint64(term[i])
	}
	return key
}

// hashOf is that of a term of more letters.
func hashOf[T string | []byte](t *table, term T) uint64 {
	n := len(term)
	hash := mixed(eight(term, 0)^t.mix[0], t.mix[1]^uint64(n))
	for i := 8; i < n; i += 8 {
		hash = mixed(eight(term, min(i, n-8))^hash, t.mix[1])
	}
	return hash
}

// short is the number of a term of no more than eight letters.
func (t *table) short(key uint64, length int) int {
	s := t.slot(key, length)
	if s.term == 0 {
		start := len(t.letters)
		t.letters = binary.LittleEndian.AppendUint64(t.letters, key)[:start+length]
		return t.enter(s, key, length)
	}
	return int(s.term - 1)
}

// slot is that of a short term, or the one that is free for it.
func (t *table) slot(key uint64, length int) *slot {
	slots, mask := t.slots, uint64(len(t.slots)-1)
	for i := mixed(key^t.mix[0], t.mix[1]); ; i++ {
		if s := &slots[i&mask]; s.key == key && s.length == int32(length) || s.term == 0 {
			return s
		}
	}
}

// long is the number of a term of more letters.
func long[T string | []byte](t *table, term T) int {
	hash := hashOf(t, term)
	s := slotOf(t, hash, term)
	if s.term == 0 {
		t.letters = append(t.letters, term...)
		return t.enter(s, hash, len(term))
	}
	return int(s.term - 1)
}

// slotOf is slot for a term of more letters.
func slotOf[T string | []byte](t *table, hash uint64, term T) *slot {
	slots, mask := t.slots, uint64(len(t.slots)-1)
	for i := hash; ; i++ {
		s := &slots[i&mask]
		if s.term == 0 || s.key == hash && s.length == int32(len(term)) && string(t.term(int(s.term-1))) == string(term) {
			return s
		}
	}
}

// enter puts a term, whose letters are the last ones, into a slot.
func (t *table) enter(s *slot, key uint64, length int) int {
	k := len(t.terms)
	t.terms = append(t.terms, entry{start: int32(len(t.letters) - length), length: int32(length)})
	*s = slot{key, int32(k + 1), int32(length)}
	if 2*len(t.terms) > len(t.slots) {
		t.grow()
	}
	return k
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
	mask := uint64(n - 1)
	for k := range t.terms {
		term := t.term(k)
		s := slot{term: int32(k + 1), length: int32(len(term))}
		var hash uint64
		if len(term) > shortTerm {
			hash = hashOf(t, term)
			s.key = hash
		} else {
			s.key = upTo(term)
			hash = mixed(s.key^t.mix[0], t.mix[1])
		}
		for hash &= mask; t.slots[hash].term != 0; hash = (hash + 1) & mask {
		}
		t.slots[hash] = s
	}
}
