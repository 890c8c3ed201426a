// Package continuedev reads the sessions of Continue and of its command line: one JSON document a session. It never
// opens a file.
package continuedev

import (
	"bytes"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// A Source reads the sessions of Continue.
type Source struct{ sources.Defaults }

var _ sources.Source = Source{}

// Writer reports that sessions do not tell what the model was sent.
func (Source) Writer() transcript.Writer { return transcript.Writer{Name: "Continue", NotSent: true} }

// Arrange marks the list of sessions as not being a session. The content of the other files tells which are sessions.
func (Source) Arrange(tree *sources.Tree) []sources.Folder {
	if tree.Only == "" {
		tree.LeaveNamed("sessions.json")
	}
	return nil
}

// Match accepts documents with the id of a session and its history.
func (Source) Match(head sources.Head) bool {
	if bytes.HasPrefix(head.Trimmed(), []byte("[")) {
		return false
	}
	id, known := false, false
	for name, value := range head.Members() {
		switch name {
		case "sessionId":
			id = true
		case "history", "workspaceDirectory":
			known = true
			if name == "history" && value == nil { // the id may come after it
				id = id || head.Contains(`"contextItems"`)
			}
		case "type", "role", "uuid", "projectHash", "messages":
			return false
		}
		if id && known {
			return true
		}
	}
	return false
}

// FolderOf returns the folder that was open.
func (Source) FolderOf(head []byte) string {
	return sources.FilePath(sources.FirstString(head, "workspaceDirectory"))
}

// Folders returns the folder below $CONTINUE_GLOBAL_DIR, or below .continue in the home folder.
func (Source) Folders(getenv func(string) string, home string) []string {
	dir := getenv("CONTINUE_GLOBAL_DIR")
	if dir == "" && home != "" {
		dir = home + "/.continue"
	}
	if dir == "" {
		return nil
	}
	return []string{dir + "/sessions"}
}

// NewTranslator returns a translator for one file.
func (Source) NewTranslator() sources.Translator { return new(translator) }
