// Package match finds many words in a text at once, and matches expressions of a simple form. It is a part of package
// redact, and never knows what its words mean.
package match

import (
	"encoding/binary"
	"slices"
	"sync"
)

// A Finder finds many words in a text, ignoring the case of ASCII letters.
//
// Each word is represented by one window of four bytes, the rarest in it. Every window of the text is hashed and looked
// up in a bit set; the few that pass are compared in full. Unlike the steps of an Aho-Corasick automaton, the lookups
// do not depend on each other, nor on how many words have a common beginning: 0.7 to 1.2 GB/s, where two libraries with
// automata (BobuSumisu, petar-dambovaliev) reach 0.1 to 0.15 with the same words.
type Finder struct {
	bits  [1 << 12]uint64 // windows that belong to a word, by hash
	heads [1 << 13]uint16 // the first link of a window, plus one, by another part of the hash
	base  []link          // links of the finder that this one is a clone of
	links []link          // links of this finder
}

// A link connects a window with a word.
type link struct {
	window uint32
	word   uint16 // index given to add
	next   uint16 // the next link of the same hash, plus one
	back   uint8  // from the beginning of the word to its window
}

const (
	// makes ASCII letters lower case; it may make other bytes equal, which the full comparison corrects
	folding      = 0x20202020
	ShortestWord = 4 // bytes of a word
	multiplic    = 0x9E3779B1
)

func hash(window uint32) uint32 { return window * multiplic }

// has reports whether a window with this hash may belong to a word. The low bits of the hash depend on one letter only,
// but they need no shift.
func (f *Finder) has(h uint32) bool { return f.bits[h>>20]&(1<<(h&63)) != 0 }

// Add adds a word of at least four bytes. A space at its end also matches the end of the text.
func (f *Finder) Add(word string, index int) {
	back := rarest(word)
	window := binary.LittleEndian.Uint32([]byte(word[back:back+4])) | folding
	h := hash(window)
	f.bits[h>>20] |= 1 << (h & 63)
	slot := h >> 19
	f.links = append(f.links, link{window, uint16(index), f.heads[slot], uint8(back)})
	f.heads[slot] = uint16(len(f.base) + len(f.links))
}

// Full reports whether the finder can take no more words.
func (f *Finder) Full() bool { return len(f.base)+len(f.links) >= 1<<16-2 }

// Clone returns a copy to which words can be added. It shares the many links of a finder that is not itself a clone.
func (f *Finder) Clone() *Finder {
	c := *f
	if c.base == nil {
		c.base, c.links = c.links, nil
	} else {
		c.links = slices.Clip(c.links)
	}
	return &c
}

// rarest returns the offset of the four bytes of a word that are rarest in sessions.
func rarest(word string) int {
	best, at := -1, 0
	frequent := frequentWindows()
	for i := 0; i+4 <= len(word) && i < 200; i++ {
		window := word[i : i+4]
		score := 1 + int(rarities[window[0]]) + int(rarities[window[1]]) + int(rarities[window[2]]) +
			int(rarities[window[3]])
		if score > best && frequent[binary.LittleEndian.Uint32([]byte(window))|folding] {
			score = 0
		}
		if score > best {
			best, at = score, i
		}
	}
	return at
}

// rarities are the ranks of bytes in sessions: the rarer, the higher.
var rarities = func() (ranks [256]uint8) {
	const letters = "etaoinsrhldcumfpgwyb/.- _" // the most common first; other bytes are rarer
	for i := range ranks {
		ranks[i] = uint8(len(letters))
	}
	for i, c := range []byte(letters) {
		ranks[c] = uint8(i)
		if c >= 'a' && c <= 'z' {
			ranks[c-'a'+'A'] = uint8(i)
		}
	}
	return ranks
}()

// frequent are words of sessions, logs and code with windows that are more frequent than their letters suggest.
const frequent = "uuid user users uses lines tokens entry entries service class graph access plain index link links look looked looking private " +
	"disc cred words password kind tables tool_use_id key keys secret docker desktop stop disk brief bridge verify simplify " +
	"quick click block check task tasks hook hooks work worktree package backend feature value values object struct " +
	"function interface artifacts asked " +
	"code codes git digit registry store table tables config write writes create created creates copy login identified " +
	"identify phrase pass passes generic parameter tool tools _tool push design file " +
	"config_ program protocol http https graphs display discord string strings describe default defaults token " +
	"-key _key /use /usr sha artifact summary add repository session_id square "

// frequentWindows are the windows in frequent.
var frequentWindows = sync.OnceValue(func() map[uint32]bool {
	all := make(map[uint32]bool, len(frequent))
	for i := range len(frequent) - 3 {
		all[binary.LittleEndian.Uint32([]byte(frequent[i:i+4]))|folding] = true
	}
	return all
})

// Each calls found with the index of each word in the text and its offset.
func (f *Finder) Each(text []byte, found func(word, at int)) {
	at := 0
	for ; at < len(text)-7; at += 5 {
		x := binary.LittleEndian.Uint64(text[at:at+8]) | folding<<32 | folding
		h0, h1, h2, h3, h4 := hash(uint32(x)), hash(uint32(x>>8)), hash(uint32(x>>16)), hash(uint32(x>>24)),
			hash(uint32(x>>32))
		if f.has(h0) {
			f.check(uint32(x), h0, at, found)
		}
		if f.has(h1) {
			f.check(uint32(x>>8), h1, at+1, found)
		}
		if f.has(h2) {
			f.check(uint32(x>>16), h2, at+2, found)
		}
		if f.has(h3) {
			f.check(uint32(x>>24), h3, at+3, found)
		}
		if f.has(h4) {
			f.check(uint32(x>>32), h4, at+4, found)
		}
	}
	var end [8]byte
	copy(end[:], text[at:])
	for x := binary.LittleEndian.Uint64(end[:]); at < len(text)-2; at++ { // a word has three bytes in the text
		window := uint32(x) | folding
		if h := hash(window); f.has(h) {
			f.check(window, h, at, found)
		}
		x >>= 8
	}
}

// check reports the words that have the window at i.
func (f *Finder) check(window, h uint32, i int, found func(word, at int)) {
	for n := int(f.heads[h>>19]); n != 0; {
		var l link
		if n <= len(f.base) {
			l = f.base[n-1]
		} else {
			l = f.links[n-1-len(f.base)]
		}
		n = int(l.next)
		if l.window == window && int(l.back) <= i {
			found(int(l.word), i-int(l.back))
		}
	}
}
