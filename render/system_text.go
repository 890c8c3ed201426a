package render

import (
	"html/template"
	"strings"

	"viewer/internal/markup"
)

// textLine is a system record with a text.
type textLine struct {
	line
	Text template.HTML // all of it, if the line shows only the beginning
}

// newTextLine shows a text on a line, which unfolds all of it if it is longer.
func newTextLine(e event, l line, label, s string) textLine {
	s = strings.TrimSpace(s)
	v := textLine{line: l}
	v.line.Text = label
	head := markup.Excerpt(s, 90) // fits on one line of a wide page with its label
	if head != "" {
		v.line.Text = strings.TrimPrefix(label+dot+head, dot)
	}
	if v.line.Text == "" {
		v.line.Text = strings.ReplaceAll(e.Name, "_", " ")
	}
	if head != s {
		v.Text = e.d.markdown(s, e.Anchor)
	}
	return v
}
