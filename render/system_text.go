package render

import (
	"html/template"
	"strings"

	"viewer/internal/markup"
)

// textLine is a system record that says something in words.
type textLine struct {
	line
	Text template.HTML // all of it, when the line shows only the start
}

// newTextLine shows a text in a line, and opens to all of it when it is longer.
func newTextLine(e event, l line, label, s string) textLine {
	s = strings.TrimSpace(s)
	v := textLine{line: l}
	v.line.Text = label
	head := markup.Excerpt(s, 90) // with its label one line of a wide page
	if head != "" {
		v.line.Text = strings.TrimPrefix(label+" · "+head, " · ")
	}
	if v.line.Text == "" {
		v.line.Text = strings.ReplaceAll(e.Name, "_", " ")
	}
	if head != s {
		v.Text = e.d.markdown(s, e.Anchor)
	}
	return v
}
