package redact

import (
	"bytes"
	"encoding/hex"
)

// writtenCharacters are characters that are written out around names and values: in URLs, in HTML, and in JSON of
// programs that escape signs of HTML. A text that has one is searched again with the characters themselves.
var writtenCharacters = []detectorWord{
	{"%3[ad][a-z0-9%+_.-]", noteWritten}, {"%22[a-z0-9%]", noteWritten}, {"%25[23][0-9a-f]", noteWritten},
	{"&lt;", noteWritten}, {"&gt;", noteWritten}, {"&quot;", noteWritten}, {"&#3[49];", noteWritten},
	{`\u003[cde]`, noteWritten}, {`\u002[267]`, noteWritten},
}

func noteWritten(s *scan, t *target, at int) { s.hasWritten = true }

// entities are the characters that HTML writes by name.
var entities = []struct {
	name string
	is   byte
}{
	{"lt;", '<'}, {"gt;", '>'}, {"quot;", '"'}, {"apos;", '\''}, {"#39;", '\''}, {"#34;", '"'}, {"#x27;", '\''},
	{"amp;", '&'},
}

// writtenCharacter reads the character that is written out at the beginning of a text, once or repeatedly: %3D, %253D,
// &lt;, &amp;lt;, \u003d, \\u003d. Its length is 0 if there is none.
func writtenCharacter(text []byte) (is byte, length int) {
	p := 1
	switch text[0] {
	case '%':
		for bytes.HasPrefix(text[p:], []byte("25")) && p < 8 {
			p += 2
		}
		is, p = hexByte(text, p)
	case '\\':
		for p < len(text) && p < 16 && text[p] == '\\' {
			p++
		}
		if !bytes.HasPrefix(text[p:], []byte("u00")) {
			return 0, 0
		}
		is, p = hexByte(text, p+3)
	case '&':
		for bytes.HasPrefix(text[p:], []byte("amp;")) && p < 16 {
			p += len("amp;")
			is = '&'
		}
		for _, e := range entities {
			if bytes.HasPrefix(text[p:], []byte(e.name)) {
				return e.is, p + len(e.name)
			}
		}
	}
	if is < ' ' || is > '~' {
		return 0, 0
	}
	return is, p
}

// hexByte reads two hexadecimal digits at p, and returns the offset after them.
func hexByte(text []byte, p int) (byte, int) {
	var c [1]byte
	if p+2 > len(text) {
		return 0, 0
	}
	if _, err := hex.Decode(c[:], text[p:p+2]); err != nil {
		return 0, 0
	}
	return c[0], p + 2
}

// withCharacters returns a text with the characters themselves in place of those that are written out.
func (s *scan) withCharacters(text []byte) []byte {
	s.removed = s.removed[:0]
	out := make([]byte, 0, len(text))
	for i := 0; i < len(text); {
		n := bytes.IndexAny(text[i:], `%&\`)
		if n < 0 {
			return append(out, text[i:]...)
		}
		out = append(out, text[i:i+n]...)
		i += n
		c, length := writtenCharacter(text[i:])
		if length == 0 {
			out, i = append(out, text[i]), i+1
			continue
		}
		out, i = append(out, c), i+length
		s.removed = append(s.removed, removedSequence{len(out), i - len(out), true})
	}
	return out
}
