package console

import (
	"fmt"
	"unicode/utf8"
)

// JSON returns a document with the same value that is safe to print: unsafe characters are written by their number.
func JSON(data []byte) []byte {
	var out []byte
	done := 0
	var command finder
	for i := 0; i < len(data); {
		r, n := rune(data[i]), 1
		if r >= utf8.RuneSelf {
			r, n = utf8.DecodeRune(data[i:])
		}
		// Two colons never begin a line of JSON, which begins with a quote, a bracket or a value.
		if bracket := command.ends(r) && r == '['; bracket || r == 0x7f || isControl(r) ||
			r == utf8.RuneError && n == 1 {
			out = fmt.Appendf(append(out, data[done:i]...), `\u%04x`, r)
			done = i + n
		}
		i += n
	}
	if done == 0 {
		return data
	}
	return append(out, data[done:]...)
}

// HTML returns a page that looks the same and has no command of a runner in it. Commands outside of text and attributes
// are not found.
func HTML(page []byte) []byte {
	var out []byte
	done := 0
	var command finder
	command.atStart = true
	for i := 0; i < len(page); {
		r, n := rune(page[i]), 1
		if r >= utf8.RuneSelf {
			r, n = utf8.DecodeRune(page[i:])
		}
		if command.ends(r) {
			out = fmt.Appendf(append(out, page[done:i]...), "&#%d;", r)
			done = i + n
		}
		i += n
	}
	if done == 0 {
		return page
	}
	return append(out, page[done:]...)
}
