package state

import (
	"errors"
	"io/fs"

	"viewer/internal/codec"
	"viewer/internal/failure"
	"viewer/internal/fingerprint"
	"viewer/internal/sitegen/output"
)

// A Stored is the state in the folder of a large site, which is read piece by piece. Its State lacks the sessions, the
// files of the sources and the files of the site, which are passed on one by one.
type Stored struct {
	*State
	out     *output.Writer
	same    bool // the state is of the same program and options
	overlay []fingerprint.Digest
	records *recordReader
	left    int // sessions not read yet
	next    StoredSession
	has     bool // next was read and not returned
}

// A StoredSession is a session in a Stored.
type StoredSession struct {
	ID      fingerprint.Digest
	Session *Session
	Encoded string // as in the state
}

// A StoredSink receives what grows with the number of sessions. Updates come after the entries that they change.
type StoredSink interface {
	File(id fingerprint.Digest, f File)
	FileGone(id fingerprint.Digest)
	Output(f output.File)
	OutputGone(name string)
}

// OpenStored opens the state in the folder of a site. If the state cannot be used, its field Unusable has the reason,
// and the sink must drop the files of the sources.
func OpenStored(o *output.Writer, base fingerprint.Digest, to StoredSink) *Stored {
	s := &Stored{State: New(base), out: o}
	s.readRest(s.readFiles(to))
	return s
}

// readFiles reads the small file and its updates, and returns how many files of the site it lists.
func (s *Stored) readFiles(to StoredSink) (outputs int) {
	base := s.Base
	records, sum, err := openRecords(s.out, FilesName, filesMagic)
	if errors.Is(err, fs.ErrNotExist) {
		return 0
	}
	if err == nil {
		defer records.close()
		outputs, err = s.decodeFiles(records, sum, to)
	}
	if err != nil {
		*s.State = *New(base)
		s.Unusable = unusable(failure.Cause(err))
		return 0
	}
	if s.same = s.Base == base; !s.same {
		s.Base, s.Report, s.Listing = base, "", fingerprint.Digest{}
	}
	return outputs
}

func (s *Stored) decodeFiles(r *recordReader, sum fingerprint.Digest, to StoredSink) (outputs int, err error) {
	base := s.Base
	s.disk = &diskState{files: sum, size: r.left}
	err = r.next(func(f *codec.Decoder) {
		s.disk.sessions, s.Base, s.Report, s.Listing = f.Digest(), f.Digest(), f.Text(), f.Digest()
	})
	if err != nil {
		return 0, err
	}
	s.disk.base = s.Base
	same := s.Base == base
	n, err := r.number()
	for range n {
		var id fingerprint.Digest
		var file File
		if err := r.next(func(f *codec.Decoder) { id, file = f.Digest(), DecodeFile(f) }); err != nil {
			return 0, err
		}
		if same {
			to.File(id, file)
		}
	}
	if err == nil {
		outputs, err = r.number()
	}
	for range outputs {
		var file output.File
		err := r.next(func(f *codec.Decoder) { file = decodeOutput(f) })
		if err != nil {
			return 0, err
		}
		to.Output(file)
	}
	if err == nil && !r.isDone() {
		err = errDamaged
	}
	if err != nil {
		return 0, err
	}
	return outputs, s.applyUpdates(s.out, updatesTo{to, same})
}

// updatesTo passes on updates of files.
type updatesTo struct {
	StoredSink
	same bool
}

func (u updatesTo) putFile(id fingerprint.Digest, f File) {
	if u.same {
		u.File(id, f)
	}
}

func (u updatesTo) dropFile(id fingerprint.Digest) {
	if u.same {
		u.FileGone(id)
	}
}

func (u updatesTo) updateOutputs(changed []output.File, gone []string) {
	for _, name := range gone {
		u.OutputGone(name)
	}
	for _, f := range changed {
		u.Output(f)
	}
}

// readRest reads the rest of the large file besides the sessions, see State.ReadSessions.
func (s *Stored) readRest(outputs int) {
	disk := s.disk
	s.disk = nil
	records, sum, err := openRecords(s.out, SessionsName, sessionsMagic)
	if errors.Is(err, fs.ErrNotExist) {
		s.Lost = outputs > 0
		return
	}
	if disk != nil && disk.sessions != sum {
		disk = nil // a build was killed between the two files
	}
	if err == nil {
		if disk != nil {
			disk.size += records.left
		}
		err = s.decodeStored(records, disk)
		records.close()
	}
	if err == nil {
		s.disk = disk
		records, _, err = openRecords(s.out, SessionsName, sessionsMagic)
	}
	if err == nil {
		s.records = records
		err = records.next(func(f *codec.Decoder) { f.Digest(); s.left = int(f.Int()) })
	}
	if err != nil {
		*s.State = *New(s.Base)
		s.Unusable, s.Lost, s.left = unusable(failure.Cause(err)), true, 0
	}
}

func (s *Stored) decodeStored(r *recordReader, disk *diskState) error {
	var base fingerprint.Digest
	err := r.next(func(f *codec.Decoder) { base = f.Digest() })
	if err == nil {
		err = r.each(func(f *codec.Decoder) { f.Digest(); decodeSession(f, new(Session)) })
	}
	if err == nil {
		err = s.decodeRest(r, nil)
	}
	if err == nil && !r.isDone() {
		err = errDamaged
	}
	if err != nil {
		return err
	}
	s.overlays = true
	if disk != nil && !s.applySessionUpdates(disk.sessionUpdates) {
		return errDamaged
	}
	s.overlay = fingerprint.SortedKeys(s.Sessions)
	if s.same = base == s.Base; !s.same {
		s.forgetRest()
	}
	return nil
}

// NextSession returns the next session, sorted by id, or nil at the end.
func (s *Stored) NextSession() (*StoredSession, error) {
	for {
		if !s.has && s.left > 0 {
			if err := s.readSession(); err != nil {
				return nil, err
			}
		}
		var one StoredSession
		switch {
		case len(s.overlay) > 0 && (!s.has || byBytes(s.overlay[0], s.next.ID) <= 0):
			id := s.overlay[0]
			s.overlay = s.overlay[1:]
			s.has = s.has && s.next.ID != id
			if s.Sessions[id] == nil {
				continue
			}
			one = StoredSession{ID: id, Session: s.Sessions[id]}
		case s.has:
			one, s.has = s.next, false
		default:
			return nil, nil
		}
		if one.Session.stored = true; !s.same {
			one.Session.Key, one.Session.SafeName, one.Encoded = fingerprint.Digest{}, "", ""
		}
		if one.Encoded == "" {
			one.Encoded = one.Session.Encode()
		}
		return &one, nil
	}
}

func (s *Stored) readSession() error {
	err := s.records.next(func(f *codec.Decoder) {
		s.next = StoredSession{ID: f.Digest(), Session: new(Session)}
		encoded := f.Rest
		decodeSession(f, s.next.Session)
		s.next.Encoded = encoded[:len(encoded)-len(f.Rest)]
	})
	s.has, s.left = err == nil, s.left-1
	return err
}

// Close closes the files.
func (s *Stored) Close() {
	if s.records != nil {
		s.records.close()
	}
}
