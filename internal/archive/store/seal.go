package store

import (
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"time"

	"viewer/internal/archive"
	"viewer/internal/failure"
)

// A Sealed is a seal in the folder of an archive.
type Sealed struct {
	archive.Seal
	File      string // its path
	Signature string // that of its signature, "" for none
	Err       error  // why it is none, or of something else
}

// Seals are those of the archive, the newest last.
func (a *Archive) Seals() ([]Sealed, error) {
	names, err := fs.Glob(a.root.FS(), archive.SealDir+"/*.seal")
	if err != nil {
		return nil, err
	}
	var all []Sealed
	for _, name := range names {
		text, err := a.root.ReadFile(name)
		if err != nil {
			return nil, failure.New(a.failed("reading", name, err), "check that the archive can be read")
		}
		s := Sealed{File: a.path(name)}
		if s.Seal, s.Err = archive.ReadSeal(text); s.Err == nil {
			s.Err = a.Check(s.Seal)
		}
		if s.Err == nil && path.Base(s.Path()) != path.Base(name) {
			s.Err = fmt.Errorf("it is one of %d records", s.Records)
		}
		if _, err := a.root.Stat(name + ".sig"); err == nil {
			s.Signature = a.path(name + ".sig")
		}
		all = append(all, s)
	}
	return all, nil
}

func (a *Archive) path(name string) string { return filepath.Join(a.name, filepath.FromSlash(name)) }

// Seal writes what is to be signed of the archive as it is now, and gives its file; "" where that is signed already.
func (w *Writer) Seal(now time.Time) (string, error) {
	if err := w.Flush(); err != nil {
		return "", err
	}
	s := archive.Seal{Records: w.Chain.Records, Last: w.Chain.Last, Time: now}
	if _, err := w.root.Stat(s.Path() + ".sig"); err == nil {
		return "", nil
	}
	text := s.Text()
	err := w.root.MkdirAll(archive.SealDir, 0o700)
	if err == nil {
		err = w.root.WriteFile(s.Path()+".part", text, 0o600)
	}
	if err == nil {
		err = w.root.Rename(s.Path()+".part", s.Path())
	}
	if err != nil {
		return "", w.unwritten(s.Path(), err)
	}
	w.Written += int64(len(text))
	return w.path(s.Path()), nil
}
