// Package jsonstring decodes the text of JSON strings, which may contain any bytes. It never fails.
package jsonstring

import (
	"bytes"
	"slices"
	"unicode/utf16"
	"unicode/utf8"
)

// Append appends the text of a JSON string to dst. raw is the string without its quotes. Invalid escapes are copied
// unchanged, so that any bytes can be read.
func Append(dst, raw []byte) []byte {
	dst = slices.Grow(dst, len(raw)) // no escape is shorter than its character
	for {
		plain := bytes.IndexByte(raw, '\\')
		if plain < 0 {
			return append(dst, raw...)
		}
		dst, raw = append(dst, raw[:plain]...), raw[plain:]
		if len(raw) > 1 && shortEscapes[raw[1]] != 0 { // nearly all
			dst, raw = append(dst, shortEscapes[raw[1]]), raw[2:]
			continue
		}
		r, n := Escape(raw)
		dst, raw = utf8.AppendRune(dst, r), raw[n:]
	}
}

// shortEscapes has the character for the byte after a backslash, 0 for all other escapes.
var shortEscapes = [256]byte{
	'n': '\n', 't': '\t', 'r': '\r', 'b': '\b', 'f': '\f', '"': '"', '\\': '\\', '/': '/',
}

// Escape decodes the escape at the start of raw, and returns its length in bytes. Half a surrogate pair is U+FFFD.
func Escape(raw []byte) (r rune, n int) {
	if len(raw) < 2 {
		return '\\', len(raw)
	}
	if c := shortEscapes[raw[1]]; c != 0 {
		return rune(c), 2
	}
	r, ok := codeUnit(raw)
	switch {
	case !ok:
		return '\\', 1
	case !utf16.IsSurrogate(r):
		return r, unitSize
	}
	low, ok := codeUnit(raw[unitSize:])
	if pair := utf16.DecodeRune(r, low); ok && pair != utf8.RuneError {
		return pair, 2 * unitSize
	}
	return utf8.RuneError, unitSize
}

const unitSize = len(`\u0000`)

// codeUnit decodes the escape \u0000 at the start of raw.
func codeUnit(raw []byte) (r rune, ok bool) {
	if len(raw) < unitSize || raw[0] != '\\' || raw[1] != 'u' {
		return 0, false
	}
	for _, c := range raw[2:unitSize] {
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
