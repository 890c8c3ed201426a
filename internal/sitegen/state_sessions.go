package sitegen

import (
	"errors"
	"io/fs"
	"maps"
	"slices"

	"viewer/internal/codec"
	"viewer/internal/sitegen/output"
)

const sessionsMagic = "viewer sessions 6\n"

// open reads the large file. Of another program or other options only what
// nobody can make again is kept: the sessions whose files are gone.
func (s *state) open(o *output.Writer) {
	data, err := readStateFile(o, sessionsName, sessionsMagic)
	if errors.Is(err, fs.ErrNotExist) {
		s.lost = len(s.outputs.Files) > 0
		return
	}
	if err == nil {
		err = s.decodeSessions(data)
	}
	if err != nil {
		empty := newState(s.base)
		empty.outputs, empty.why, empty.lost = s.outputs, "cannot use the state of the last build: "+Cause(err).Error(), true
		*s = *empty
	}
}

// encodeSessions writes the large file: the sessions, and what else a build does
// not want to find out again. It is the same for the same sessions.
func (s *state) encodeSessions(r *recorder) {
	r.Encoder = append(r.Encoder, sessionsMagic...)
	r.Digest(s.base)
	r.Int(int64(len(s.sessions)))
	for _, id := range sortedIDs(s.sessions) {
		r.Digest(id)
		encodeSession(&r.Encoder, s.sessions[id])
		r.next()
	}
	r.Int(int64(len(s.loose)))
	for _, id := range sortedIDs(s.loose) {
		r.Digest(id)
		r.Text(s.loose[id])
		r.next()
	}
	r.Int(int64(len(s.found)))
	for _, id := range sortedIDs(s.found) {
		r.Digest(id)
		r.Texts(s.found[id].ids)
		for _, has := range s.found[id].has {
			r.Bool(has)
		}
		r.next()
	}
	r.Int(int64(len(s.indexes)))
	for _, name := range slices.Sorted(maps.Keys(s.indexes)) {
		r.Text(name)
		r.Digest(s.indexes[name])
	}
	r.Counts(s.sizes)
}

// decodeSessions reads it.
func (s *state) decodeSessions(data string) error {
	f := codec.Decoder{Rest: data}
	same := f.Digest() == s.base
	n := f.Count()
	all := make([]knownSession, n)
	s.sessions = make(map[digest]*knownSession, n)
	for i := range all {
		s.sessions[f.Digest()] = &all[i]
		decodeSession(&f, &all[i])
		if !same {
			all[i].key, all[i].safe = digest{}, ""
		}
	}
	n = f.Count()
	s.loose = make(map[digest]string, n)
	for range n {
		id := f.Digest()
		s.loose[id] = f.Text()
	}
	for range f.Count() {
		id := f.Digest()
		w := foundIDs{ids: f.Texts()}
		for range w.ids {
			w.has = append(w.has, f.Bool())
		}
		s.found[id] = w
	}
	for range f.Count() {
		name := f.Text()
		s.indexes[name] = f.Digest()
	}
	f.AddCounts(s.sizes)
	if f.Short || len(f.Rest) > 0 {
		return errState
	}
	if !same {
		rest := newState(s.base)
		s.loose, s.found, s.indexes, s.sizes = rest.loose, rest.found, rest.indexes, rest.sizes
	}
	return nil
}
