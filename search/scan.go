package search

import (
	"math/bits"
	"unicode/utf8"
)

// Nearly all words are of ASCII: they are found 64 bytes of a text at a time, and
// go into the table without being copied or made small before.

const windowSize = 64

// Each byte of these is the same.
const (
	ones  = 0x0101010101010101
	highs = 0x80 * ones // the highest bits
	small = 0x20 * ones // the bits that make letters small, and are set in all digits
)

// look says of 64 bytes which ones belong to words, a bit each: letters and digits,
// and what is not ASCII, which may or may not.
func look(text string) (word uint64, beyond bool) {
	text = text[:windowSize]
	seen := uint64(0)
	for i := 0; i < windowSize; i += 8 {
		x := eight(text, i)
		seen |= x
		word |= gathered((letters(x)|digits(x)|x)&highs) << uint(i)
	}
	return word, seen&highs != 0
}

// The highest bit of a byte is set by adding when it is not less than another; what is
// not ASCII gets any answer.

func letters(x uint64) uint64 {
	x = x&^highs | small
	return (x + (0x80-'a')*ones) &^ (x + (0x7f-'z')*ones)
}

func digits(x uint64) uint64 {
	x &^= highs
	return (x + (0x80-'0')*ones) &^ (x + (0x7f-'9')*ones)
}

// gathered puts the highest bits of eight bytes together.
func gathered(x uint64) uint64 { return x * 0x0002040810204081 >> 56 }

// scan counts the terms of a text in the order of the scanner. Of a rest, it keeps
// the words that are new to the document.
func (t *wordTable) scan(text string, weight uint8, rest bool) {
	for at := 0; at < len(text); {
		window := text[at:]
		if len(window) < windowSize+shortTerm {
			n := copy(t.tail[:], window)
			clear(t.tail[n:])
			window = asText(t.tail[:])
		}
		all, beyond := look(window)
		next := windowSize
		for words := all; words != 0; {
			start := bits.TrailingZeros64(words)
			end := start + bits.TrailingZeros64(^(words >> start))
			if end >= windowSize {
				if next = start; start > 0 {
					break // it may go on
				}
				for next = windowSize; at+next < len(text) && classes[text[at+next]] != 0; {
					next++
				}
				t.odd(text[at:at+next], weight, rest)
				break
			}
			words &= ^uint64(0) << end
			if beyond {
				if first := start + ascii(window[start:end]); first < end {
					r, n := utf8.DecodeRuneInString(window[first:end])
					if isWordRune(r) {
						t.odd(window[start:end], weight, rest)
						continue
					}
					words |= all &^ (^uint64(0) << end) & (^uint64(0) << (first + n))
					if end = first; end == start {
						continue
					}
				}
			}
			var isNew, upper bool // capital letters behind the first
			if length := end - start; length <= shortTerm {
				x := eight(window, start)
				inside := ^uint64(0) >> (64 - 8*length)
				key := (x | small) & inside
				if s := t.first(key); s.key == key && s.length == int32(length) { // nearly always, and without a call
					isNew = t.count(int(s.term-1), weight)
				} else {
					isNew = t.count(t.short(key, length), weight)
				}
				upper = ^x&inside&(small&^0xff) != 0
			} else {
				isNew = t.count(t.plain(window, start, end), weight)
				upper = length <= longestTerm && capital(window[start:end])
			}
			if rest && isNew {
				t.text = append(append(t.text, window[start:end]...), ' ')
			}
			if upper {
				t.parts(window, start, end, weight)
			}
		}
		at += next
	}
}

// ascii is where what is not ASCII begins in a text.
func ascii(s string) int {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return i
		}
	}
	return len(s)
}

// capital says whether a word of more than eight letters has capital ones behind the first.
func capital(word string) bool {
	all := eight(word, 0) | 0xff
	for i := 8; i < len(word); i += 8 {
		all &= eight(word, min(i, len(word)-8))
	}
	return ^all&small != 0
}

// plain is the number of a word of ASCII, behind which there is more of the text.
func (t *wordTable) plain(text string, start, end int) int {
	if length := end - start; length <= shortTerm {
		return t.short((eight(text, start)|small)&(^uint64(0)>>(64-8*length)), length)
	}
	return long(&t.table, text[start:min(end, start+longestTerm)], small)
}

// parts counts those of a word of ASCII. A part begins where scanner.word says.
func (t *wordTable) parts(text string, start, end int, weight uint8) {
	begin := start
	for i := start + 1; i < end; i++ {
		if classes[text[i]]&isUpper != 0 && (classes[text[i-1]]&isUpper == 0 || text[i+1] >= 'a' && i+1 < end) {
			t.count(t.plain(text, begin, i), weight)
			begin = i
		}
	}
	if begin > start {
		t.count(t.plain(text, begin, end), weight)
	}
}

// odd takes the words of a run of a text that has no others around it.
func (t *wordTable) odd(run string, weight uint8, rest bool) {
	s := &t.words
	for s.read(run); s.next(); {
		if t.note(s.term, weight) && rest && !s.part {
			t.text = append(append(t.text, run[s.start:s.end]...), ' ')
		}
	}
}
