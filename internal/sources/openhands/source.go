// Package openhands reads the conversations of OpenHands since version 1: a folder with the state of a conversation and
// a file for each event. It never opens a file.
package openhands

import (
	"strings"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// A Source reads the conversations of OpenHands.
type Source struct{ sources.Defaults }

var _ sources.Joiner = Source{}

// Writer reports that the logs do not tell which messages a request had.
func (Source) Writer() transcript.Writer { return transcript.Writer{Name: "OpenHands", NotSent: true} }

// headMember is the first member of the first line that Join writes: the id of the conversation.
const headMember = "openhandsConversation"

// Match accepts conversations that Join read, and events, one on each line.
func (Source) Match(head sources.Head) bool {
	if head.Has(headMember) {
		return true
	}
	kind := transcript.String(head.Value("kind"))
	return head.Has("source") && head.Has("timestamp") && !head.Has("type", "uuid") &&
		(strings.HasSuffix(kind, "Event") || kind == "Condensation")
}

// Folders returns the folder of conversations that a variable names, or that in the folder of the program.
func (Source) Folders(getenv func(string) string, home string) []string {
	if dir := getenv("OPENHANDS_CONVERSATIONS_DIR"); transcript.IsAbsolute(dir) {
		return []string{dir}
	}
	dir := getenv("OPENHANDS_PERSISTENCE_DIR")
	if !transcript.IsAbsolute(dir) {
		if home == "" {
			return nil
		}
		dir = home + "/.openhands"
	}
	return []string{strings.TrimRight(dir, `/\`) + "/conversations"}
}

// NewTranslator returns a translator for one conversation.
func (Source) NewTranslator() sources.Translator { return new(translator) }
