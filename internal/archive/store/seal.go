package store

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"viewer/internal/archive"
	"viewer/internal/failure"
)

// A Sealed is a seal of an archive.
type Sealed struct {
	archive.Seal
	File      string // for messages
	Signature []byte // nil for none
	Err       error  // why it is invalid, or does not match the archive
}

// SignatureFile returns the file of the signature, for messages.
func (s *Sealed) SignatureFile() string { return s.File + signatureExt }

const signatureExt = ".sig"

// Seals returns the seals of the archive, the newest last.
func (a *Archive) Seals() ([]Sealed, error) {
	names, err := a.place.list(archive.SealDir)
	if err != nil {
		return nil, failure.New(a.failed("reading", archive.SealDir, err), "check that the archive can be read")
	}
	var all []Sealed
	for _, name := range names {
		if path.Ext(name) != ".seal" || strings.Count(name, "/") != 1 {
			continue
		}
		text, err := a.place.read(name)
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
		if slices.Contains(names, name+signatureExt) {
			if s.Signature, err = a.place.read(name + signatureExt); err != nil {
				err = a.failed("reading", name+signatureExt, err)
				return nil, failure.New(err, "check that the archive can be read")
			}
		}
		all = append(all, s)
	}
	return all, nil
}

// Seal seals the archive as it is now, unless that is done already. Sign gets the text of the seal, and returns its
// signature. If it fails, there is no seal.
func (w *Writer) Seal(now time.Time, sign func(seal []byte) ([]byte, error)) error {
	if err := w.Flush(); err != nil {
		return err
	}
	s := archive.Seal{Records: w.Chain.Records, Last: w.Chain.Last, Time: now}
	if there, err := w.place.read(s.Path() + signatureExt); err == nil && len(there) > 0 {
		return nil
	}
	text := s.Text()
	signature, err := sign(text)
	if err != nil {
		return err
	}
	if err := w.place.write(s.Path(), text); err != nil {
		return w.unwritten(s.Path(), err)
	}
	if err := w.place.write(s.Path()+signatureExt, signature); err != nil {
		return w.unwritten(s.Path()+signatureExt, err)
	}
	w.Written += int64(len(text) + len(signature))
	return nil
}
