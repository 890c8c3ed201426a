package sitegen

import (
	"errors"
	"io/fs"
	"maps"
	"slices"
)

const sessionsMagic = "viewer sessions 6\n"

// open reads the large file. Of another program or other options only what
// nobody can make again is kept: the sessions whose files are gone.
func (s *state) open(o *output) {
	data, err := o.readState(sessionsName, sessionsMagic)
	if errors.Is(err, fs.ErrNotExist) {
		s.lost = len(s.outputs.all) > 0
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
	r.record = append(r.record, sessionsMagic...)
	r.digest(s.base)
	r.number(int64(len(s.sessions)))
	for _, id := range sortedIDs(s.sessions) {
		r.digest(id)
		r.known(s.sessions[id])
		r.next()
	}
	r.number(int64(len(s.loose)))
	for _, id := range sortedIDs(s.loose) {
		r.digest(id)
		r.text(s.loose[id])
		r.next()
	}
	r.number(int64(len(s.found)))
	for _, id := range sortedIDs(s.found) {
		r.digest(id)
		r.texts(s.found[id].ids)
		for _, has := range s.found[id].has {
			r.truth(has)
		}
		r.next()
	}
	r.number(int64(len(s.indexes)))
	for _, name := range slices.Sorted(maps.Keys(s.indexes)) {
		r.text(name)
		r.digest(s.indexes[name])
	}
	r.counts(s.sizes)
}

// decodeSessions reads it.
func (s *state) decodeSessions(data string) error {
	f := fields{rest: data}
	same := f.digest() == s.base
	n := f.count()
	all := make([]knownSession, n)
	s.sessions = make(map[digest]*knownSession, n)
	for i := range all {
		s.sessions[f.digest()] = &all[i]
		f.known(&all[i])
		if !same {
			all[i].key, all[i].safe = digest{}, ""
		}
	}
	n = f.count()
	s.loose = make(map[digest]string, n)
	for range n {
		id := f.digest()
		s.loose[id] = f.text()
	}
	for range f.count() {
		id := f.digest()
		w := foundIDs{ids: f.texts()}
		for range w.ids {
			w.has = append(w.has, f.truth())
		}
		s.found[id] = w
	}
	for range f.count() {
		name := f.text()
		s.indexes[name] = f.digest()
	}
	f.add(s.sizes)
	if f.short || len(f.rest) > 0 {
		return errState
	}
	if !same {
		rest := newState(s.base)
		s.loose, s.found, s.indexes, s.sizes = rest.loose, rest.found, rest.indexes, rest.sizes
	}
	return nil
}
