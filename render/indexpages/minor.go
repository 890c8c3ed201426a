package indexpages

import (
	"strings"

	"viewer/internal/outcome"
	"viewer/render"
)

// isMinor reports whether lists hide a session by default: it has no prompt, call or answer, or the program only warmed
// up. See docs/reading.md.
func isMinor(s *render.Summary) bool {
	return s.Totals.Tools == 0 && (s.Outcome.Mark == outcome.None ||
		s.Totals.Prompts <= 1 && strings.EqualFold(s.Outcome.Asked, "warmup"))
}
