package state

import (
	"viewer/internal/fingerprint"
	"viewer/internal/sitegen/output"
)

// A Whole is a state that is written piece by piece: functions yield what grows with the number of sessions.
type Whole struct {
	*State
	Sessions, Files, Outputs int
	EachSession              func(do func(id fingerprint.Digest, encoded string)) error // sorted by id
	EachFile                 func(do func(fingerprint.Digest, File)) error
	EachOutput               func(do func(output.File)) error
}

// Changes are the differences of a state from the one before.
type Changes struct {
	Sessions map[fingerprint.Digest]*Session // nil for removed ones
	Files    map[fingerprint.Digest]*File    // the same
	Outputs  *output.Manifest
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
	return s.whole().writeBoth(o)
}

// whole yields what is in memory.
func (s *State) whole() *Whole {
	return &Whole{
		State: s, Sessions: len(s.Sessions), Files: len(s.Files), Outputs: len(s.Outputs.Files),
		EachSession: func(do func(fingerprint.Digest, string)) error {
			for _, id := range fingerprint.SortedKeys(s.Sessions) {
				do(id, s.Sessions[id].Encode())
			}
			return nil
		},
		EachFile: func(do func(fingerprint.Digest, File)) error {
			for id, f := range s.Files {
				do(id, f)
			}
			return nil
		},
		EachOutput: func(do func(output.File)) error {
			for _, f := range s.Outputs.Files {
				do(f)
			}
			return nil
		},
	}
}

// Write writes the state for the next build, see State.Write. Without c it writes all of it.
func (w *Whole) Write(o *output.Writer, before *Stored, c *Changes) error {
	if c != nil {
		if done, err := w.update(o, before.State, c); done || err != nil {
			return err
		}
	}
	return w.writeBoth(o)
}

// writeBoth writes the two files.
func (w *Whole) writeBoth(o *output.Writer) error {
	w.disk = nil
	sessions, large, err := writeFile(o, SessionsName, w.encodeSessions)
	if err != nil {
		return err
	}
	files, small, err := writeFile(o, FilesName, func(s *stream) error { return w.encodeFiles(s, sessions) })
	if err != nil {
		o.Discard(SessionsName)
		return err
	}
	if err := o.Commit(SessionsName); err != nil {
		o.Discard(FilesName)
		return err
	}
	if err := o.Commit(FilesName); err != nil {
		return err
	}
	o.RemoveUnlisted(UpdatesName) // remaining updates name other files
	w.disk = &diskState{base: w.Base, files: files, sessions: sessions, size: large + small}
	w.markStored()
	return nil
}

// encodeSessions writes the large file: the sessions and other results that later builds reuse. It is the same for the
// same sessions.
func (w *Whole) encodeSessions(s *stream) error {
	s.Encoder = append(s.Encoder, sessionsMagic...)
	s.Digest(w.Base)
	s.Int(int64(w.Sessions))
	err := w.EachSession(func(id fingerprint.Digest, encoded string) {
		s.Digest(id)
		s.Encoder = append(s.Encoder, encoded...)
		s.flushFull()
	})
	if err == nil {
		w.encodeRest(s)
	}
	return err
}

// encodeFiles writes the small file, in any order, because its times of files differ with each build anyway. It names
// the large file by its checksum.
func (w *Whole) encodeFiles(s *stream, sessions fingerprint.Digest) error {
	s.Encoder = append(s.Encoder, filesMagic...)
	s.Digest(sessions)
	s.Digest(w.Base)
	s.Text(w.Report)
	s.Digest(w.Listing)
	s.Int(int64(w.Files))
	err := w.EachFile(func(id fingerprint.Digest, f File) {
		s.Digest(id)
		EncodeFile(&s.Encoder, f)
		s.flushFull()
	})
	if err != nil {
		return err
	}
	s.Int(int64(w.Outputs))
	return w.EachOutput(func(f output.File) {
		encodeOutput(&s.Encoder, &f)
		s.flushFull()
	})
}

// update is State.update for two states that contain only the differences.
func (w *Whole) update(o *output.Writer, stored *State, c *Changes) (bool, error) {
	now, before := *w.State, *stored
	now.Outputs = c.Outputs
	now.Sessions, before.Sessions = make(map[fingerprint.Digest]*Session), make(map[fingerprint.Digest]*Session)
	for id, k := range c.Sessions {
		if k == nil {
			before.Sessions[id] = new(Session)
		} else {
			now.Sessions[id] = k
		}
	}
	now.Files, before.Files = make(map[fingerprint.Digest]File), make(map[fingerprint.Digest]File)
	for id, f := range c.Files {
		if f == nil {
			before.Files[id] = File{}
		} else {
			now.Files[id] = *f
		}
	}
	return now.update(o, &before)
}
