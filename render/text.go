package render

import (
	"bytes"
	"html"
)

// Search inside a session looks at the text of a page as it is drawn: what
// stands in its turns, with a line break where a block begins or ends. What
// stands around them, such as totals, is on the first page and changes with
// every append; the text of a page does not. Taken
// from the page itself, so that no drawing has to say twice what it shows, and
// so that it is what the script reads from the page that is open (find.js
// leaves out the same elements and knows the same inline ones; a test in e2e
// compares the two).

// What is no text of the session: numbers of lines, notes of the level As sent,
// links to other pages, words for those who cannot see, and times, which a
// script makes local.
func isSkippedElement(name []byte) bool { return string(name) == "svg" || string(name) == "time" }

func isSkippedClass(word []byte) bool {
	switch string(word) {
	case "gut", "sent", "pager", "vh":
		return true
	}
	return false
}

// isInline says that an element does not end a word.
func isInline(name []byte) bool {
	switch string(name) {
	case "a", "b", "code", "del", "em", "i", "ins", "kbd", "mark", "small", "span", "strong", "sub", "sup", "u":
		return true
	}
	return false
}

// appendPageText appends the text of a page that we drew: of well-formed HTML, in
// which every "<" outside of attributes begins a tag and attributes are quoted with ".
func appendPageText(out, page []byte) []byte {
	w := textWriter{out: out}
	for {
		start := bytes.Index(page, []byte(`<section class="turn`))
		if start < 0 {
			return w.out
		}
		page = w.section(page[start:])
	}
}

// A textWriter makes every run of blanks one blank, or one line break where a
// block ends in it.
type textWriter struct {
	out     []byte
	pending byte   // what is due before the next letter: 0, ' ' or '\n'
	plain   []byte // a text without entities
}

// section takes the text of the section that page begins with, and returns what follows it.
func (w *textWriter) section(page []byte) []byte {
	for depth := 0; len(page) > 0; {
		start := bytes.IndexByte(page, '<')
		if start < 0 {
			start = len(page)
		}
		w.text(page[:start])
		if page = page[start:]; len(page) == 0 {
			break
		}
		end := tagEnd(page)
		tag := page[1:end]
		page = page[min(end+1, len(page)):]
		name := tagName(tag)
		if !isInline(name) {
			w.pending = '\n'
		}
		isEnd, isSection := bytes.HasPrefix(tag, []byte("/")), string(name) == "section"
		if isSection && !isEnd {
			depth++
		}
		if !isEnd && isSkipped(name, tag) {
			page, isEnd = behind(page, name), true
		}
		if isSection && isEnd {
			depth--
		}
		if depth == 0 {
			return page
		}
	}
	return nil
}

func (w *textWriter) text(b []byte) {
	if bytes.IndexByte(b, '&') >= 0 {
		w.plain = appendUnescaped(w.plain[:0], b)
		b = w.plain
	}
	for i := 0; i < len(b); {
		start := i
		for i < len(b) && !isBlank(b[i]) {
			i++
		}
		if i > start {
			if w.pending != 0 && len(w.out) > 0 {
				w.out = append(w.out, w.pending)
			}
			w.pending = 0
			w.out = append(w.out, b[start:i]...)
		}
		for ; i < len(b) && isBlank(b[i]); i++ {
			if w.pending == 0 {
				w.pending = ' '
			}
		}
	}
}

// appendUnescaped replaces entities: at once those that we write, as html does all others.
func appendUnescaped(out, b []byte) []byte {
	for {
		at := bytes.IndexByte(b, '&')
		if at < 0 {
			return append(out, b...)
		}
		out, b = append(out, b[:at]...), b[at:]
		end := bytes.IndexByte(b[:min(len(b), 6)], ';') + 1
		switch string(b[:end]) {
		case "&lt;":
			out = append(out, '<')
		case "&gt;":
			out = append(out, '>')
		case "&amp;":
			out = append(out, '&')
		case "&#34;":
			out = append(out, '"')
		case "&#39;":
			out = append(out, '\'')
		case "&#43;":
			out = append(out, '+')
		default:
			return append(out, html.UnescapeString(string(b))...)
		}
		b = b[end:]
	}
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' }

// tagEnd is where the tag at the start of b ends: at the first ">" that is not
// inside an attribute.
func tagEnd(b []byte) int {
	quoted := false
	for i, c := range b {
		switch {
		case c == '"':
			quoted = !quoted
		case c == '>' && !quoted:
			return i
		}
	}
	return len(b)
}

func tagName(tag []byte) []byte {
	tag = bytes.TrimPrefix(tag, []byte("/"))
	for i, c := range tag {
		if isBlank(c) || c == '/' {
			return tag[:i]
		}
	}
	return tag
}

func isSkipped(name, tag []byte) bool {
	if isSkippedElement(name) {
		return true
	}
	if len(tag) == len(name) {
		return false
	}
	_, class, ok := bytes.Cut(tag, []byte(` class="`))
	if !ok {
		return false
	}
	class, _, _ = bytes.Cut(class, []byte(`"`))
	for word := range bytes.FieldsSeq(class) {
		if isSkippedClass(word) {
			return true
		}
	}
	return false
}

// behind is what follows the end of the element name, whose start tag stands
// before page.
func behind(page, name []byte) []byte {
	end := append(append(append(make([]byte, 0, 16), "</"...), name...), '>')
	open := append(append(make([]byte, 0, 16), '<'), name...)
	for depth := 1; depth > 0; depth-- {
		at := bytes.Index(page, end)
		if at < 0 {
			return nil
		}
		for before := page[:at]; ; {
			i := bytes.Index(before, open)
			if i < 0 {
				break
			}
			if before = before[i+len(open):]; len(before) > 0 && (before[0] == '>' || isBlank(before[0])) {
				depth++
			}
		}
		page = page[at+len(end):]
	}
	return page
}
