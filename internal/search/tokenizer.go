package search

import (
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
	for text := s.text; s.offset < len(text); {
		switch class := classes[text[s.offset]]; {
		case class == 0:
			s.offset++
			continue
		case class != isBeyond:
			if !s.plainWord() {
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
	return false
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

// plainWord reads a word that has only lower-case ASCII letters and digits, apart from its first letter. Most words are
// like that.
func (s *tokenizer) plainWord() bool {
	text, i, seen := s.text, s.offset+1, byte(isWord)
	for i < len(text) {
		class := classes[text[i]]
		if class == 0 {
			break
		}
		seen |= class
		i++
	}
	if seen != isWord {
		return false
	}
	s.buffer = append(s.buffer[:0], text[s.offset:min(i, s.offset+longestTerm)]...)
	if classes[s.buffer[0]] == isWord|isUpper {
		s.buffer[0] += 'a' - 'A'
	}
	s.start, s.end, s.term = s.offset, i, s.buffer
	s.offset, s.bounds, s.nextBound, s.paired = i, s.bounds[:0], 0, false
	s.position, s.positions = s.positions, s.positions+1
	return true
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
