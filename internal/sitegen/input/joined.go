package input

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"io"
	"io/fs"

	"viewer/internal/fingerprint"
	"viewer/internal/sitegen/decode"
	"viewer/internal/smallfile"
	"viewer/internal/sources"
)

// join replaces the files of each session that is kept in several by one file, see sources.Joiner.
func (w *walk) join() {
	var paths []string
	gone := make(map[int]bool)
	for _, by := range w.SourceList() {
		joiner, ok := by.(sources.Joiner)
		if !ok {
			continue
		}
		if paths == nil {
			for _, e := range w.found {
				paths = append(paths, e.Path)
			}
		}
		for _, j := range joiner.Join(paths) {
			w.joinOne(by, j, gone)
		}
	}
	if len(gone) == 0 {
		return
	}
	left := w.found[:0]
	for i, e := range w.found {
		if !gone[i] {
			left = append(left, e)
		}
	}
	w.found = left
}

// joinOne returns one file for those of a session. Its stamp changes when that of one of them does.
func (w *walk) joinOne(by sources.Source, j sources.Joined, gone map[int]bool) {
	if len(j.Files) == 0 || gone[j.Files[0]] {
		return
	}
	first := &w.found[j.Files[0]]
	if j.Extends && w.SourceList().Of(w.Head(first.Path)) != by {
		return
	}
	stamp := first.Stamp
	stamp.Size = 0
	all := make([]byte, 0, 64*len(j.Files))
	add := func(e Entry) {
		stamp.Mod, stamp.Changed = max(stamp.Mod, e.Mod), max(stamp.Changed, e.Changed)
		all = fmt.Append(all, e.Path, e.Stamp)
	}
	for _, i := range j.Files {
		add(w.found[i])
		stamp.Size += w.found[i].Size
		gone[i] = i != j.Files[0]
	}
	if len(j.Shared) > 0 {
		add(w.sharedEntry(j.Shared))
	}
	digest := fingerprint.Of(all)
	stamp.Inode = binary.BigEndian.Uint64(digest[:])
	first.Stamp = stamp
	files := w.splitFiles()
	under := files.FS
	files.writers[first.Path] = by
	files.parts[first.Path] = sources.Part{Read: func() ([]byte, error) {
		var damage error
		text, err := j.Read(func(p string) ([]byte, error) {
			data, damaged, err := readAll(under, p)
			damage = cmp.Or(damage, damaged)
			return smallfile.WithoutMark(data), err
		})
		if err == nil && damage != nil {
			err = damagedError{damage}
		}
		return text, err
	}}
}

// readAll reads a file. damage says why a compressed one ended early.
func readAll(fsys fs.FS, name string) (data []byte, damage, err error) {
	f, err := fsys.Open(name)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	data, err = io.ReadAll(f)
	return data, decode.DamageOf(f), err
}

// A damagedError says why a compressed file of a session ended early. What comes before has been read.
type damagedError struct{ error }

// sharedEntry returns one entry for files that sessions share. It is made once for all sessions with the same list.
func (w *walk) sharedEntry(files []int) Entry {
	e, ok := w.shared[&files[0]]
	if ok {
		return e
	}
	var all []byte
	for _, i := range files {
		one := w.found[i]
		e.Mod, e.Changed = max(e.Mod, one.Mod), max(e.Changed, one.Changed)
		all = fmt.Append(all, one.Path, one.Stamp)
	}
	digest := fingerprint.Of(all)
	e.Inode = binary.BigEndian.Uint64(digest[:])
	if w.shared == nil {
		w.shared = make(map[*int]Entry)
	}
	w.shared[&files[0]] = e
	return e
}

// splitFiles returns the file system of the source, which adds files that do not exist on the disk.
func (s *Source) splitFiles() *splitFiles {
	files, ok := s.FS.(*splitFiles)
	if !ok {
		files = &splitFiles{s.FS, make(map[string]sources.Part), make(map[string]sources.Source), nil}
		s.FS = files
	}
	return files
}
