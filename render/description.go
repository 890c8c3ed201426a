package render

import (
	"strings"
)

// describe returns the description of a shared link to a session: how it ended, else what it was about.
func (d *pageDrawing) describe() string {
	o := Outcome{Heading: d.outcome().Heading, Text: d.outcome().Text}
	words := nonEmpty(d.outcome().Mark.String(), oneLine(o.Line(), 240))
	if len(words) < 2 {
		words = append(words, oneLine(d.outcome().Asked, 240))
	}
	return strings.Join(nonEmpty(words...), ": ")
}
