package input

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"viewer/internal/fingerprint"
	"viewer/internal/sitegen/decode"
	"viewer/internal/sources"
	"viewer/internal/storage"
	"viewer/internal/transcript"
)

// splitFiles is the file system of a source. A file with many sessions is a folder in it, and each of its sessions a
// file, see sources.Splitter.
type splitFiles struct {
	fs.FS
	parts   map[string]sources.Part   // by path
	writers map[string]sources.Source // sources of the parts, by path
	held    []io.Closer               // open files that parts are read from
}

func (s *splitFiles) Open(name string) (fs.File, error) {
	p, ok := s.parts[name]
	if !ok {
		return s.FS.Open(name)
	}
	if p.Size > decode.MaxRead { // rows of a damaged database may share their bytes
		return nil, &fs.PathError{Op: "reading", Path: name, Err: decode.ErrTooLarge}
	}
	data, err := p.Read()
	damage, isDamaged := errors.AsType[damagedError](err)
	if err != nil && !isDamaged {
		return nil, &fs.PathError{Op: "reading", Path: name, Err: err}
	}
	info := storage.Info{Object: storage.Object{Name: name, Size: int64(len(data)), Modified: p.Changed}}
	return partFile{bytes.NewReader(data), info, damage.error}, nil
}

func (s *splitFiles) close() {
	for _, f := range s.held {
		f.Close()
	}
}

// split replaces files that hold many sessions by these sessions.
func (w *walk) split() {
	if w.KeepList {
		w.Listed = slices.Clone(w.found) // join changes the list
	}
	var entries []Entry
	for i, e := range w.found {
		parts := w.partsOf(e)
		if len(parts) > 0 && entries == nil {
			entries = append(entries, w.found[:i]...)
		}
		if len(parts) > 0 {
			entries = append(entries, parts...)
		} else if entries != nil {
			entries = append(entries, e)
		}
	}
	if entries != nil {
		w.found = entries
	}
}

// Arranged replaces files that hold many sessions by these sessions, and joins the files of each session in several.
func (s *Source) Arranged(files []Entry) ([]Entry, []transcript.Problem) {
	w := walk{Source: s, found: files}
	w.split()
	w.join()
	return w.found, w.problems
}

// splitFile finds the sessions in a file. The file stays open if there are any.
func (s *Source) splitFile(p string) (by sources.Source, parts []sources.Part, held io.Closer, err error) {
	f, err := s.FS.Open(p)
	if err != nil {
		return nil, nil, nil, nil // reading it reports the error
	}
	at, ok := f.(io.ReaderAt)
	info, failed := f.Stat()
	if ok && failed == nil {
		by, parts, err = s.SourceList().Split(p, p == s.Only, at, info.Size())
	}
	if len(parts) == 0 {
		f.Close()
		return nil, nil, nil, err
	}
	return by, parts, f, err
}

// holdsSessions reports whether a file holds sessions, see sources.Splitter.
func (s *Source) holdsSessions(p string) bool {
	_, parts, held, _ := s.splitFile(p)
	if len(parts) > 0 {
		held.Close()
	}
	return len(parts) > 0
}

// partsOf returns the sessions in a file, or none if it does not hold many.
func (w *walk) partsOf(e Entry) []Entry {
	if e.Path != w.Only && !w.SourceList().MayHold(e.Path) {
		return nil
	}
	by, parts, held, err := w.splitFile(e.Path)
	if err != nil {
		w.problem(e.Path, err)
	}
	if len(parts) == 0 {
		return nil
	}
	s := w.splitFiles()
	s.held = append(s.held, held)
	entries := make([]Entry, len(parts))
	for i, p := range parts {
		name := sources.PartPath(e.Path, p.Name)
		s.parts[name], s.writers[name] = p, by
		entries[i] = Entry{name, partStamp(p, e.Stamp)}
	}
	return entries
}

// partStamp returns the stamp of a part. Its inode changes whenever the part may have changed, so that the part is read
// as a whole.
func partStamp(p sources.Part, of fingerprint.Stamp) fingerprint.Stamp {
	s := fingerprint.Stamp{Size: min(max(p.Size, 0), decode.MaxRead), Mod: of.Mod, Inode: p.Version}
	if !p.Changed.IsZero() {
		s.Mod = p.Changed.UnixNano()
	}
	if p.Version == 0 {
		d := fingerprint.Of(fmt.Append(nil, of))
		s.Changed = of.Changed
		for _, b := range d[:8] {
			s.Inode = s.Inode<<8 | uint64(b)
		}
	}
	return s
}

// WritersOfParts returns the sources of the parts, by path.
func (s *Source) WritersOfParts() map[string]sources.Source {
	if split, ok := s.FS.(*splitFiles); ok {
		return split.writers
	}
	return nil
}

// IsPart reports whether a file of a source is a session in a file with others.
func (s *Source) IsPart(p string) bool { return s.WritersOfParts()[p] != nil }

// A partFile is a part in memory.
type partFile struct {
	*bytes.Reader
	info   storage.Info
	damage error // see decode.DamageOf
}

func (f partFile) Damage() error              { return f.damage }
func (f partFile) Stat() (fs.FileInfo, error) { return f.info, nil }
func (f partFile) Close() error               { return nil }

// SplitPart splits the path of a session in a file with others. A file takes the place of a folder in such a path.
func SplitPart(name string) (file, part string, ok bool) {
	file, part = filepath.Split(filepath.Clean(name))
	file = strings.TrimRight(file, string(filepath.Separator))
	if file == "" || part == "" {
		return "", "", false
	}
	info, err := os.Stat(file)
	return file, part, err == nil && info.Mode().IsRegular()
}
