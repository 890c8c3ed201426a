package sitegen

import (
	"bytes"
	"errors"
	"strings"
	"sync"

	"viewer/internal/fingerprint"
	"viewer/internal/search"
	"viewer/internal/sitegen/output"
	"viewer/internal/sitegen/state"
)

// The search index is built in two steps. When a session is drawn, the text of its pages is written next to them, and
// its terms to a segment, which only the next build reads. When all sessions are drawn, they are assigned to blocks. A
// block whose segments differ from those of the last build is put together again. So a build reads only the segments of
// blocks that changed.

// segmentsDir holds the segments, one file a session.
const segmentsDir = output.StateDir + "/search"

// A segment is the terms of one session in the search index.
type segment struct {
	digest fingerprint.Digest
	units  []search.Unit
	data   []byte
}

// segments are the segments of a site, for one build.
type segments struct {
	out     *output.Writer
	read    func(folder string) ([]byte, error) // instead of the files, when not nil
	listing sync.Once
	listed  map[string]bool // segments that exist, by folder of the session

	mu    sync.Mutex
	dir   *output.DirWriter                    // nil before it is needed
	old   map[string][]byte                    // segments of the last build of sessions that changed, by folder
	known map[fingerprint.Digest][]search.Unit // units of segments, before and after, of cached sessions
}

func newSegments(out *output.Writer) *segments {
	return &segments{out: out, old: make(map[string][]byte), known: make(map[fingerprint.Digest][]search.Unit)}
}

// openDir opens the folder of the segments, once a build.
func (s *segments) openDir() (*output.DirWriter, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.dir == nil {
		dir, err := s.out.OpenDir(segmentsDir)
		if err != nil {
			return nil, err
		}
		s.dir = dir
	}
	return s.dir, nil
}

func (s *segments) close() {
	if s.dir != nil {
		s.dir.Close()
	}
}

// has reports whether the segment of a session exists.
func (s *segments) has(k *state.Session) bool {
	if k.Segment == (fingerprint.Digest{}) {
		return false
	}
	if s.out.IsBucket() { // see output.Writer.IsIntact
		return true
	}
	s.listing.Do(func() {
		entries, _ := s.out.ReadDir(segmentsDir) // a segment that is not listed does not exist
		s.listed = make(map[string]bool, len(entries))
		for _, e := range entries {
			s.listed[e.Name()] = e.Type().IsRegular()
		}
	})
	return s.listed[k.Folder]
}

// setUnits keeps the units of the old and the new segment of a cached session.
func (s *segments) setUnits(before, now segment) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.known[before.digest], s.known[now.digest] = before.units, now.units
}

// write writes the segment of a session, which is mostly unchanged. Otherwise it keeps the old one, which is needed to
// patch the block. cached is the digest of the segment in the cache, zero for none.
func (s *segments) write(folder string, cached fingerprint.Digest, now segment) error {
	dir, err := s.openDir()
	if err != nil {
		return err
	}
	if cached != (fingerprint.Digest{}) { // it exists if anything does
		info, err := dir.Lstat(folder)
		if cached == now.digest && err == nil && info.Mode().IsRegular() && info.Size() == int64(len(now.data)) {
			return nil
		}
		return dir.WriteUnlisted(folder, now.data)
	}
	if s.out.IsBucket() { // each file that is read from a bucket is a request
		return dir.WriteUnlisted(folder, now.data)
	}
	if old, err := dir.ReadFile(folder); err == nil {
		if bytes.Equal(old, now.data) {
			return nil
		}
		s.mu.Lock()
		if len(s.old) < maxPatched {
			s.old[folder] = old
		}
		s.mu.Unlock()
	}
	return dir.WriteUnlisted(folder, now.data)
}

// maxPatched is the number of changed sessions up to which old segments are kept in memory. With more, blocks are put
// together from scratch.
const maxPatched = 16

var errNoSegment = errors.New("the segment of before is missing")

// replaced returns the units of the segment that a session had before this build.
func (s *segments) replaced(folder string, old fingerprint.Digest) ([]search.Unit, error) {
	if units, ok := s.known[old]; ok { // no segment has a zero digest
		return units, nil
	}
	data := s.old[folder]
	if fingerprint.Of(data) != old {
		return nil, errNoSegment
	}
	return search.ReadSegment(data)
}

// units reads the segment of a session. If that fails, it makes the segment again from the texts next to the pages.
func (s *segments) units(k *state.Session) ([]search.Unit, error) {
	if units, ok := s.known[k.Segment]; ok && k.Segment != (fingerprint.Digest{}) {
		return units, nil
	}
	if s.read != nil {
		data, err := s.read(k.Folder)
		if err != nil {
			return nil, err
		}
		return search.ReadSegment(data)
	}
	dir, err := s.openDir()
	if err != nil {
		return nil, err
	}
	data, err := dir.ReadFile(k.Folder)
	if err == nil && fingerprint.Of(data) == k.Segment {
		return search.ReadSegment(data)
	}
	var units []search.Unit
	top := "s/" + k.Folder + "/"
	for _, name := range k.Outputs() {
		if rest, ok := strings.CutPrefix(name, top); ok && search.IsUnit(rest) {
			file, err := s.out.ReadFile(name)
			if err != nil {
				return nil, err
			}
			u, err := search.ReadUnit(rest, file)
			if err != nil {
				return nil, err
			}
			units = append(units, u)
		}
	}
	search.SortUnits(units)
	return units, dir.WriteUnlisted(k.Folder, search.Segment(units))
}
