package render

import (
	"github.com/charmbracelet/x/ansi"

	"viewer/internal/words"
)

// Numbers and short texts as views have them.
var (
	count, plural, one, short = words.Count, words.Plural, words.One, words.Short
	duration, span, size      = words.Duration, words.Span, words.Size
	dollars, percent          = words.Dollars, words.Percent
	clip, oneLine, unlisted   = words.Clip, words.Line, words.More
	millis, domain            = words.Milliseconds, words.Domain
)

// stripANSI is terminal text without its escape sequences.
func stripANSI(s string) string { return ansi.Strip(s) }
