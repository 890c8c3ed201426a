package render

import (
	"strings"

	"viewer/internal/words"
)

// describe returns the description of a shared link to a session: how it ended, else what it was about.
func (d *pageDrawing) describe() string {
	o := Outcome{Heading: d.outcome().Heading, Text: d.outcome().Text}
	parts := words.NonEmpty(d.outcome().Mark.String(), oneLine(o.Line(), 240))
	if len(parts) < 2 {
		parts = append(parts, oneLine(d.outcome().Asked, 240))
	}
	return strings.Join(words.NonEmpty(parts...), ": ")
}
