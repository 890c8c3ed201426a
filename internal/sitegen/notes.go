package sitegen

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"viewer/internal/codec"
	"viewer/internal/failure"
	"viewer/internal/fingerprint"
	"viewer/internal/notes"
	"viewer/internal/sitegen/input"
	"viewer/internal/smallfile"
	"viewer/render"
)

// NoteFiles says where notes and findings are besides the sources.
type NoteFiles struct {
	Off     bool     // no notes are drawn, not even those in sources
	Folders []string // may have viewer.notes.json, and a folder notes with Markdown files
	Files   []string // each is JSON, or Markdown if its name ends in .md
	Placed  bool     // those about sessions that the site does not have are left out
	Written string   // one more, which somebody is going to write: it need not exist; "" for none
}

// Paths are the files and folders that may change.
func (n NoteFiles) Paths() []string {
	if n.Off {
		return nil
	}
	all := n.files()
	for _, dir := range n.Folders {
		all = append(all, filepath.Join(dir, notes.FileName), filepath.Join(dir, notes.Folder))
	}
	return all
}

func (n NoteFiles) files() []string {
	if n.Written == "" {
		return slices.Clone(n.Files)
	}
	return append(slices.Clone(n.Files), n.Written)
}

// findNotes finds the files of notes in the sources and elsewhere. Each counts once.
func (v *survey) findNotes() error {
	n := v.options.Notes
	if n.Off || v.planned != nil || v.options.Sample != nil {
		return nil
	}
	seen := make(map[string]bool)
	add := func(src *input.Source, entries []input.Entry) {
		for _, e := range entries {
			f := newFile(src, e.Path, e.Stamp)
			f.scanned = new(scanResult)
			if full := filepath.Join(src.Folder(), filepath.FromSlash(e.Path)); !seen[full] {
				seen[full] = true
				v.noteFiles = append(v.noteFiles, f)
			}
		}
	}
	for _, src := range v.sources {
		add(src, src.Notes)
	}
	for _, dir := range n.Folders {
		src, err := input.OpenPath(dir)
		if err != nil {
			continue // there may be none
		}
		v.around = append(v.around, src)
		add(src, src.NotesBeside())
	}
	for _, name := range n.files() {
		src, err := input.OpenPath(name)
		if errors.Is(err, fs.ErrNotExist) && name == n.Written {
			continue
		}
		if err == nil && src.Only == "" {
			src.Close()
			err = fmt.Errorf("reading %s: it is a folder", name)
		}
		if err != nil { // it names the file
			return failure.New(err, "give a file of notes or findings")
		}
		v.around = append(v.around, src)
		if at, regular, err := src.StampOf(src.Only); err == nil && regular {
			add(src, []input.Entry{{Path: src.Only, Stamp: at}})
		}
	}
	return nil
}

// readNotes reads the files of notes.
func (v *survey) readNotes() []notes.Note {
	if len(v.noteFiles) == 0 {
		return nil
	}
	var all []notes.Note
	c := v.options.newRedactor()
	for i := range v.noteFiles {
		f := &v.noteFiles[i]
		shown := v.options.nameOf(c, *f)
		data, err := f.readNotes()
		if err != nil {
			v.problems = append(v.problems, v.options.unreadable(*f, err))
			continue
		}
		f.scanned.content = fingerprint.OfContent(data)
		some, problems := notes.Read(shown, data)
		all = append(all, some...)
		for _, p := range problems {
			p.Text = c.Text(p.Text)
			v.problems = append(v.problems, p)
		}
	}
	return all
}

// readNotes reads a file of notes, which people or programs write: one that is too large is not read.
func (f *file) readNotes() ([]byte, error) {
	if f.Size > smallfile.Most {
		return nil, f.failed(fmt.Errorf("it has more than %d MB", smallfile.Most>>20))
	}
	return f.read()
}

// assignNotes gives each note to its session. It returns the notes about sessions that are not there.
func assignNotes(projects []*project, all []notes.Note) (left []notes.Note) {
	if len(all) == 0 {
		return nil
	}
	byID := make(map[string]*session)
	for _, p := range projects {
		for _, s := range p.sessions {
			for _, id := range []string{s.folder, s.id, s.main.facts().SessionID} {
				if byID[id] == nil && id != "" {
					byID[id] = s
				}
			}
		}
	}
	var ids []string // sorted when they are needed first
	for _, n := range all {
		s := byID[n.Session]
		if s == nil {
			if ids == nil {
				for id := range byID {
					ids = append(ids, id)
				}
				slices.Sort(ids)
			}
			s = onlyBegunBy(byID, ids, n.Session)
		}
		if s == nil {
			left = append(left, n)
			continue
		}
		s.notes = append(s.notes, n)
	}
	return left
}

// shortestBegin is how many characters of an id name a session.
const shortestBegin = 6

// onlyBegunBy returns the session whose id begins with a text, nil where there are none or several.
func onlyBegunBy(byID map[string]*session, ids []string, begin string) *session {
	if len(begin) < shortestBegin {
		return nil
	}
	var found *session
	i, _ := slices.BinarySearch(ids, begin)
	for ; i < len(ids) && strings.HasPrefix(ids[i], begin); i++ {
		if found != nil && byID[ids[i]] != found {
			return nil
		}
		found = byID[ids[i]]
	}
	return found
}

// notesKey stands for the notes about a session, nil for none.
func (s *session) notesKey() []byte {
	if len(s.notes) == 0 {
		return nil
	}
	var e codec.Encoder
	for _, n := range s.notes {
		e.Text(n.Session, n.Anchor, n.Author, n.Label, n.Text, n.Source)
	}
	return e
}

// redactedNotes takes out of notes what is taken out of the session.
func redactedNotes(all []notes.Note, redact func(string) string) []notes.Note {
	if redact == nil || len(all) == 0 {
		return all
	}
	all = slices.Clone(all)
	for i := range all {
		n := &all[i]
		for _, text := range []*string{&n.Session, &n.Anchor, &n.Author, &n.Label, &n.Text} {
			*text = redact(*text)
		}
	}
	return all
}

// addNotesOfEmpty has the first page list the notes about sessions that have no page.
func (b *builder) addNotesOfEmpty(results []result) {
	i := 0
	for _, p := range b.projects {
		for _, s := range p.sessions {
			if len(s.notes) > 0 && results[i].Session.Empty {
				b.lost = append(b.lost, s.notes...)
			}
			i++
		}
	}
}

// lostNotes are notes that no session shows, as the first page of the site lists them. A filter that leaves out
// sessions leaves out these, too.
func (b *builder) lostNotes(left []notes.Note, results []result) []render.LostNote {
	if len(left) == 0 || b.Options.Notes.Placed || !b.Filter.everything() {
		return nil
	}
	pages := make(map[string]string)
	for i := range results {
		if s := results[i].summary(); !s.Empty {
			pages[s.ID], pages[s.Folder] = s.Path(), s.Path()
		}
	}
	var all []render.LostNote
	for i, n := range redactedNotes(left, b.newRedactor().Text) {
		all = append(all, render.LostNote{Note: n, Page: cmp.Or(pages[left[i].Session], pages[n.Session])})
	}
	return all
}
