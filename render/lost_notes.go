package render

import (
	"strconv"

	"viewer/internal/markup"
	"viewer/internal/notes"
	"viewer/render/page"
)

// A LostNote is a note about a session that is not in the site, or whose pages cannot be drawn again.
type LostNote struct {
	notes.Note
	Page string // of the session, "" for none
}

// LostNotesOf lists notes without a session.
func LostNotesOf(all []LostNote, root string) *NotesView {
	if len(all) == 0 {
		return nil
	}
	v := &NotesView{Title: "Notes on sessions that are not here"}
	size := 0
	for i, n := range all {
		if i == maxPageNotes || size > maxNoteHTML {
			v.Left = "and " + count(len(all)-i) + " more, from " + oneLine(n.Source, 120) + " on"
			break
		}
		one := noteView{ID: "notes-lost-" + strconv.Itoa(i+1), Label: oneLine(n.Label, maxNoteLabel),
			Author: oneLine(n.Author, maxNoteAuthor), Source: oneLine(n.Source, 120)}
		text := cutBytes(n.Text, minText)
		if one.HTML = markup.Markdown(text, one.ID); len(text) < len(n.Text) {
			one.Cut = "The rest of it is in " + one.Source + "."
		}
		size += len(one.HTML)
		if n.Page != "" {
			one.At = &page.Link{Href: root + n.Page, Text: oneLine(n.Session, 60)}
		} else {
			one.Lost = oneLine(n.Session, 60)
		}
		v.List = append(v.List, one)
	}
	return v
}
