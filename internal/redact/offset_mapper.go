package redact

import (
	"bytes"
	"unicode/utf8"

	"viewer/internal/jsonstring"
)

// An offsetMapper maps offsets of a text to offsets of the JSON string that it was unquoted from, in ascending order.
type offsetMapper struct {
	raw      []byte
	at, text int
}

// rawOffset returns the offset in raw of a byte of the text. Bytes of one escaped character have the offset of the
// escape.
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
		c, n := jsonstring.Escape(r.raw[r.at:])
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
