package input

import (
	"encoding/binary"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"viewer/internal/failure"
	"viewer/internal/fingerprint"
	"viewer/internal/sitegen/decode"
	"viewer/internal/smallfile"
	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// listArchive lists the files of an archived folder, including sessions of which it only has the prompts.
func (s *Source) listArchive() ([]Entry, []transcript.Problem, error) {
	w := walk{Source: s}
	for _, p := range s.Archive.Paths {
		r := s.Archive.Record(p)
		if r.Beside || !s.wants(p) {
			continue
		}
		at := fingerprint.Stamp{Size: r.Size, Mod: r.Mod, Inode: binary.BigEndian.Uint64(r.Sum[:])}
		w.found = append(w.found, Entry{p, decode.StampWithJournal(s.FS, p, at)})
	}
	w.takeNotes()
	w.split()
	w.join()
	w.addPrompts()
	return w.found, w.problems, nil
}

// outsideArchive returns the parent of an archived folder, nil if nothing in it was archived.
func (s *Source) outsideArchive() *Source {
	around := s.Archive.Around()
	if around == nil {
		return nil
	}
	above := func(name string) string { return name[:max(0, strings.LastIndexAny(name, `/\`))] } // or in a bucket
	return &Source{Name: above(s.Name), ID: above(s.ID), Archive: around, FS: decode.FS{FS: around}}
}

// addPrompts makes logs from the prompts of sessions without a log.
func (w *walk) addPrompts() {
	outer := w.outsideArchive()
	if outer == nil {
		return
	}
	known := make(map[string]bool, len(w.found))
	for _, e := range w.found {
		known[sources.Stem(e.Path)] = true
	}
	n := len(w.found)
	for _, by := range w.SourceList() {
		writer, ok := by.(sources.FilesAround)
		if !ok {
			continue
		}
		for _, name := range writer.Around(w.Base()) {
			name = strings.TrimPrefix(name, "../")
			r := outer.Archive.Record(name)
			if r == nil {
				continue
			}
			var data []byte
			err := fmt.Errorf("it is larger than %d MB, so its prompts are not read", smallfile.MaxSize>>20)
			if r.Size <= smallfile.MaxSize {
				data, err = fs.ReadFile(outer.FS, name)
			}
			if err != nil {
				w.problems = append(w.problems, transcript.Problem{
					Pos:  transcript.Pos{File: filepath.ToSlash(outer.Name) + "/" + name},
					Text: failure.Cause(err).Error(),
				})
				continue
			}
			files := w.splitFiles()
			data = smallfile.WithoutMark(data)
			for _, log := range writer.Prompts(name, data, func(id string) bool { return known[id] }) {
				at := fingerprint.Stamp{Size: int64(len(log.Log)), Mod: r.Mod}
				if !log.Last.IsZero() {
					at.Mod = log.Last.UnixNano()
				}
				digest := fingerprint.OfContent(log.Log)
				at.Inode = binary.BigEndian.Uint64(digest[:])
				files.parts[log.Path] = sources.Part{
					Size: at.Size, Changed: log.Last, Read: func() ([]byte, error) { return log.Log, nil },
				}
				w.found = append(w.found, Entry{log.Path, at})
			}
		}
	}
	if len(w.found) > n {
		slices.SortFunc(w.found, func(a, b Entry) int { return strings.Compare(a.Path, b.Path) })
	}
}

// Outside returns the parent folder of a source, or nil when it cannot be read.
func (s *Source) Outside() *Source {
	if s.Archive != nil {
		return s.outsideArchive()
	}
	root, err := os.OpenRoot(filepath.Dir(s.Root.Name()))
	if err != nil {
		return nil
	}
	return &Source{Name: root.Name(), ID: filepath.Dir(s.ID), FS: newRootFS(root), Root: root}
}
