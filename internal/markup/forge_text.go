package markup

import (
	"strings"
	"unicode"

	"viewer/internal/console"
)

// ForgeLine returns plain text as one line of Markdown: nothing in it is markup, and it mentions nobody.
func ForgeLine(s string) string {
	s = unlinked(strings.Join(strings.Fields(replaceHidden(s)), " "))
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch c := s[i]; c {
		case '\\', '`', '*', '_', '[', ']', '|', '~', '$':
			b.WriteByte('\\')
			b.WriteByte(c)
		case '<':
			b.WriteString("&lt;")
		case '>':
			b.WriteString("&gt;")
		case '&':
			b.WriteString("&amp;")
		case '#', '+', '-', '=', '/':
			if i == 0 {
				b.WriteByte('\\')
			}
			b.WriteByte(c)
		case '.', ')':
			if i > 0 && (i+1 == len(s) || s[i+1] == ' ') && strings.Trim(s[:i], "0123456789") == "" {
				b.WriteByte('\\')
			}
			b.WriteByte(c)
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// ForgeCell is ForgeCode for a table, where a pipe ends a cell even inside of code.
func ForgeCell(s string) string { return ForgeCode(strings.ReplaceAll(s, "|", `\|`)) }

// ForgeCode returns text as one line of code in Markdown, "" for an empty text. Pipes are not escaped, so it is not for
// tables.
func ForgeCode(s string) string {
	s = console.Text(strings.Join(strings.Fields(replaceHidden(s)), " "))
	if s == "" {
		return ""
	}
	ticks := strings.Repeat("`", longestRun(s, '`', 0)+1)
	if s[0] == '`' || s[len(s)-1] == '`' {
		return ticks + " " + s + " " + ticks
	}
	return ticks + s + ticks
}

// ForgeHTML returns plain text for a line of HTML in Markdown, such as a <summary>; it mentions nobody.
func ForgeHTML(s string) string {
	var b strings.Builder
	escape(&b, unlinked(strings.Join(strings.Fields(replaceHidden(s)), " ")), true)
	return console.Text(b.String())
}

// unlinked returns plain text in which a forge finds no links and no mentions.
func unlinked(s string) string {
	var b strings.Builder
	for i := range len(s) {
		if s[i] == ':' && hasForeignScheme(s[:i]) {
			b.WriteString(joiner)
		}
		b.WriteByte(s[i])
		if isReference(s, i) || s[i] == '@' && i+1 < len(s) && isName(s[i+1]) && (i == 0 || !isName(s[i-1])) {
			b.WriteString(joiner)
		}
	}
	return b.String()
}

// Fence returns code between fences that are longer than any inside. lang is written to the first line, without
// characters that are not allowed there.
func Fence(code, lang string) string {
	lang = strings.Map(func(r rune) rune {
		if r < unicode.MaxASCII && (isName(byte(r)) || r == '+' || r == '#' || r == '.') {
			return r
		}
		return -1
	}, lang)
	code = console.Text(strings.TrimRight(replaceHidden(newlines(code)), " \t\n"))
	ticks := strings.Repeat("`", longestRun(code, '`', 2)+1)
	return ticks + lang + "\n" + code + "\n" + ticks
}

// longestRun returns the length of the longest run of c in s, at least least.
func longestRun(s string, c byte, least int) int {
	run := 0
	for i := range len(s) {
		if s[i] != c {
			run = 0
			continue
		}
		run++
		least = max(least, run)
	}
	return least
}

// replaceHidden replaces hidden characters by U+FFFD.
func replaceHidden(s string) string {
	if !strings.ContainsFunc(s, func(r rune) bool { return r == '\r' || r == unicode.ReplacementChar || hidden(r) }) {
		return s
	}
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\r':
			return '\n'
		case hidden(r):
			return unicode.ReplacementChar
		}
		return r
	}, s)
}
