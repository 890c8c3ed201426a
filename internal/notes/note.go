// Package notes reads notes about sessions: notes of people in Markdown, and findings of programs in JSON, including
// those of Inspect Scout. It never opens a file and draws nothing.
//
// docs/notes.md describes the formats. Their content is as hostile as a log.
package notes

import (
	"cmp"
	"strings"

	"viewer/internal/transcript"
)

// A Note is a note of a person, or a finding of a program.
type Note struct {
	Session string // its id, the beginning of it, or the folder of its pages
	Anchor  string // of a message or a call on its pages, or the id of a record or a call; "" for the whole session
	Author  string
	Label   string // a short name for its kind, "" for none
	Text    string // Markdown
	Source  string // the name of the file
}

// Names of files that may have notes.
const (
	FileName = "viewer.notes.json"
	Folder   = "notes" // of Markdown files
)

// Read reads a file: Markdown if its name ends in .md, otherwise JSON.
func Read(name string, data []byte) ([]Note, []transcript.Problem) {
	if strings.HasSuffix(name, ".md") {
		return markdown(name, data)
	}
	return JSON(name, data)
}

// at splits the address of a page or an element, as a browser shows it, into the session and the anchor. It returns an
// id unchanged.
func at(session, anchor string) (string, string) {
	session, hash, _ := strings.Cut(strings.TrimSpace(session), "#")
	anchor = cmp.Or(strings.TrimPrefix(strings.TrimSpace(anchor), "#"), strings.TrimSpace(hash))
	if i := strings.LastIndex("/"+session, "/s/"); i >= 0 && strings.Contains(session, "/") {
		session, _, _ = strings.Cut(session[i+len("s/"):], "/")
	}
	return session, anchor
}

// problem describes what is wrong with a line of a file, 0 for the whole file.
func problem(name string, line int, text string) transcript.Problem {
	return transcript.Problem{Pos: transcript.Pos{File: name, Line: line}, Text: text}
}
