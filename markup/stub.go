package markup

// Temporary: minimal bodies so that others compile; remove this file when the real ones are there.

import (
	"html"
	"html/template"
	"strings"
)

func Markdown(text, anchor string) template.HTML {
	return template.HTML("<p>" + html.EscapeString(text) + "</p>")
}

func Excerpt(text string, n int) string {
	s := strings.Join(strings.Fields(text), " ")
	if r := []rune(s); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return s
}
