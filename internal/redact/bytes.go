package redact

import "strings"

func isLower(c byte) bool  { return 'a' <= c && c <= 'z' }
func isUpper(c byte) bool  { return 'A' <= c && c <= 'Z' }
func isDigit(c byte) bool  { return '0' <= c && c <= '9' }
func isLetter(c byte) bool { return isLower(c|0x20) && c < 0x80 }
func isAlnum(c byte) bool  { return isLetter(c) || isDigit(c) }
func isHex(c byte) bool    { return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'f' }
func isSpace(c byte) bool  { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }
func isQuote(c byte) bool  { return c == '"' || c == '\'' || c == '`' }

// isName reports whether c may be part of a name that a value is assigned to.
func isName(c byte) bool { return isAlnum(c) || c == '_' || c == '-' || c == '.' }

// isBase64 reports whether c is a byte of base64, including that for URLs.
func isBase64(c byte) bool {
	return isAlnum(c) || c == '+' || c == '/' || c == '=' || c == '_' || c == '-'
}

// isSolid reports whether c may be part of a value without quotes.
func isSolid(c byte) bool { return c > ' ' && c != '"' && c != '\'' && c != '`' && c != 0x7f }

// blanks are the bytes for which isSpace returns true.
const blanks = " \t\n\r"

// skipBytes returns the offset after the bytes of a set at p, at most a limit.
func skipBytes(text []byte, p, limit int, set string) int {
	for p < len(text) && p < limit && strings.IndexByte(set, text[p]) >= 0 {
		p++
	}
	return p
}

// hasFoldAt reports whether the text at i is a lower-case word, ignoring case. Spaces at the end of the word also match
// the end of the text.
func hasFoldAt(text []byte, i int, word string) bool {
	for j := range len(word) {
		if i+j >= len(text) {
			return word[j:] == " "
		}
		if c := text[i+j]; c != word[j] && lower(c) != word[j] {
			return false
		}
	}
	return true
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c | 0x20
	}
	return c
}
