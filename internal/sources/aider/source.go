// Package aider reads the chat history that Aider keeps in a repository: one Markdown file with all runs. It never
// opens a file.
package aider

import (
	"bytes"
	"path"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// A Source reads the chat histories of Aider.
type Source struct{ sources.Defaults }

var _ sources.Decoder = Source{}

// Writer reports that a history tells neither what the model was sent nor how most edits ended.
func (Source) Writer() transcript.Writer {
	return transcript.Writer{Name: "Aider", NotSent: true, NoResults: true}
}

const file = ".aider.chat.history.md"

// Wants accepts files with the name of a history.
func (Source) Wants(p string) bool { return path.Base(p) == file }

// Arrange returns a session for each history, named after the folder of the repository.
func (s Source) Arrange(tree *sources.Tree) []sources.Folder {
	var folders []sources.Folder
	for _, i := range tree.Named(file) {
		p := tree.Paths[i]
		if tree.Taken(i) || !tree.Matches(s, p) {
			continue
		}
		name := tree.NameOf(path.Dir(p))
		session := sources.Session{ID: name + "-aider", Log: i, Path: p}
		folders = append(folders, sources.Folder{Name: name, Sessions: []sources.Session{session}})
	}
	return folders
}

// runMark begins a run.
const runMark = "# aider chat started at "

// Match accepts files that begin with a run.
func (Source) Match(head sources.Head) bool {
	return bytes.HasPrefix(head.Trimmed(), []byte(runMark))
}

// FolderOf returns "": a history is in the working directory but does not name it.
func (Source) FolderOf([]byte) string { return "" }

// NewTranslator returns a translator for one file.
func (Source) NewTranslator() sources.Translator { return new(translator) }
