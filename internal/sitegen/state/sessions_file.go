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

const sessionsMagic = "viewer sessions 11\n"

// ReadSessions reads the large file. If it is from another program or other options, only the sessions whose files are
// missing are kept, because they cannot be made again.
func (s *State) ReadSessions(o *output.Writer) {
	disk := s.disk
	s.disk = nil // until all of it is read
	data, sum, err := readFile(o, SessionsName, sessionsMagic)
	if errors.Is(err, fs.ErrNotExist) {
		s.Lost = len(s.Outputs.Files) > 0
		return
	}
	if disk != nil && disk.sessions != sum {
		disk = nil // a build was killed between the two files
	}
	if err == nil {
		err = s.decodeSessions(data, disk)
	}
	if err == nil && disk != nil {
		disk.size += int64(len(data))
		s.disk = disk
	}
	if err != nil {
		empty := New(s.Base)
		empty.Outputs, empty.Unusable, empty.Lost = s.Outputs, unusable(failure.Cause(err)), true
		*s = *empty
	}
}

// encodeRest writes everything after the sessions.
func (s *State) encodeRest(w *stream) {
	encodeTexts(w, s.LooseFacts)
	encodeLookups(w, s.Lookups)
	w.Int(int64(len(s.IndexKeys)))
	for _, name := range slices.Sorted(maps.Keys(s.IndexKeys)) {
		w.Text(name)
		w.Digest(s.IndexKeys[name])
	}
	w.Counts(s.RowSizes)
	encodeTexts(w, s.InsightSums)
}

func encodeTexts(w *stream, all map[fingerprint.Digest]string) {
	w.Int(int64(len(all)))
	for _, id := range fingerprint.SortedKeys(all) {
		w.Digest(id)
		w.Text(all[id])
		w.flushFull()
	}
}

func decodeTexts(f *codec.Decoder) map[fingerprint.Digest]string {
	n := f.Count()
	all := make(map[fingerprint.Digest]string, n)
	for range n {
		id := f.Digest()
		all[id] = f.Text()
	}
	return all
}

// decodeSessions reads what Whole.encodeSessions has written, and the updates to it.
func (s *State) decodeSessions(data string, disk *diskState) error {
	f := codec.Decoder{Rest: data}
	same := f.Digest() == s.Base
	n := f.Count()
	all := make([]Session, n)
	s.Sessions = make(map[fingerprint.Digest]*Session, n)
	for i := range all {
		s.Sessions[f.Digest()] = &all[i]
		decodeSession(&f, &all[i])
	}
	s.decodeRest(&f)
	if f.Short || len(f.Rest) > 0 {
		return errDamaged
	}
	if disk != nil && !s.applySessionUpdates(disk.sessionUpdates) {
		return errDamaged
	}
	for _, k := range s.Sessions {
		if k.stored = true; !same {
			k.Key, k.SafeName = fingerprint.Digest{}, ""
		}
	}
	if s.outdated = !same; !same {
		s.forgetRest()
	}
	return nil
}

// SpoolOutdated moves sessions from another program or other options to a spool, since only those whose files are
// missing are decoded. It reports whether there were any.
func (s *State) SpoolOutdated(spool *output.Spool) bool {
	if !s.outdated {
		return false
	}
	for _, k := range s.Sessions {
		k.Spool(spool)
		k.Folder, k.EncodedFacts = strings.Clone(k.Folder), strings.Clone(k.EncodedFacts)
	}
	return len(s.Sessions) > 0
}

// decodeRest reads what encodeRest has written.
func (s *State) decodeRest(f *codec.Decoder) {
	s.LooseFacts = decodeTexts(f)
	decodeLookups(f, s.Lookups)
	for range f.Count() {
		name := f.Text()
		s.IndexKeys[name] = f.Digest()
	}
	f.AddCounts(s.RowSizes)
	s.InsightSums = decodeTexts(f)
}

// forgetRest drops it, if it is from other options.
func (s *State) forgetRest() {
	rest := New(s.Base)
	s.LooseFacts, s.Lookups, s.IndexKeys = rest.LooseFacts, rest.Lookups, rest.IndexKeys
	s.RowSizes, s.InsightSums = rest.RowSizes, rest.InsightSums
}
