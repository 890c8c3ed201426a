package redact

import "bytes"

// An argument is a word of a command line: an unquoted part, a quoted part, or both, from start to end.
type argument struct {
	start, end int // without quotes around the whole argument
	quoted     int // offset of the quoted part, end if there is none
	next       int // after it
}

// nextArgument reads the word at p. It is false at the end of the command.
func nextArgument(text []byte, p int) (argument, bool) {
	p = skipBlanks(text, p)
	start := p
	for p < len(text) && !endsArgument(text, p) {
		p++
	}
	a := argument{start, p, p, p}
	q, n := quoteAt(text, p)
	if n == 0 || p > start && !opensValue(text[start:p]) {
		return a, p > start
	}
	end := q.end(text, p+n)
	if end <= p+n || !quotesArgument(text, p+n, end) {
		return a, p > start
	}
	if p == start {
		a.start = p + n
	}
	a.quoted, a.end, a.next = p+n, end, end+n
	if a.next < len(text) && text[a.next] == ',' { // of an array
		a.next++
	}
	return a, true
}

// skipBlanks skips blanks, and the end of a line that is continued on the next one.
func skipBlanks(text []byte, p int) int {
	for p < len(text) {
		switch {
		case text[p] == ' ' || text[p] == '\t':
			p++
		case (text[p] == '\\' || text[p] == '`') && p+1 < len(text) && text[p+1] == '\n':
			p += 2
		case text[p] == '\\' && p+2 < len(text) && text[p+1] == '\r' && text[p+2] == '\n':
			p += 3
		case bytes.HasPrefix(text[p:], []byte(`\\\n`)): // in a text in a text
			p += 4
		default:
			return p
		}
	}
	return p
}

// endsArgument reports whether a byte ends a word that has no quotes.
func endsArgument(text []byte, p int) bool {
	switch c := text[p]; c {
	case '|', ';', '<', '>':
		return true
	case '&':
		return p+1 >= len(text) || text[p+1] == '&' || isSpace(text[p+1])
	case '\\':
		i := p
		for i < len(text) && text[i] == '\\' {
			i++
		}
		return i >= len(text) || isQuote(text[i]) || text[i] == '\n' ||
			i-p < 2 && isEscapeLetter(text[i]) && (i+1 >= len(text) || !isAlnum(text[i+1]))
	default:
		return !isSolid(c)
	}
}

// opensValue reports whether a quote after the beginning of a word opens a value, and does not belong to the text
// around the command: -p'...', --user="...", app:'...'.
func opensValue(word []byte) bool {
	switch word[len(word)-1] {
	case '=', ':', ',', '/', '%':
		return true
	}
	return word[0] == '-' && len(word) <= 8 && !bytes.HasPrefix(word, []byte("--"))
}

// quotesArgument reports whether the text between two quotes is a word, rather than text between two quoted texts.
func quotesArgument(text []byte, start, end int) bool {
	switch text[start] {
	case ' ', '}', ']', ')', '\n', '\\':
		return false
	case ',', ':', ';':
		if next := text[start+1]; isSpace(next) || isQuote(next) || next == '\\' {
			return false
		}
	}
	return bytes.IndexByte(text[start:end], '\n') < 0
}

// isShell reports whether an argument is shell syntax instead of a value: $PASSWORD, $(cat file), a redirection.
func isShell(v []byte) bool {
	return bytes.HasPrefix(v, []byte("$(")) || bytes.HasPrefix(v, []byte("<(")) || bytes.HasPrefix(v, []byte("${"))
}
