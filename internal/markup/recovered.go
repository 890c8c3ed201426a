package markup

import (
	"sync/atomic"

	"viewer/internal/markup/highlight"
)

// recovered counts the panics of the parser of Markdown.
var recovered atomic.Int64

// Recovered is how many times the parser of Markdown or a scanner of code panicked: a text was drawn as it is then,
// or code without classes. It is for tests, which fail unless it is 0.
func Recovered() int64 { return recovered.Load() + highlight.Recovered() }
