package markup

import (
	"html/template"
	"strings"
)

// Half of what is said in transcripts has no markup at all: "Now the tests.".
// It is drawn without being parsed, at fifty times the speed.

// markupBytes may mean something in Markdown wherever they stand, or are drawn in
// another way than as they are.
var markupBytes = func() (t [256]bool) {
	for c := range 0x20 {
		t[c] = c != '\n'
	}
	for _, c := range []byte("*_`[]<>&\\~|#@\x7f") {
		t[c] = true
	}
	return
}()

// isPlain reports whether s, which has been through newlines, is paragraphs of
// plain text to Markdown: no byte of markup, no line that begins with anything
// but a letter, no blanks at the ends of lines, nothing that looks like a link.
func isPlain(s string) bool {
	last := byte('\n')
	for i := range len(s) {
		c := s[i]
		if markupBytes[c] {
			return false
		}
		switch last {
		case '\n':
			if c < 0x80 && c|0x20 < 'a' && c != '\n' && c != '(' && c != '"' || c|0x20 > 'z' && c < 0x80 {
				return false
			}
		case ' ':
			if c == '\n' {
				return false
			}
		}
		last = c
	}
	return last != ' ' && !strings.Contains(s, "://") && !strings.Contains(s, "www.")
}

// drawPlain draws what isPlain holds for.
func drawPlain(s string) template.HTML {
	var b strings.Builder
	b.Grow(len(s) + 64)
	for s = strings.Trim(s, "\n"); s != ""; s = strings.TrimLeft(s, "\n") {
		paragraph := s
		if i := strings.Index(s, "\n\n"); i >= 0 {
			paragraph = s[:i]
		}
		s = s[len(paragraph):]
		b.WriteString("<p>")
		escapeValid(&b, paragraph, false)
		b.WriteString("</p>\n")
	}
	return template.HTML(b.String())
}
