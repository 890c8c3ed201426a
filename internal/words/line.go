package words

import (
	"strings"
	"unicode/utf8"
)

// Clip shortens a text to n characters, on a character.
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

// Line makes a text fit a row: its first lines joined, at most n characters.
func Line(s string, n int) string {
	if len(s) > 8*n { // enough, whatever the characters are
		s = s[:8*n]
	}
	return Clip(strings.Join(strings.Fields(strings.ToValidUTF8(s, "")), " "), n)
}

// Domain is an address without its scheme and query, for a row.
func Domain(address string) string {
	_, rest, ok := strings.Cut(address, "://")
	if !ok {
		return address
	}
	rest, _, _ = strings.Cut(rest, "?")
	return strings.TrimSuffix(rest, "/")
}
