package render

import (
	"github.com/charmbracelet/x/ansi"

	"viewer/internal/words"
)

// Formats of numbers and short texts in views.
var (
	count, plural, short    = words.Count, words.Plural, words.Short
	duration, span, size    = words.Duration, words.Span, words.Size
	dollars                 = words.Dollars
	clip, oneLine, unlisted = words.Clip, words.Line, words.More
	millis, domain          = words.Milliseconds, words.Domain
)

// stripANSI returns terminal text without its escape sequences.
func stripANSI(s string) string { return ansi.Strip(s) }
