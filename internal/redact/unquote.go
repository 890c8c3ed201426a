package redact

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"slices"
	"unicode/utf16"
	"unicode/utf8"
)

// unquote appends the text of a JSON string to dst; raw is the text between its quotes. What is no escape
// that JSON knows is taken as it stands, so that any bytes can be read.
func unquote(dst, raw []byte) []byte {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	dst = slices.Grow(dst, len(raw))
	out := dst[len(dst) : len(dst)+len(raw)] // no escape is shorter than what it stands for
	at, n := 0, 0
	for at < len(raw) {
		// escapes are close together, so that it takes longer to look for each and to copy what is between
		if at+8 <= len(raw) {
			w := binary.LittleEndian.Uint64(raw[at:])
			binary.LittleEndian.PutUint64(out[n:], w)
			slash := w ^ '\\'*ones
			found := (slash - ones) &^ slash & highs
			if found == 0 {
				at, n = at+8, n+8
				continue
			}
			plain := bits.TrailingZeros64(found) >> 3 // the lowest bit is right: what is borrowed goes up
			at, n = at+plain, n+plain
		} else if raw[at] != '\\' {
			out[n] = raw[at]
			at, n = at+1, n+1
			continue
		}
		if at+1 < len(raw) {
			if c := shortEscapes[raw[at+1]]; c != 0 {
				out[n] = c
				at, n = at+2, n+1
				continue
			}
		}
		r, long := escape(raw[at:])
		n += utf8.EncodeRune(out[n:], r)
		at += long
	}
	return dst[:len(dst)+n]
}

// shortEscapes is what the byte after a backslash stands for, 0 for all other escapes.
var shortEscapes = [256]byte{
	'n': '\n', 't': '\t', 'r': '\r', 'b': '\b', 'f': '\f', '"': '"', '\\': '\\', '/': '/',
}

// escape reads one escape and says how long it is. Half a surrogate pair is U+FFFD.
func escape(raw []byte) (r rune, n int) {
	if len(raw) < 2 {
		return '\\', len(raw)
	}
	switch c := raw[1]; c {
	case 'n':
		return '\n', 2
	case 't':
		return '\t', 2
	case 'r':
		return '\r', 2
	case 'b':
		return '\b', 2
	case 'f':
		return '\f', 2
	case '"', '\\', '/':
		return rune(c), 2
	case 'u':
		r, ok := hex4(raw[2:])
		if !ok {
			break
		}
		if utf16.IsSurrogate(r) {
			if len(raw) >= 8 && raw[6] == '\\' && raw[7] == 'u' {
				low, ok := hex4(raw[8:])
				if pair := utf16.DecodeRune(r, low); ok && pair != utf8.RuneError {
					return pair, 12
				}
			}
			return utf8.RuneError, 6
		}
		return r, 6
	}
	return '\\', 1
}

func hex4(raw []byte) (rune, bool) {
	if len(raw) < 4 {
		return 0, false
	}
	var r rune
	for _, c := range raw[:4] {
		switch {
		case '0' <= c && c <= '9':
			c -= '0'
		case 'a' <= c && c <= 'f':
			c -= 'a' - 10
		case 'A' <= c && c <= 'F':
			c -= 'A' - 10
		default:
			return 0, false
		}
		r = r<<4 | rune(c)
	}
	return r, true
}

// An offsetMapper maps offsets of a text to offsets of the JSON string that it was unquoted from, in ascending order.
type offsetMapper struct {
	raw      []byte
	at, text int
}

// rawOffset is where the byte of the text stands in raw. Inside what one escape stands for it is the escape.
func (r *offsetMapper) rawOffset(text int) int {
	for r.text < text {
		i := bytes.IndexByte(r.raw[r.at:], '\\')
		if i < 0 {
			i = len(r.raw) - r.at
		}
		if i >= text-r.text {
			r.at += text - r.text
			r.text = text
			break
		}
		r.at += i
		r.text += i
		c, n := escape(r.raw[r.at:])
		if n == 0 {
			break
		}
		if r.text+utf8.RuneLen(c) > text {
			break
		}
		r.at += n
		r.text += utf8.RuneLen(c)
	}
	return r.at
}
