package state

import (
	"errors"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"viewer/internal/codec"
	"viewer/internal/failure"
	"viewer/internal/fingerprint"
	"viewer/internal/sitegen/output"
)

const sessionsMagic = "viewer sessions 12\n"

// ReadSessions reads the large file. Most of it is left where it is, as the first data of a spool, which must stay open
// as long as the state is used. If the file is from another program or other options, only the sessions whose files are
// missing are kept, because they cannot be made again.
func (s *State) ReadSessions(o *output.Writer, spool *output.Spool) {
	disk := s.disk
	s.disk = nil // until all of it is read
	r, sum, err := openRecords(o, SessionsName, sessionsMagic)
	if errors.Is(err, fs.ErrNotExist) {
		s.Lost = len(s.Outputs.Files) > 0
		return
	}
	if disk != nil && disk.sessions != sum {
		disk = nil // a build was killed between the two files
	}
	if err == nil {
		size := r.left
		err = s.decodeSessions(r, spool, disk)
		if err == nil && disk != nil {
			disk.size += size
			s.disk = disk
		}
	}
	if err != nil {
		empty := New(s.Base)
		empty.Outputs, empty.Unusable, empty.Lost = s.Outputs, unusable(failure.Cause(err)), true
		*s = *empty
	}
}

// encodeRest writes everything after the sessions.
func (s *State) encodeRest(w *stream) {
	w.Int(int64(len(s.LooseFacts)))
	for _, id := range fingerprint.SortedKeys(s.LooseFacts) {
		w.Digest(id)
		w.Text(s.LooseFacts[id])
		w.flushFull()
	}
	encodeLookups(w, s.Lookups)
	w.Int(int64(len(s.IndexKeys)))
	for _, name := range slices.Sorted(maps.Keys(s.IndexKeys)) {
		w.Text(name)
		w.Digest(s.IndexKeys[name])
	}
	w.Counts(s.RowSizes)
	w.Int(int64(len(s.InsightSums)))
	for _, key := range fingerprint.SortedKeys(s.InsightSums) {
		w.Digest(key)
		sum := s.InsightSums[key]
		w.Text(sum.all())
		w.flushFull()
	}
}

// decodeSessions reads what Whole.encodeSessions has written, and the updates to it.
func (s *State) decodeSessions(r *recordReader, spool *output.Spool, disk *diskState) error {
	r.copied = true
	if r.beginsSpool = spool.Begin(r.file, r.end); !r.beginsSpool {
		defer r.close()
	}
	err := r.next(func(f *codec.Decoder) { s.outdated = f.Digest() != s.Base })
	if err == nil {
		err = s.decodeEach(r, spool)
	}
	if err == nil {
		err = s.decodeRest(r, spool)
	}
	if err == nil && (!r.isDone() || disk != nil && !s.applySessionUpdates(disk.sessionUpdates)) {
		err = errDamaged
	}
	if err != nil {
		return err
	}
	for _, k := range s.Sessions {
		if k.stored = true; s.outdated {
			k.Key, k.SafeName = fingerprint.Digest{}, ""
		}
	}
	if s.outdated {
		s.forgetRest()
	}
	return nil
}

// decodeEach reads the sessions. Few of those from another program or other options are decoded later.
func (s *State) decodeEach(r *recordReader, spool *output.Spool) error {
	n, err := r.number()
	if err != nil {
		return err
	}
	all := make([]Session, n)
	s.Sessions = make(map[fingerprint.Digest]*Session, n)
	for i := range all {
		k := &all[i]
		err := r.next(func(f *codec.Decoder) {
			id := f.Digest()
			if decodeSession(f, k); f.Short {
				return
			}
			first := int(k.details.ends[ledgerDetail])
			if s.outdated {
				first = 0
			}
			r.leave(&k.details.spooled, f, spool, first)
			k.SafeName, k.Folder = strings.Clone(k.SafeName), strings.Clone(k.Folder)
			k.EncodedFacts = strings.Clone(k.EncodedFacts)
			s.Sessions[id] = k
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// decodeRest reads what encodeRest has written. Without a spool, all of it is in memory.
func (s *State) decodeRest(r *recordReader, spool *output.Spool) error {
	for _, decode := range []func(*codec.Decoder){
		func(f *codec.Decoder) {
			if id, facts := f.Digest(), f.Text(); !f.Short {
				s.LooseFacts[id] = strings.Clone(facts)
			}
		},
		func(f *codec.Decoder) {
			if id, l := f.Digest(), decodeLookup(f); !f.Short {
				s.Lookups[id] = l
			}
		},
		func(f *codec.Decoder) {
			if name, key := f.Text(), f.Digest(); !f.Short {
				s.IndexKeys[strings.Clone(name)] = key
			}
		},
		func(f *codec.Decoder) {
			if name, size := f.Text(), f.Int(); !f.Short {
				s.RowSizes[strings.Clone(name)] = int(size)
			}
		},
		func(f *codec.Decoder) {
			key, sum := f.Digest(), InsightSum{spooled{memory: f.Text()}}
			if !f.Short {
				r.leave(&sum.spooled, f, spool, 0)
				s.InsightSums[key] = sum
			}
		},
	} {
		if err := r.each(decode); err != nil {
			return err
		}
	}
	return nil
}

// forgetRest drops it, if it is from other options.
func (s *State) forgetRest() {
	rest := New(s.Base)
	s.LooseFacts, s.Lookups, s.IndexKeys = rest.LooseFacts, rest.Lookups, rest.IndexKeys
	s.RowSizes, s.InsightSums = rest.RowSizes, rest.InsightSums
}
