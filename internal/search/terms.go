package search

import (
	"unicode"
	"unicode/utf8"
)

// A Term is a word of a text in the form in which words are compared.
type Term struct {
	Text       string
	Start, End int  // where it stands, in bytes
	Place      int  // which word of the text it is, from 0; the parts of a word share its place
	Part       bool // of a word that has several, as http in parseHTTPHeader
}

// longestTerm is how many characters of a word count; words that are longer are
// no words.
const longestTerm = 40

// Terms are the words of a text: runs of letters, digits and marks, in lower
// case. A name made of several words counts as one and as each of them; a run of
// Chinese or Japanese characters is taken two by two.
func Terms(text string) []Term {
	var all []Term
	s := scanner{text: text}
	for s.next() {
		all = append(all, Term{string(s.term), s.start, s.end, s.place, s.part})
	}
	return all
}

// A scanner walks over the terms of a text. What it gives lives until the next call.
type scanner struct {
	text       string
	term       []byte
	start, end int
	place      int
	part       bool

	at     int   // how far the text is read
	joints []int // of the word behind which it is read: the starts of its parts, and its end
	due    int   // which part is next
	paired bool  // the character before at stands in a pair with the one at at
	places int
	plain  bool   // that word is of ASCII, and buffer holds all of it
	buffer []byte // of term
}

// read begins with another text.
func (s *scanner) read(text string) {
	*s = scanner{text: text, joints: s.joints[:0], buffer: s.buffer}
}

// Classes of bytes.
const (
	isWord = 1 << iota
	isUpper
	isBeyond // ASCII
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

// next says whether there is one more.
func (s *scanner) next() bool {
	if s.due+1 < len(s.joints) {
		s.part = true
		if start, end := s.joints[s.due], s.joints[s.due+1]; s.plain {
			whole := s.at - len(s.buffer)
			s.start, s.end, s.term = start, end, s.buffer[start-whole:end-whole]
		} else {
			s.fold(start, end)
		}
		s.due++
		return true
	}
	s.part = false
	for text := s.text; s.at < len(text); {
		switch class := classes[text[s.at]]; {
		case class == 0:
			s.at++
			continue
		case class != isBeyond:
			if !s.plainWord() {
				s.word()
			}
			return true
		}
		r, n := utf8.DecodeRuneInString(s.text[s.at:])
		switch {
		case isPaired(r):
			if s.pair(n) {
				return true
			}
		case isWordRune(r):
			s.word()
			return true
		default:
			s.at += n
		}
	}
	return false
}

// pair takes the character at at, of n bytes, with the one behind it, or by itself when it stands alone.
func (s *scanner) pair(n int) bool {
	start := s.at
	s.at += n
	next, size := utf8.DecodeRuneInString(s.text[s.at:])
	again := s.paired
	if s.paired = isPaired(next); s.paired {
		n += size
	} else if again {
		return false
	}
	s.place, s.places = s.places, s.places+1
	s.fold(start, start+n)
	return true
}

// plainWord takes the word that begins at at when it is of small letters and
// digits of ASCII only, but for the first, as most are.
func (s *scanner) plainWord() bool {
	text, i, seen := s.text, s.at+1, byte(isWord)
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
	s.buffer = append(s.buffer[:0], text[s.at:min(i, s.at+longestTerm)]...)
	if classes[s.buffer[0]] == isWord|isUpper {
		s.buffer[0] += 'a' - 'A'
	}
	s.start, s.end, s.term = s.at, i, s.buffer
	s.at, s.joints, s.due, s.paired = i, s.joints[:0], 0, false
	s.place, s.places = s.places, s.places+1
	return true
}

// word takes the word that begins at at.
func (s *scanner) word() {
	text, i, term, count := s.text, s.at, s.buffer[:0], 0
	joints := s.joints[:0]
	// A part begins at an upper-case letter behind one that is not, and at the last of several upper-case
	// letters before a lower-case one.
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
			joints = append(joints, i)
		} else if isLow && upper && last > s.at && (len(joints) == 0 || joints[len(joints)-1] != last) {
			joints = append(joints, last)
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
	s.start, s.end, s.term, s.buffer, s.plain = s.at, i, term, term, plain
	if len(joints) > 0 && count <= longestTerm {
		joints = append(joints, i, 0)
		copy(joints[1:], joints)
		joints[0] = s.at
	} else {
		joints = joints[:0]
	}
	s.at, s.joints, s.due, s.paired = i, joints, 0, false
	s.place, s.places = s.places, s.places+1
}

// fold makes a piece of the text the term.
func (s *scanner) fold(start, end int) {
	term := s.buffer[:0]
	for _, r := range s.text[start:end] {
		term = utf8.AppendRune(term, foldRune(r))
	}
	s.start, s.end, s.term, s.buffer = start, end, term, term
}

// foldRune is a character in lower case; the two small sigmas are one.
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

// isWordRune is for what is not ASCII.
func isWordRune(r rune) bool {
	if 0x2000 <= r && r < 0x2070 || 0x2190 <= r && r < 0x2460 || 0x2500 <= r && r < 0x2776 {
		return false // punctuation, arrows, frames, symbols: most of what is no letter
	}
	return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r)
}

// isPaired says that a character belongs to a script that is written without
// blanks between words.
func isPaired(r rune) bool {
	return r >= 0x2E80 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) && isWordRune(r)
}
