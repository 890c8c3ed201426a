package transcript

import (
	"encoding/binary"
	"math/bits"

	"github.com/go-json-experiment/json/jsontext"
)

// A parser goes through JSON once. It checks what it skips, and returns the parts that the decoder asks for. So most
// bytes of a file are read once, eight at a time. Invalid JSON makes it fail, and then its results must not be used.
//
// It accepts what jsontext accepts with the options of Read, and nothing else. FuzzParse checks that.
type parser struct {
	data   []byte
	pos    int
	depth  int
	failed bool
	odd    bool // the last string has an escape, or may have characters beyond ASCII
}

// Valid reports whether v is one JSON value, possibly with white space around it. Like Read, it accepts invalid UTF-8
// and repeated names. It is several times as fast as [jsontext.Value.IsValid].
func Valid(v []byte) bool {
	p := parser{data: v}
	p.value()
	p.space()
	return !p.failed && p.pos == len(v)
}

// maxNesting is the same limit as that of jsontext.
const maxNesting = 10000

// kind returns the first byte of the next value, '0' for any number, 0 for none.
func (p *parser) kind() byte {
	p.space()
	if p.pos >= len(p.data) {
		return 0
	}
	c := p.data[p.pos]
	if c == '-' || '0' <= c && c <= '9' {
		return '0'
	}
	return c
}

// value skips the next value and returns it.
func (p *parser) value() jsontext.Value {
	p.space()
	start := p.pos
	p.skip()
	return p.data[start:p.pos]
}

// open enters the next value, which is an object or an array.
func (p *parser) open() {
	p.pos++
	if p.depth++; p.depth > maxNesting {
		p.failed = true
	}
}

// next reports whether the current object or array has another member or element, and moves to it. It closes the object
// or array at end.
func (p *parser) next(end byte, first bool) bool {
	if p.failed {
		return false
	}
	p.space()
	if p.pos >= len(p.data) {
		p.failed = true
		return false
	}
	switch c := p.data[p.pos]; {
	case c == end:
		p.pos++
		p.depth--
		return false
	case first:
		return true
	case c == ',':
		p.pos++
		p.space()
		return true
	}
	p.failed = true
	return false
}

// name reads the name of a member and the colon. The result has no quotes and shares memory with the data unless it has
// escapes.
func (p *parser) name() []byte {
	start := p.pos
	p.text()
	name := p.data[start:p.pos]
	p.space()
	if p.failed || p.pos >= len(p.data) || p.data[p.pos] != ':' {
		p.failed = true
		return nil
	}
	p.pos++
	if p.odd {
		return []byte(unquote(name))
	}
	return name[1 : len(name)-1]
}

func (p *parser) space() {
	p.pos = skipSpace(p.data, p.pos)
}

// skip skips the value at pos.
func (p *parser) skip() {
	if p.failed || p.pos >= len(p.data) {
		p.failed = true
		return
	}
	switch c := p.data[p.pos]; c {
	case '"':
		p.text()
	case '{':
		p.open()
		for first := true; p.next('}', first); first = false {
			p.text()
			p.space()
			if p.failed || p.pos >= len(p.data) || p.data[p.pos] != ':' {
				p.failed = true
				return
			}
			p.pos++
			p.space()
			p.skip()
		}
	case '[':
		p.open()
		for first := true; p.next(']', first); first = false {
			p.skip()
		}
	case 't':
		p.literal("true")
	case 'f':
		p.literal("false")
	case 'n':
		p.literal("null")
	default:
		p.number()
	}
}

func (p *parser) literal(s string) {
	if end := p.pos + len(s); end <= len(p.data) && string(p.data[p.pos:end]) == s {
		p.pos = end
		return
	}
	p.failed = true
}

// number skips a number such as -0.5e+7.
func (p *parser) number() {
	if p.at(0) == '-' {
		p.pos++
	}
	if p.at(0) == '0' {
		p.pos++
	} else {
		p.digits()
	}
	if p.at(0) == '.' {
		p.pos++
		p.digits()
	}
	if p.at(0)|0x20 == 'e' {
		p.pos++
		if c := p.at(0); c == '+' || c == '-' {
			p.pos++
		}
		p.digits()
	}
}

// digits skips at least one digit.
func (p *parser) digits() {
	start := p.pos
	for p.at(0)-'0' <= 9 {
		p.pos++
	}
	if p.pos == start {
		p.failed = true
	}
}

// at returns the byte i bytes ahead, or 0 after the end.
func (p *parser) at(i int) byte {
	if i += p.pos; i < len(p.data) {
		return p.data[i]
	}
	return 0
}

// text skips a string, and sets odd if it needs decoding.
func (p *parser) text() {
	p.odd = false
	if p.pos >= len(p.data) || p.data[p.pos] != '"' {
		p.failed = true
		return
	}
	p.pos++
	for p.pos < len(p.data) {
		n, high := plainBytes(p.data[p.pos:])
		p.odd = p.odd || high
		if p.pos += n; p.pos >= len(p.data) {
			break
		}
		switch p.data[p.pos] {
		case '"':
			p.pos++
			return
		case '\\':
			p.odd = true
			if !p.escape() {
				p.failed = true
				return
			}
		default: // a control character
			p.failed = true
			return
		}
	}
	p.failed = true
}

// escape skips a backslash and its escape.
func (p *parser) escape() bool {
	switch p.at(1) {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		p.pos += 2
		return true
	case 'u':
		for i := 2; i < 6; i++ {
			if !isHexDigit(p.at(i)) {
				return false
			}
		}
		p.pos += 6
		return true
	}
	return false
}

func isHexDigit(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// plainBytes counts the bytes before the first quote, backslash or control character. high reports whether there may be
// characters beyond ASCII among them.
func plainBytes(b []byte) (n int, high bool) {
	var seen uint64
	for ; n < len(b)-7; n += 8 {
		w := binary.LittleEndian.Uint64(b[n : n+8])
		// Flipping the second bit moves the quote next to the control characters, so that one comparison finds both.
		// The lowest bit found is right, because borrows go upwards.
		low, slash := w^2*ones, w^'\\'*ones
		found := ((low - ('"'^2+1)*ones) | (slash - ones)) &^ w & highs
		if found != 0 {
			seen |= w & (found&-found - 1)
			return n + bits.TrailingZeros64(found)>>3, seen&highs != 0
		}
		seen |= w
	}
	for ; n < len(b); n++ {
		c := b[n]
		if c == '"' || c == '\\' || c < ' ' {
			break
		}
		seen |= uint64(c)
	}
	return n, seen&highs != 0
}

// An interner returns the same string for equal short texts, so that ids and folders, which occur in every record, are
// allocated once a file.
type interner [256]string

// maxInterned is longer than ids and most folders.
const maxInterned = 64

// of returns string(b).
func (t *interner) of(b []byte) string {
	if t == nil || len(b) == 0 || len(b) > maxInterned {
		return string(b)
	}
	h := uint(len(b))
	if len(b) >= 8 {
		h ^= uint(binary.LittleEndian.Uint64(b)) ^ uint(binary.LittleEndian.Uint64(b[len(b)-8:]))*31
	} else {
		for _, c := range b {
			h = h*31 + uint(c)
		}
	}
	h *= 0x9e3779b1
	s := &t[h>>16%uint(len(t))]
	if *s != string(b) {
		*s = string(b)
	}
	return *s
}
