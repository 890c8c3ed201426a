package input

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"viewer/internal/notes"
)

// isNotes reports whether a file in a source has notes: viewer.notes.json or notes/*.md, in the folder or in that of a
// project.
func isNotes(p string) bool {
	switch {
	case strings.HasSuffix(p, ".md"):
		dir, _ := path.Split(p)
		dir = strings.TrimSuffix(dir, "/")
		return path.Base(dir) == notes.Folder && strings.Count(dir, "/") <= 1
	case strings.HasSuffix(p, notes.FileName):
		return path.Base(p) == notes.FileName && strings.Count(p, "/") <= 1
	}
	return false
}

// takeNotes separates files of notes from those that may belong to sessions.
func (w *walk) takeNotes() {
	w.found = slices.DeleteFunc(w.found, func(e Entry) bool {
		if !isNotes(e.Path) {
			return false
		}
		w.Source.Notes = append(w.Source.Notes, e)
		return true
	})
}

// NotesBeside finds the files of notes next to the only session of a source, or in a folder.
func (s *Source) NotesBeside() []Entry {
	var all []Entry
	add := func(p string) {
		if at, regular, err := s.StampOf(p); err == nil && regular {
			all = append(all, Entry{p, at})
		}
	}
	add(notes.FileName)
	list, err := fs.ReadDir(s.FS, notes.Folder)
	if err != nil {
		return all
	}
	for _, e := range list {
		if path.Ext(e.Name()) == ".md" {
			add(notes.Folder + "/" + e.Name())
		}
	}
	return all
}
