package packed

import (
	"encoding/binary"
	"slices"
)

// Scripts are in UTF-16, little-endian, with a byte order mark, which overrides the encoding that a server states.
// Packed bytes are a JavaScript string, two bytes a code unit: 1.03 bytes each, where base 91 takes 1.23. Code units
// that are not allowed in such a string or in UTF-16 are escaped. No packed format begins with a zero byte, so a zero
// byte precedes an odd number of bytes.

const byteOrderMark = "\xff\xfe"

const (
	escapeUnit = 0x0001 // before a code unit that is written with another highest bit
	escapedBit = 0x8000
)

// mustEscape reports whether a code unit ends a string, begins an escape, or is half of a surrogate pair.
func mustEscape(unit uint16) bool {
	if unit >= 0x80 { // nearly all are
		return unit&0xf800 == 0xd800
	}
	switch unit {
	case '\n', '\r', '"', '\\', escapeUnit:
		return true
	}
	return false
}

// appendASCII writes characters of ASCII as code units.
func appendASCII(to []byte, text string) []byte {
	for i := range len(text) {
		to = append(to, text[i], 0)
	}
	return to
}

// afterQuote returns the text after the first quotation mark.
func afterQuote(text []byte) ([]byte, bool) {
	for at := 0; at+1 < len(text); at += 2 {
		if binary.LittleEndian.Uint16(text[at:]) == '"' {
			return text[at+2:], true
		}
	}
	return nil, false
}

// appendUnits writes bytes as code units that are allowed in a JavaScript string. The first byte is not 0.
func appendUnits(to, data []byte) []byte {
	to = slices.Grow(to, len(data)+len(data)/16)
	if len(data)%2 == 1 {
		to = appendUnit(to, uint16(data[0])<<8)
		data = data[1:]
	}
	for len(data) > 0 {
		n := 0 // bytes that are written as they are
		for n < len(data) && !mustEscape(binary.LittleEndian.Uint16(data[n:])) {
			n += 2
		}
		to, data = append(to, data[:n]...), data[n:]
		if len(data) > 0 {
			to, data = appendUnit(to, binary.LittleEndian.Uint16(data)), data[2:]
		}
	}
	return to
}

func appendUnit(to []byte, unit uint16) []byte {
	if mustEscape(unit) {
		to = binary.LittleEndian.AppendUint16(to, escapeUnit)
		unit ^= escapedBit
	}
	return binary.LittleEndian.AppendUint16(to, unit)
}

// decodeUnits reads what appendUnits has written, and reports whether it could have.
func decodeUnits(text []byte) ([]byte, bool) {
	if len(text)%2 == 1 {
		return nil, false
	}
	data := make([]byte, 0, len(text))
	for ; len(text) > 0; text = text[2:] {
		unit := binary.LittleEndian.Uint16(text)
		if mustEscape(unit) {
			if unit != escapeUnit || len(text) < 4 {
				return nil, false
			}
			text = text[2:]
			if unit = binary.LittleEndian.Uint16(text) ^ escapedBit; !mustEscape(unit) {
				return nil, false
			}
		}
		data = binary.LittleEndian.AppendUint16(data, unit)
	}
	if len(data) > 0 && data[0] == 0 {
		data = data[1:]
	}
	return data, true
}
