package state

import (
	"errors"
	"io/fs"

	"viewer/internal/codec"
	"viewer/internal/failure"
	"viewer/internal/fingerprint"
	"viewer/internal/sitegen/output"
)

const filesMagic = "viewer state 6\n"

// Read reads the small file of the last build. ReadSessions reads the large one, if there is something to build.
func Read(o *output.Writer, base fingerprint.Digest) *State {
	s := New(base)
	data, sum, err := readFile(o, FilesName, filesMagic)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			s.Unusable = unusable(failure.Cause(err))
		}
		return s
	}
	old, err := decodeFiles(data)
	if err == nil {
		old.disk.files, old.disk.size = sum, int64(len(data))
		err = old.readUpdates(o)
	}
	if err != nil {
		s.Unusable = unusable(err)
		return s
	}
	s.Outputs, s.disk = old.Outputs, old.disk // to be removed when they are not made again, whichever program made them
	if old.Base != base {
		return s
	}
	s.Files, s.Report = old.Files, old.Report
	return s
}

// Write writes the state for the next build: as an update, if before is the complete state in the folder, otherwise as
// two files. A build that is killed between the two leaves an older small file.
func (s *State) Write(o *output.Writer, before *State) error {
	if done, err := s.update(o, before); done || err != nil {
		return err
	}
	if err := s.writeSegments(o, before); err != nil {
		return err
	}
	s.Segments = nil
	return s.writeBoth(o, func(w *stream) error {
		s.encodeSessions(w)
		return nil
	}, func(w *stream, sessions fingerprint.Digest) error {
		s.encodeFiles(w, sessions)
		return nil
	})
}

// writeBoth writes the two files.
func (s *State) writeBoth(
	o *output.Writer, large func(*stream) error, small func(w *stream, sessions fingerprint.Digest) error,
) error {
	s.disk = nil
	var failed error
	sessions, size, err := writeFile(o, SessionsName, func(w *stream) { failed = large(w) })
	if err = errors.Join(err, failed); err != nil {
		o.Discard(SessionsName)
		return err
	}
	disk := &diskState{base: s.Base, sessions: sessions, size: size}
	disk.files, size, err = writeFile(o, FilesName, func(w *stream) { failed = small(w, sessions) })
	if err = errors.Join(err, failed); err != nil {
		o.Discard(SessionsName)
		return err
	}
	disk.size += size
	for _, name := range []string{SessionsName, FilesName} {
		if err == nil {
			err = o.Commit(name)
		} else {
			o.Discard(name)
		}
	}
	if err != nil {
		return err
	}
	o.RemoveUnlisted(UpdatesName) // remaining updates name other files
	s.disk = disk
	s.markStored()
	return nil
}

// WriteFiles writes the changes of SetFile to a state that was read.
func (s *State) WriteFiles(o *output.Writer) error {
	if s.disk == nil {
		return nil // the next build that changes something writes all
	}
	return s.updateFiles(o)
}

// encodeFiles writes the small file, in any order, because its times of files differ with each build anyway. It names
// the large file by its checksum.
func (s *State) encodeFiles(w *stream, sessions fingerprint.Digest) {
	w.Encoder = append(w.Encoder, filesMagic...)
	w.Digest(sessions)
	w.Digest(s.Base)
	w.Text(s.Report)
	w.Int(int64(len(s.Files)))
	for id, k := range s.Files {
		w.Digest(id)
		EncodeFile(&w.Encoder, k)
		w.flushFull()
	}
	w.Int(int64(len(s.Outputs.Files)))
	for i := range s.Outputs.Files {
		k := &s.Outputs.Files[i]
		w.Text(k.Name)
		w.Int(k.Size, k.Mod)
		w.flushFull()
	}
}

// decodeFiles decodes the result of encodeFiles.
func decodeFiles(data string) (*State, error) {
	s := New(fingerprint.Digest{})
	f := codec.Decoder{Rest: data}
	s.disk = &diskState{sessions: f.Digest()}
	s.Base = f.Digest()
	s.disk.base = s.Base
	s.Report = f.Text()
	n := f.Count()
	s.Files = make(map[fingerprint.Digest]File, n)
	for range n {
		id := f.Digest()
		s.Files[id] = DecodeFile(&f)
	}
	n = f.Count()
	s.Outputs.Files = make([]output.File, n)
	for i := range s.Outputs.Files {
		s.Outputs.Files[i] = output.File{Name: f.Text(), Size: f.Int(), Mod: f.Int()}
	}
	if f.Short || len(f.Rest) > 0 {
		return nil, errDamaged
	}
	return s, nil
}
