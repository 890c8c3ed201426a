// Package crush reads the sessions of Crush from its databases. It never opens a file.
package crush

import (
	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// A Source reads the sessions of Crush. Its databases are in the folders of projects, so that it has no usual folder.
type Source struct{ sources.Defaults }

var _ sources.Splitter = Source{}

// Writer reports that the logs do not tell which messages a request had.
func (Source) Writer() transcript.Writer { return transcript.Writer{Name: "Crush", NotSent: true} }

// rowHead is the first member of a session from a database: its id. Its messages are on the lines after it.
const rowHead = "crushSession"

// Match accepts sessions from a database.
func (Source) Match(head sources.Head) bool { return head.Has(rowHead) }

// NewTranslator returns a translator for one file.
func (Source) NewTranslator() sources.Translator { return new(translator) }
