package sitegen

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io/fs"
	"runtime"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	jsonv1 "github.com/go-json-experiment/json/v1"
	"golang.org/x/sync/errgroup"
)

const sessionsMagic = "viewer sessions 1\n"

// The rest of the large file.
type stateRest struct {
	Loose   map[digest]scanned         `json:"loose,omitempty"`
	Found   map[digest]map[string]bool `json:"found,omitempty"`
	Indexes map[string]digest          `json:"indexes,omitempty"`
	Sizes   map[string]int             `json:"sizes,omitempty"`
}

// Texts of a transcript may hold anything.
var stateJSON = json.JoinOptions(json.Deterministic(true), jsontext.AllowInvalidUTF8(true), jsonv1.FormatDurationAsNano(true))

// open reads the large file. Of another program or other options only what
// nobody can make again is kept: the sessions whose files are gone.
func (s *state) open(o *output) {
	data, err := o.root.ReadFile(sessionsName)
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	if err == nil {
		err = s.decodeSessions(data)
	}
	if err != nil {
		s.why = "cannot use the state of the last build: " + cause(err).Error()
		s.files, s.sessions = make(map[digest]knownFile), make(map[digest]*knownSession)
	}
}

// encodeSessions writes the large file: one JSON value a session, behind its id
// and its length, and one for the rest. The values of sessions that were not
// drawn again are those of the last build.
func (s *state) encodeSessions() ([]byte, error) {
	ids := sortedIDs(s.sessions)
	size := 64 << 10
	for _, k := range s.sessions {
		size += 2<<10 + len(k.raw)
	}
	b := append(append(make([]byte, 0, size), sessionsMagic...), s.base[:]...)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(ids)))
	for _, id := range ids {
		k := s.sessions[id]
		if k.raw == nil {
			var err error
			if k.raw, err = json.Marshal(k, stateJSON); err != nil {
				return nil, err
			}
		}
		b = append(b, id[:]...)
		b = binary.LittleEndian.AppendUint32(b, uint32(len(k.raw)))
		b = append(b, k.raw...)
	}
	rest, err := json.Marshal(stateRest{s.loose, s.found, s.indexes, s.sizes}, stateJSON)
	if err != nil {
		return nil, err
	}
	b = append(b, rest...)
	sum := digestOf(b)
	return append(b, sum[:]...), nil
}

// decodeSessions reads it, on all cores.
func (s *state) decodeSessions(data []byte) error {
	body, ok := bytes.CutPrefix(data, []byte(sessionsMagic))
	if !ok || len(body) < len(digest{}) {
		return errState
	}
	end := len(data) - len(digest{})
	if digestOf(data[:end]) != digest(data[end:]) {
		return errState
	}
	r := fields{rest: body[:len(body)-len(digest{})]}
	same := r.digest() == s.base
	var ids []digest
	var all []*knownSession
	for range r.uint32() {
		id := r.digest()
		raw := r.take(r.uint32())
		if r.short {
			return errState
		}
		ids, all = append(ids, id), append(all, &knownSession{raw: raw[:len(raw):len(raw)]})
	}
	var group errgroup.Group
	cores := runtime.GOMAXPROCS(0)
	for c := range cores {
		group.Go(func() error {
			for i := c; i < len(all); i += cores {
				if err := json.Unmarshal(all[i].raw, all[i], stateJSON); err != nil {
					return errState
				}
				if !same {
					all[i].Key, all[i].raw = digest{}, nil
				}
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	var rest stateRest
	if json.Unmarshal(r.rest, &rest, stateJSON) != nil {
		return errState
	}
	for i, id := range ids {
		s.sessions[id] = all[i]
	}
	if same {
		s.loose, s.found, s.indexes, s.sizes = orEmpty(rest.Loose), orEmpty(rest.Found), orEmpty(rest.Indexes), orEmpty(rest.Sizes)
	}
	return nil
}

func orEmpty[K comparable, V any](m map[K]V) map[K]V {
	if m == nil {
		return make(map[K]V)
	}
	return m
}
