package words

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Clip shortens a text to n characters.
func Clip(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	for i := range s {
		if n--; n == 0 {
			return s[:i] + "…"
		}
	}
	return s
}

// Line returns the first lines of a text as one line of at most n characters.
func Line(s string, n int) string {
	if isLine(s, n) {
		return s
	}
	if len(s) > 8*n { // enough for n characters
		s = s[:8*n]
	}
	return Clip(strings.Join(strings.Fields(strings.ToValidUTF8(s, "")), " "), n)
}

// isLine reports whether Line would not change a text: at most n bytes of ASCII or valid characters, and single blanks.
func isLine(s string, n int) bool {
	if len(s) > n {
		return false
	}
	blank := true // before the text
	for i := 0; i < len(s); {
		c := s[i]
		switch {
		case c == ' ' && !blank:
			blank = true
			i++
			continue
		case c <= ' ':
			return false
		case c < utf8.RuneSelf:
			i++
		default:
			r, size := utf8.DecodeRuneInString(s[i:])
			if r == utf8.RuneError && size == 1 || unicode.IsSpace(r) {
				return false
			}
			i += size
		}
		blank = false
	}
	return !blank || s == ""
}

// longestLine limits how much of a text OneLine reads, in bytes.
const longestLine = 4096

// OneLine joins the lines of a text. It reads only the beginning of a long text.
func OneLine(s string) string {
	if len(s) > longestLine {
		s = strings.ToValidUTF8(s[:longestLine], "") + "…"
	}
	return strings.Join(strings.Fields(s), " ")
}

// Domain returns an address without its scheme and query.
func Domain(address string) string {
	_, rest, ok := strings.Cut(address, "://")
	if !ok {
		return address
	}
	rest, _, _ = strings.Cut(rest, "?")
	return strings.TrimSuffix(rest, "/")
}

// NonEmpty returns the texts that are not empty, to be joined.
func NonEmpty(all ...string) []string {
	return slices.DeleteFunc(slices.Clone(all), func(s string) bool { return s == "" })
}
