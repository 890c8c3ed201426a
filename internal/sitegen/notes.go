package sitegen

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
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

// NoteFiles lists files of notes and findings outside of the sources.
type NoteFiles struct {
	Off     bool     // draw no notes, not even those in sources
	Folders []string // folders that may have viewer.notes.json, and a folder notes with Markdown files
	Files   []string // files in JSON, or in Markdown if the name ends in .md
	Placed  bool     // leave out notes about sessions that are not in the site
	Written string   // another file, which need not exist yet; "" for none
}

// Paths returns the files and folders that may change.
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
func (v *survey) readNotes() ([]notes.Note, error) {
	if len(v.noteFiles) == 0 {
		return nil, nil
	}
	var all []notes.Note
	c := v.options.newRedactor()
	for i := range v.noteFiles {
		f := &v.noteFiles[i]
		shown := v.options.nameOf(c, *f)
		data, err := f.readNotes()
		if failure.Exhausted(err) {
			return nil, failure.New(err, "")
		}
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
	return all, nil
}

// readNotes reads a file of notes, unless it is too large.
func (f *file) readNotes() ([]byte, error) {
	if f.Size > smallfile.MaxSize {
		return nil, f.failed(fmt.Errorf("it is larger than %d MB", smallfile.MaxSize>>20))
	}
	return f.read()
}

// assignNotes assigns each note to its session. It returns the notes without a session.
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
				ids = slices.Sorted(maps.Keys(byID))
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

// shortestBegin is the minimum length of the beginning of an id.
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

// notesKey returns the encoded notes about a session, for its key; nil for none.
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

// redactedNotes returns redacted copies of notes.
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

// addNotesOfEmpty lists notes about sessions without a page on the first page.
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

// lostNotes returns notes without a session, for the first page of the site. With a filter there are none.
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
