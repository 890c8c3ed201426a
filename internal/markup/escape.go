package markup

import (
	"fmt"
	"html/template"
	"strings"
	"unicode/utf8"
)

// Text escapes plain text. Control characters other than tab and newline, and the characters that reorder text (bidi
// controls, see CVE-2021-42574), are drawn as <span class="u">U+202E</span>; "\r\n" and "\r\r\n" are line ends; bytes
// that are not UTF-8 become U+FFFD. It keeps the line rule.
func Text(text string) template.HTML {
	var b strings.Builder
	b.Grow(len(text) + len(text)/16)
	escape(&b, text, false)
	return template.HTML(b.String())
}

// needsCare has the bytes that escape cannot copy: markup, controls, and the first bytes of UTF-8 sequences of hidden
// characters.
var needsCare = func() (t [256]bool) {
	for c := range 0x20 {
		t[c] = c != '\t' && c != '\n'
	}
	for _, c := range []byte{'&', '<', '>', '"', 0x7f, 0xc2, 0xd8, 0xe2, 0xef, 0xf0, 0xf1, 0xf2, 0xf3, 0xf4} {
		t[c] = true
	}
	return
}()

// escape writes s as HTML text or, if attr is set, as the value of an attribute in double quotes, where a hidden
// character is U+202E without an element.
func escape(b *strings.Builder, s string, attr bool) {
	if !utf8.ValidString(s) {
		s = valid(s)
	}
	escapeValid(b, s, attr)
}

// escapeValid is escape for valid UTF-8.
func escapeValid(b *strings.Builder, s string, attr bool) {
	done := 0 // s[:done] is written
	for i := 0; i < len(s); i++ {
		c := s[i]
		if !needsCare[c] {
			continue
		}
		var as string
		size := 1
		switch c {
		case '&':
			as = "&amp;"
		case '<':
			as = "&lt;"
		case '>':
			as = "&gt;"
		case '"':
			if !attr {
				continue
			}
			as = "&#34;"
		case '\r':
			size = returns(s[i:])
			if i+size < len(s) && s[i+size] == '\n' {
				break
			}
			as = strings.Repeat(token(rune(c), attr), size)
		default:
			r, n := rune(c), 1
			if c >= utf8.RuneSelf {
				r, n = utf8.DecodeRuneInString(s[i:])
			}
			if !hidden(r) {
				i += n - 1
				continue
			}
			as, size = token(r, attr), n
		}
		b.WriteString(s[done:i])
		b.WriteString(as)
		i += size - 1
		done = i + 1
	}
	b.WriteString(s[done:])
}

// returns counts the carriage returns that s starts with. There may be several before a newline if a program wrote \r\n
// to another one that adds its own.
func returns(s string) int {
	n := 1
	for n < len(s) && s[n] == '\r' {
		n++
	}
	return n
}

// attribute writes ` name="value"`.
func attribute(b *strings.Builder, name, value string) {
	b.WriteByte(' ')
	b.WriteString(name)
	b.WriteString(`="`)
	escape(b, value, true)
	b.WriteByte('"')
}

// hidden reports whether r has an effect but no shape (C0, DEL, C1 and the bidi controls), or is a noncharacter, which
// HTML may not contain. Tab and newline are not hidden.
func hidden(r rune) bool {
	switch {
	case r < 0x20:
		return r != '\t' && r != '\n'
	case r < 0x7f:
		return false
	case r < 0xa0:
		return true
	}
	switch r {
	case 0x061c, 0x200e, 0x200f,
		0x202a, 0x202b, 0x202c, 0x202d, 0x202e,
		0x2066, 0x2067, 0x2068, 0x2069:
		return true
	}
	return r >= 0xfdd0 && r <= 0xfdef || r&0xfffe == 0xfffe
}

func token(r rune, attr bool) string {
	name := fmt.Sprintf("%U", r)
	if attr {
		return name
	}
	return `<span class="u">` + name + `</span>`
}

// valid replaces each byte that is not UTF-8 by U+FFFD, as range does.
func valid(s string) string {
	var b strings.Builder
	b.Grow(len(s) + len(s)/8)
	for _, r := range s {
		b.WriteRune(r)
	}
	return b.String()
}

// lineEnds replaces \r\n by newlines and makes s valid UTF-8, so that offsets into the result are offsets into the
// drawn text.
func lineEnds(s string) string {
	if strings.Contains(s, "\r\n") {
		var b strings.Builder
		b.Grow(len(s))
		for {
			i := strings.IndexByte(s, '\r')
			if i < 0 {
				break
			}
			n := returns(s[i:])
			b.WriteString(s[:i])
			if i+n == len(s) || s[i+n] != '\n' {
				b.WriteString(s[i : i+n])
			}
			s = s[i+n:]
		}
		b.WriteString(s)
		s = b.String()
	}
	if !utf8.ValidString(s) {
		s = valid(s)
	}
	return s
}
