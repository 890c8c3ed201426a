package markup

// Temporary: minimal bodies so that others compile; remove this file when the real ones are there.

import (
	"html"
	"html/template"
	"strconv"
	"strings"
)

func Markdown(text, anchor string) template.HTML { return template.HTML("<p>" + html.EscapeString(text) + "</p>") }
func Code(src, lang string) template.HTML        { return template.HTML(html.EscapeString(src)) }
func ANSI(text string) template.HTML             { return template.HTML(html.EscapeString(text)) }
func Text(text string) template.HTML             { return template.HTML(html.EscapeString(text)) }

type Hunk struct {
	OldStart, NewStart int
	Lines              []string
}

func Edits(old, new string) []Hunk { return nil }
func Diff(hunks []Hunk, lang string) (template.HTML, string) {
	var b, g strings.Builder
	for _, h := range hunks {
		for _, l := range h.Lines {
			b.WriteString(html.EscapeString(l) + "\n")
			g.WriteString("1\n")
		}
	}
	return template.HTML(b.String()), g.String()
}
func Numbers(first, n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strconv.Itoa(first+i) + "\n")
	}
	return b.String()
}
func Lines[T ~string](s T) int {
	return strings.Count(strings.TrimSuffix(string(s), "\n"), "\n") + 1
}
func Cut(h template.HTML, n int) (head, rest template.HTML) {
	a, b := CutText(string(h), n)
	return template.HTML(a), template.HTML(b)
}
func CutText(s string, n int) (head, rest string) {
	i := 0
	for ; n > 0; n-- {
		j := strings.IndexByte(s[i:], '\n')
		if j < 0 {
			return s, ""
		}
		i += j + 1
	}
	return strings.TrimSuffix(s[:i], "\n"), s[i:]
}
func Excerpt(text string, n int) string {
	s := strings.Join(strings.Fields(text), " ")
	if r := []rune(s); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return s
}
func Link(target string) string {
	if strings.HasPrefix(target, "https://") || strings.HasPrefix(target, "http://") {
		return target
	}
	return ""
}
