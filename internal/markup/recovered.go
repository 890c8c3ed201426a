package markup

import (
	"sync/atomic"

	"viewer/internal/markup/highlight"
)

// recovered counts the panics of the Markdown parser.
var recovered atomic.Int64

// Recovered returns how often the Markdown parser or a scanner of code panicked. Then the text is drawn as plain text,
// or the code without classes. Tests fail unless it is 0.
func Recovered() int64 { return recovered.Load() + highlight.Recovered() }
