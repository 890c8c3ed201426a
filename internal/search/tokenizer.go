package search

import (
	"encoding/binary"
	"math/bits"
	"unicode"
	"unicode/utf8"
)

// A textTerm is a word of a text in the form in which words are compared.
type textTerm struct {
	Text       string
	Start, End int  // its place, in bytes
	Position   int  // index of its word in the text; subwords have that of their word
	Subword    bool // a part of a word, such as http in parseHTTPHeader
}

// longestTerm limits the length of a term in characters. Longer words are cut off.
const longestTerm = 40

// termsOf returns the words of a text: runs of letters, digits and marks, in lower case. A name that consists of
// several words is one term, and so is each of them. A run of Chinese or Japanese characters is split into overlapping
// pairs.
func termsOf(text string) []textTerm {
	var all []textTerm
	s := tokenizer{text: text}
	for s.next() {
		all = append(all, textTerm{string(s.term), s.start, s.end, s.position, s.subword})
	}
	return all
}

// A tokenizer splits a text into terms. A term is valid until the next call.
type tokenizer struct {
	text       string
	term       []byte
	start, end int
	position   int
	subword    bool

	offset    int    // of the next byte to read
	bounds    []int  // of the last word, if it has subwords: where each starts, and the end of the last one
	nextBound int    // of the next subword
	paired    bool   // the character before offset forms a pair with the one at offset
	positions int    // number of words so far
	plain     bool   // the last word is ASCII, and buffer holds all of it
	buffer    []byte // the memory of term
}

// read starts with another text.
func (s *tokenizer) read(text string) {
	*s = tokenizer{text: text, bounds: s.bounds[:0], buffer: s.buffer}
}

// Classes of bytes.
const (
	isWord = 1 << iota
	isUpper
	isBeyond // beyond ASCII
)

var classes = func() (c [256]byte) {
	for b := range c {
		switch {
		case '0' <= b && b <= '9', 'a' <= b && b <= 'z':
			c[b] = isWord
		case 'A' <= b && b <= 'Z':
			c[b] = isWord | isUpper
		case b >= utf8.RuneSelf:
			c[b] = isBeyond
		}
	}
	return c
}()

// next moves to the next term. It returns false if there is none.
func (s *tokenizer) next() bool {
	if s.nextBound+1 < len(s.bounds) {
		s.subword = true
		if start, end := s.bounds[s.nextBound], s.bounds[s.nextBound+1]; s.plain {
			whole := s.offset - len(s.buffer)
			s.start, s.end, s.term = start, end, s.buffer[start-whole:end-whole]
		} else {
			s.fold(start, end)
		}
		s.nextBound++
		return true
	}
	s.subword = false
	for {
		text, i := s.text, s.offset
		for i < len(text) && classes[text[i]] == 0 {
			i++
		}
		s.offset = i
		if i == len(text) {
			return false
		}
		if classes[text[i]] != isBeyond {
			if !s.asciiWord() {
				s.word()
			}
			return true
		}
		r, n := utf8.DecodeRuneInString(s.text[s.offset:])
		switch {
		case isPaired(r):
			if s.pair(n) {
				return true
			}
		case isWordRune(r):
			s.word()
			return true
		default:
			s.offset += n
		}
	}
}

// pair returns a term of the character at the offset, of n bytes, and the next one, or of a single character.
func (s *tokenizer) pair(n int) bool {
	start := s.offset
	s.offset += n
	next, size := utf8.DecodeRuneInString(s.text[s.offset:])
	again := s.paired
	if s.paired = isPaired(next); s.paired {
		n += size
	} else if again {
		return false
	}
	s.position, s.positions = s.positions, s.positions+1
	s.fold(start, start+n)
	return true
}

// asciiWord reads a word of ASCII that is not near the end of the text, eight bytes at a time. Most words are like
// that. It returns false for other words.
func (s *tokenizer) asciiWord() bool {
	if cap(s.buffer) < longestTerm+8 {
		s.buffer = make([]byte, longestTerm+8)
	}
	text, term := s.text[s.offset:], s.buffer[:longestTerm+8]
	var x, other, inner uint64
	n := 0 // bytes of the word
	for ; other == 0; n += 8 {
		if n > longestTerm || n+8 > len(text) {
			return false
		}
		x = load64(text, n)
		// These have the highest bit of each byte that is of the class.
		low := x &^ highs
		lower := low | 0x20*ones
		letter := (lower + (0x80-'a')*ones) &^ (lower + (0x7f-'z')*ones) &^ x & highs
		digit := (low + (0x80-'0')*ones) &^ (low + (0x7f-'9')*ones) &^ x & highs
		upper := letter &^ (x << 2) // which lacks the bit 0x20
		if n == 0 {
			upper &^= 0x80 // the first letter begins no subword
		}
		other = letter | digit ^ highs
		inner |= upper & (other - 1) &^ other // before the first other byte
		binary.LittleEndian.PutUint64(term[n:], lower)
	}
	n += bits.TrailingZeros64(other)>>3 - 8
	if n > longestTerm || x&other&-other != 0 { // beyond ASCII
		return false
	}
	s.bounds = s.bounds[:0]
	if inner != 0 {
		s.split(text[:n])
	}
	s.buffer = term[:n]
	s.start, s.end, s.term, s.plain = s.offset, s.offset+n, s.buffer, true
	s.offset, s.nextBound, s.paired = s.end, 0, false
	s.position, s.positions = s.positions, s.positions+1
	return true
}

// split notes the subwords of the word at the offset, which is ASCII. See word.
func (s *tokenizer) split(word string) {
	const upper = isWord | isUpper
	bounds := append(s.bounds, s.offset)
	for i := 1; i < len(word); i++ {
		if classes[word[i]] == upper && (classes[word[i-1]] != upper || i+1 < len(word) && word[i+1] >= 'a') {
			bounds = append(bounds, s.offset+i)
		}
	}
	if len(bounds) > 1 {
		s.bounds = append(bounds, s.offset+len(word))
	}
}

// word reads the word at the offset, and notes its subwords.
func (s *tokenizer) word() {
	text, i, term, count := s.text, s.offset, s.buffer[:0], 0
	bounds := s.bounds[:0]
	// A subword begins at an upper-case letter after one that is not, and at the last of several upper-case letters
	// before a lower-case one.
	upper, last, plain := true, i, true
	for i < len(text) {
		r, n := rune(text[i]), 1
		var isUp, isLow bool
		if r < utf8.RuneSelf {
			c := classes[r]
			if c == 0 {
				break
			}
			if isUp = c == isWord|isUpper; isUp {
				r += 'a' - 'A'
			}
			isLow = r >= 'a' && !isUp
		} else {
			plain = false
			r, n = utf8.DecodeRuneInString(text[i:])
			if !isWordRune(r) || isPaired(r) {
				break
			}
			isUp, isLow = unicode.IsUpper(r), unicode.IsLower(r)
			r = foldRune(r)
		}
		if isUp && !upper {
			bounds = append(bounds, i)
		} else if isLow && upper && last > s.offset && (len(bounds) == 0 || bounds[len(bounds)-1] != last) {
			bounds = append(bounds, last)
		}
		upper, last = isUp, i
		if count < longestTerm {
			if r < utf8.RuneSelf {
				term = append(term, byte(r))
			} else {
				term = utf8.AppendRune(term, r)
			}
		}
		count++
		i += n
	}
	s.start, s.end, s.term, s.buffer, s.plain = s.offset, i, term, term, plain
	if len(bounds) > 0 && count <= longestTerm {
		bounds = append(bounds, i, 0)
		copy(bounds[1:], bounds)
		bounds[0] = s.offset
	} else {
		bounds = bounds[:0]
	}
	s.offset, s.bounds, s.nextBound, s.paired = i, bounds, 0, false
	s.position, s.positions = s.positions, s.positions+1
}

// fold returns the term of a part of the text.
func (s *tokenizer) fold(start, end int) {
	term := s.buffer[:0]
	for _, r := range s.text[start:end] {
		term = utf8.AppendRune(term, foldRune(r))
	}
	s.start, s.end, s.term, s.buffer = start, end, term, term
}

// foldRune returns a character in lower case; both forms of the small sigma become one.
func foldRune(r rune) rune {
	if r < utf8.RuneSelf {
		if 'A' <= r && r <= 'Z' {
			r += 'a' - 'A'
		}
		return r
	}
	if r = unicode.ToLower(r); r == 'ς' {
		return 'σ'
	}
	return r
}

// isWordRune is for characters beyond ASCII.
func isWordRune(r rune) bool {
	if 0x2000 <= r && r < 0x2070 || 0x2190 <= r && r < 0x2460 || 0x2500 <= r && r < 0x2776 {
		return false // punctuation, arrows, box drawing, symbols: the most frequent ones that are not letters
	}
	return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r)
}

// isPaired reports whether a character belongs to a script that is written without blanks between words.
func isPaired(r rune) bool {
	return r >= 0x2E80 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) && isWordRune(r)
}
