// Package claude reads the sessions of Claude Code: the layout of its folders, the names of its files, and the facts in
// them. Its values already are the records of package transcript. It never opens a file.
package claude

import (
	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// A Source reads the sessions of Claude Code.
type Source struct{}

var _ sources.Source = Source{}

// Writer returns the zero value.
func (Source) Writer() transcript.Writer { return transcript.Writer{} }

// Match accepts all files: those that no other source recognizes are read as logs of Claude Code, and errors are shown.
func (Source) Match(sources.Head) bool { return true }

// NewTranslator returns nil, because the values are records.
func (Source) NewTranslator() sources.Translator { return nil }
