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

// isName: a byte of a name that something is assigned to.
func isName(c byte) bool { return isAlnum(c) || c == '_' || c == '-' || c == '.' }

// isBase64: a byte of base64, also of that for URLs.
func isBase64(c byte) bool {
	return isAlnum(c) || c == '+' || c == '/' || c == '=' || c == '_' || c == '-'
}

// isSolid: a byte of values without quotes.
func isSolid(c byte) bool { return c > ' ' && c != '"' && c != '\'' && c != '`' && c != 0x7f }

// blanks are the bytes that isSpace knows.
const blanks = " \t\n\r"

// skipBytes is after the bytes of a set that stand at p, at most up to a limit.
func skipBytes(text []byte, p, limit int, set string) int {
	for p < len(text) && p < limit && strings.IndexByte(set, text[p]) >= 0 {
		p++
	}
	return p
}

// hasFoldAt reports whether a lower-case word stands in the text at i, in letters of any case. Spaces at its end
// also stand for the end of the text.
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
