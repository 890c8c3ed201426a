package markup

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/bits"
	"unicode"
	"unicode/utf8"
)

// Reveal makes invisible characters visible in a finished page. Characters that reorder, hide, join or separate text
// are replaced by their name (U+202E), wherever templates put them: titles, commands, names of files, attributes.
// Joiners in emoji and in scripts that need them stay. A page without such characters is returned unchanged.
//
// Text that this package draws has the names already.
func Reveal(page []byte) []byte {
	var out []byte
	done := 0 // page[:done] is in out
	for i := nextSpecial(page, 0); i < len(page); i = nextSpecial(page, i) {
		r, n := utf8.DecodeRune(page[i:])
		if special(r) && !needed(page, i, r, n) {
			out = fmt.Appendf(append(out, page[done:i]...), "%U", r)
			done = i + n
		}
		i += n
	}
	if done == 0 {
		return page
	}
	return append(out, page[done:]...)
}

// nextSpecial returns the index of the next byte, from i on, that is not a printable ASCII character or a line end, or
// the end of the page if there is none.
func nextSpecial(page []byte, i int) int {
	const (
		ones = 0x0101010101010101
		high = 0x80 * ones
	)
	for i < len(page)-7 {
		x := binary.LittleEndian.Uint64(page[i : i+8])
		// The lowest set bit belongs to the first byte below 0x20 or above 0x7e; higher bits may be wrong.
		found := (x | (x - 0x20*ones) | (x + ones)) & high
		switch {
		case found == 0:
			i += 8
			continue
		case page[i+bits.TrailingZeros64(found)/8] != '\n':
			return i + bits.TrailingZeros64(found)/8
		}
		i += bits.TrailingZeros64(found)/8 + 1
	}
	for i < len(page) && (page[i] >= 0x20 && page[i] < 0x7f || page[i] == '\n') {
		i++
	}
	return i
}

// special reports whether r is hidden or invisible, and not a line end.
func special(r rune) bool {
	switch r >> 8 {
	case 0x00, 0x03, 0x06, 0x11, 0x17, 0x18, 0x20, 0x28, 0x31, 0xfd, 0xfe, 0xff:
	default: // the characters of most texts
		if r < 1<<16 {
			return false
		}
	}
	return (hidden(r) || invisible(r)) && r != '\r'
}

// invisible reports whether r has no shape, or an empty one, without being a blank. With it two different texts look
// the same.
func invisible(r rune) bool {
	switch {
	case r < 0xad:
		return false
	case r >= 0x200b && r <= 0x200d, r == 0x2028, r == 0x2029, // joiners, separators
		r >= 0x2060 && r <= 0x206f, // operators
		r == 0xad, r == 0x34f, r == 0x115f, r == 0x1160, r == 0x17b4, r == 0x17b5, r >= 0x180b && r <= 0x180f,
		r == 0x2800, r == 0x3164, r == 0xfeff, r == 0xffa0, r >= 0xfff9 && r <= 0xfffb,
		r >= 0xfe00 && r <= 0xfe0f, r >= 0xe0100 && r <= 0xe01ef, // choose between two shapes
		r >= 0xe0000 && r <= 0xe007f, // tags
		r >= 0x1d173 && r <= 0x1d17a: // of music
		return true
	}
	return false
}

// needed reports whether the writing of its neighbours needs the character at i.
func needed(page []byte, i int, r rune, n int) bool {
	before, _ := utf8.DecodeLastRune(page[:i])
	behind, _ := utf8.DecodeRune(page[i+n:])
	switch {
	case r == 0x200d: // a family; a letter of an Indic script or of Arabic
		return inEmoji(before) && inEmoji(behind) || usesJoiners(before) && usesJoiners(behind)
	case r == 0x200c, r == 0x200b:
		return usesJoiners(before) && usesJoiners(behind)
	case r >= 0xfe00 && r <= 0xfe0f:
		return inEmoji(before) || before >= '0' && before <= '9' || before == '#' || before == '*' ||
			unicode.In(before, unicode.Han, unicode.Mongolian, unicode.Myanmar)
	case r >= 0xe0100 && r <= 0xe01ef:
		return unicode.Is(unicode.Han, before)
	case r >= 0x180b && r <= 0x180f:
		return unicode.Is(unicode.Mongolian, before)
	case r >= 0xe0020 && r <= 0xe007f: // the flag of a part of a country
		const flag = "\U0001f3f4"
		start := i
		for start >= 4 && page[start-4] == 0xf3 && page[start-3] == 0xa0 && i-start < 40 {
			start -= 4
		}
		return bytes.HasSuffix(page[:start], []byte(flag))
	}
	return false
}

// inEmoji reports whether r may be part of an emoji.
func inEmoji(r rune) bool {
	switch r {
	case 0xa9, 0xae, 0x200d, 0x203c, 0x2049, 0x2122, 0x2139, 0x3030, 0x303d, 0x3297, 0x3299, 0xfe0f:
		return true
	}
	return r >= 0x1f000 && r <= 0x1faff || r >= 0x2190 && r <= 0x2bff
}

// usesJoiners reports whether r is of a script that is written with joiners, or without blanks between words.
func usesJoiners(r rune) bool {
	return r >= 0x600 && unicode.IsOneOf(joiningScripts, r)
}

var joiningScripts = []*unicode.RangeTable{
	unicode.Arabic, unicode.Syriac, unicode.Nko, unicode.Mandaic, unicode.Mongolian, unicode.Devanagari,
	unicode.Bengali, unicode.Gurmukhi, unicode.Gujarati, unicode.Oriya, unicode.Tamil, unicode.Telugu,
	unicode.Kannada, unicode.Malayalam, unicode.Sinhala, unicode.Thai, unicode.Lao, unicode.Tibetan, unicode.Myanmar,
	unicode.Khmer, unicode.Javanese, unicode.Balinese, unicode.Tai_Tham,
}
