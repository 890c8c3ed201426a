// Package amp reads the threads of Amp: one JSON document a thread, rewritten as a whole. It never opens a file.
package amp

import (
	"strings"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// A Source reads the threads of Amp.
type Source struct{ sources.Defaults }

var _ sources.Source = Source{}

// Writer reports that threads do not tell what the model was sent.
func (Source) Writer() transcript.Writer { return transcript.Writer{Name: "Amp", NotSent: true} }

// Match accepts documents with the id of a thread, its version and messages.
func (Source) Match(head sources.Head) bool {
	thread, known := false, false
	for name, value := range head.Members() {
		switch name {
		case "id":
			thread = strings.HasPrefix(transcript.String(value), "T-")
		case "v", "created", "messages", "agentMode":
			known = true
		case "type", "role", "uuid", "sessionId":
			return false
		}
		if thread && known {
			return true
		}
	}
	return false
}

// FolderOf returns "", because the folder comes at the end of a thread.
func (Source) FolderOf([]byte) string { return "" }

// Folders returns the folder below $AMP_DATA_HOME, below $XDG_DATA_HOME, or below the data folder in the home folder.
func (Source) Folders(getenv func(string) string, home string) []string {
	dir := getenv("AMP_DATA_HOME")
	if data := getenv("XDG_DATA_HOME"); dir == "" && data != "" {
		dir = data + "/amp"
	}
	if dir == "" && home != "" {
		dir = home + "/.local/share/amp"
	}
	if dir == "" {
		return nil
	}
	return []string{dir + "/threads"}
}

// NewTranslator returns a translator for one file.
func (Source) NewTranslator() sources.Translator { return new(translator) }
