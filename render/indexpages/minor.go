package indexpages

import (
	"strings"

	"viewer/internal/outcome"
	"viewer/render"
)

// isMinor says of a session that lists hide it until somebody asks: nothing was asked, called or answered, or the
// program only warmed up. See docs/reading.md.
func isMinor(s *render.Summary) bool {
	return s.Totals.Tools == 0 && (s.Outcome.Mark == outcome.None ||
		s.Totals.Prompts <= 1 && strings.EqualFold(s.Outcome.Asked, "warmup"))
}
