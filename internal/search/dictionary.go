package search

import (
	"encoding/binary"
	"hash/maphash"
	"math/bits"
)

// A dictionary numbers terms in the order in which they are added. Lookups take much of the time of indexing, so it is
// its own hash table with open addressing, which allocates no strings and reads eight bytes at a time. Its hashes are
// seeded in each run, so that nobody can construct texts whose terms collide. No output depends on the seed.
type dictionary struct {
	slots   []slot // the number is a power of two
	initial int    // number of slots at first
	terms   []termEntry
	letters []byte // of all terms, concatenated
	mix     [2]uint64
}

// A slot of the hash table is free if its term is 0.
type slot struct {
	key    uint64 // the bytes of a short term, the hash of a longer one
	term   int32  // number of the term plus one
	length int32
}

// A termEntry is a term with the counters of the user of the dictionary.
type termEntry struct {
	start, length int32 // in letters
	last          int32 // the last document or unit that had it
	value         int32
}

// newDictionary returns a dictionary that has few slots at first. few must be a power of two.
func newDictionary(few int) dictionary {
	seed := maphash.MakeSeed()
	return dictionary{
		slots:   make([]slot, few),
		initial: few,
		mix:     [2]uint64{maphash.String(seed, "0"), maphash.String(seed, "1") | 1},
	}
}

// reset removes all terms but keeps the memory.
func (t *dictionary) reset() {
	t.slots = t.slots[:t.initial]
	clear(t.slots)
	t.terms, t.letters = t.terms[:0], t.letters[:0]
}

// shortTerm is the length in bytes of the longest term that fits into a slot.
const shortTerm = 8

// load64 returns the eight bytes from i on, little-endian.
func load64[T string | []byte](s T, i int) uint64 {
	s = s[i : i+8] // one bounds check instead of eight, so that this is one instruction
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// mixed returns a hash of two numbers.
func mixed(a, b uint64) uint64 {
	high, low := bits.Mul64(a, b)
	return high ^ low
}

// intern returns the number of a term and adds it if it is new.
func intern[T string | []byte](t *dictionary, term T) int {
	if len(term) > shortTerm {
		return internLong(t, term)
	}
	return t.internShort(packLetters(term), len(term))
}

// lookup returns the number of a term in the dictionary.
func lookup[T string | []byte](t *dictionary, term T) (k int, ok bool) {
	var s *slot
	if len(term) > shortTerm {
		s = slotOf(t, hashOf(t, term), term)
	} else {
		s = t.slot(packLetters(term), len(term))
	}
	return int(s.term - 1), s.term > 0
}

// load32 returns the four bytes from i on, little-endian.
func load32[T string | []byte](s T, i int) uint64 {
	s = s[i : i+4]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24
}

// packLetters returns the bytes of a short term as a number, little-endian.
func packLetters[T string | []byte](term T) uint64 {
	switch n := len(term); {
	case n == shortTerm:
		return load64(term, 0)
	case n >= 4:
		return load32(term, 0) | load32(term, n-4)<<(8*(n-4))
	case n > 0:
		return uint64(term[0]) | uint64(term[n/2])<<(8*(n/2)) | uint64(term[n-1])<<(8*(n-1))
	}
	return 0
}

// hashOf returns the hash of a term that is not short.
func hashOf[T string | []byte](t *dictionary, term T) uint64 {
	n := len(term)
	hash := mixed(load64(term, 0)^t.mix[0], t.mix[1]^uint64(n))
	for i := 8; i < n; i += 8 {
		hash = mixed(load64(term, min(i, n-8))^hash, t.mix[1])
	}
	return hash
}

// internShort is intern for a short term.
func (t *dictionary) internShort(key uint64, length int) int {
	s := t.slot(key, length)
	if s.term == 0 {
		start := len(t.letters)
		t.letters = binary.LittleEndian.AppendUint64(t.letters, key)[:start+length]
		return t.enter(s, key, length)
	}
	return int(s.term - 1)
}

// slot returns the slot of a short term, or the free one for it.
func (t *dictionary) slot(key uint64, length int) *slot {
	slots, mask := t.slots, uint64(len(t.slots)-1)
	for i := mixed(key^t.mix[0], t.mix[1]); ; i++ {
		if s := &slots[i&mask]; s.key == key && s.length == int32(length) || s.term == 0 {
			return s
		}
	}
}

// internLong is intern for a term that is not short.
func internLong[T string | []byte](t *dictionary, term T) int {
	hash := hashOf(t, term)
	s := slotOf(t, hash, term)
	if s.term == 0 {
		t.letters = append(t.letters, term...)
		return t.enter(s, hash, len(term))
	}
	return int(s.term - 1)
}

// slotOf is slot for a term that is not short.
func slotOf[T string | []byte](t *dictionary, hash uint64, term T) *slot {
	slots, mask := t.slots, uint64(len(t.slots)-1)
	for i := hash; ; i++ {
		s := &slots[i&mask]
		if s.term == 0 || s.key == hash && s.length == int32(len(term)) &&
			string(t.term(int(s.term-1))) == string(term) {
			return s
		}
	}
}

// enter puts a term, whose bytes are the last of letters, into a slot.
func (t *dictionary) enter(s *slot, key uint64, length int) int {
	k := len(t.terms)
	t.terms = append(t.terms, termEntry{start: int32(len(t.letters) - length), length: int32(length)})
	*s = slot{key, int32(k + 1), int32(length)}
	if 2*len(t.terms) > len(t.slots) {
		t.grow()
	}
	return k
}

func (t *dictionary) term(k int) []byte {
	e := &t.terms[k]
	return t.letters[e.start : e.start+e.length]
}

func (t *dictionary) grow() {
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
			s.key = packLetters(term)
			hash = mixed(s.key^t.mix[0], t.mix[1])
		}
		for hash &= mask; t.slots[hash].term != 0; hash = (hash + 1) & mask {
		}
		t.slots[hash] = s
	}
}
