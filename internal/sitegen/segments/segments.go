package segments

import (
	"bytes"
	"errors"
	"iter"
	"maps"
	"slices"
	"strings"
	"sync"

	"viewer/internal/fingerprint"
	"viewer/internal/search"
	"viewer/internal/sitegen/output"
	"viewer/internal/sitegen/state"
)

// The search index is built in two steps. When a session is drawn, the text of its pages is written next to them, and
// its terms to a segment, which only builds read. When all sessions are drawn, they are assigned to blocks. Only blocks
// whose segments have changed are built again, so a build reads only the segments of these.

// Dir holds the segments, one file for each session.
const Dir = state.SegmentsDir

// A Segment is the terms of one session in the search index.
type Segment struct {
	Digest fingerprint.Digest
	Units  []search.Unit
	Data   []byte
}

// A Set contains the segments of a site, for one build.
type Set struct {
	out     *output.Writer
	Read    func(folder string) ([]byte, error) // instead of the files, when not nil
	listing sync.Once
	listed  map[string]bool // segments that exist, by folder of the session

	mu    sync.Mutex
	dir   *output.DirWriter                    // nil before it is needed
	old   map[string][]byte                    // segments of the last build of sessions that changed, by folder
	known map[fingerprint.Digest][]search.Unit // units of segments, before and after, of cached sessions

	// Of a site in a bucket:
	Before *state.State      // what the last build has left
	Holds  bool              // those of this build may be in the updates of the state
	held   map[string][]byte // the ones that do, by folder
}

func New(out *output.Writer, before *state.State) *Set {
	return &Set{
		out: out, Before: before,
		old: make(map[string][]byte), known: make(map[fingerprint.Digest][]search.Unit),
	}
}

// openDir opens the folder of the segments, once for each build.
func (s *Set) openDir() (*output.DirWriter, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.dir == nil {
		dir, err := s.out.OpenDir(Dir)
		if err != nil {
			return nil, err
		}
		s.dir = dir
	}
	return s.dir, nil
}

func (s *Set) Close() {
	if s.dir != nil {
		s.dir.Close()
	}
}

// Has reports whether the segment of a session exists.
func (s *Set) Has(k *state.Session) bool {
	if k.Segment == (fingerprint.Digest{}) {
		return false
	}
	if s.out.IsBucket() { // see output.Writer.IsIntact
		return true
	}
	s.listing.Do(func() {
		entries, _ := s.out.ReadDir(Dir) // an unlisted segment does not exist
		s.listed = make(map[string]bool, len(entries))
		for _, e := range entries {
			s.listed[e.Name()] = e.Type().IsRegular()
		}
	})
	return s.listed[k.Folder]
}

// SetUnits keeps the units of the old and the new segment of a cached session.
func (s *Set) SetUnits(before, now Segment) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.known[before.Digest], s.known[now.Digest] = before.Units, now.Units
}

// Write writes the segment of a session, unless it is unchanged. It keeps the old one in memory, to patch the block.
// hadOne reports whether the last build left one, and cached is the digest of the segment in the cache, zero for none.
func (s *Set) Write(folder string, hadOne bool, cached fingerprint.Digest, now Segment) error {
	dir, err := s.openDir()
	if err != nil {
		return err
	}
	if cached != (fingerprint.Digest{}) { // it exists if the site does
		info, err := dir.Lstat(folder)
		if cached == now.Digest && err == nil && info.Mode().IsRegular() && info.Size() == int64(len(now.Data)) {
			return nil
		}
		return dir.WriteUnlisted(folder, now.Data)
	}
	if s.readsOld(hadOne) {
		if old, err := s.readFile(folder); err == nil {
			if bytes.Equal(old, now.Data) {
				return nil
			}
			s.mu.Lock()
			if len(s.old) < maxPatched {
				s.old[folder] = old
			}
			s.mu.Unlock()
		}
	}
	if s.hold(folder, now.Data) {
		return nil
	}
	return dir.WriteUnlisted(folder, now.Data)
}

// readsOld reports whether the old segment of a session is worth reading, which is a request in a bucket.
func (s *Set) readsOld(hadOne bool) bool {
	if !s.out.IsBucket() {
		return true
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return hadOne && len(s.old) < maxPatched
}

// hold keeps a segment for the updates of the state. It returns false if the segment must be written to a file.
func (s *Set) hold(folder string, data []byte) bool {
	if !s.Holds || len(data) > maxHeld {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.held) == maxPatched {
		return false
	}
	if s.held == nil {
		s.held = make(map[string][]byte)
	}
	s.held[folder] = slices.Clone(data)
	return true
}

// TakeHeld returns the segments without files that are not saved yet.
func (s *Set) TakeHeld() map[string][]byte {
	all := make(map[string][]byte)
	maps.Copy(all, s.Before.Segments)
	maps.Copy(all, s.held)
	return all
}

// maxHeld is the maximum size of a segment in the updates, in bytes.
const maxHeld = 32 << 10

// readFile reads a segment of the last build.
func (s *Set) readFile(folder string) ([]byte, error) {
	if data := s.Before.Segment(folder); data != "" {
		return []byte(data), nil
	}
	dir, err := s.openDir()
	if err != nil {
		return nil, err
	}
	return dir.ReadFile(folder)
}

// maxPatched is the maximum number of changed sessions whose old segments are kept in memory. With more, blocks are
// built from scratch.
const maxPatched = 16

var errNoSegment = errors.New("the previous segment is missing")

// Replaced returns the units of the segment that a session had before this build.
func (s *Set) Replaced(folder string, old fingerprint.Digest) ([]search.Unit, error) {
	if units, ok := s.known[old]; ok { // no segment has a zero digest
		return units, nil
	}
	data := s.old[folder]
	if fingerprint.OfContent(data) != old {
		return nil, errNoSegment
	}
	return search.ReadSegment(data)
}

// Units reads the segment of a session. If that fails, it makes the segment again from the texts next to the pages.
func (s *Set) Units(k *state.Session) ([]search.Unit, error) {
	if units, ok := s.known[k.Segment]; ok && k.Segment != (fingerprint.Digest{}) {
		return units, nil
	}
	if s.Read != nil {
		data, err := s.Read(k.Folder)
		if err != nil {
			return nil, err
		}
		return search.ReadSegment(data)
	}
	for _, data := range s.heldOf(k.Folder) {
		if fingerprint.OfContent(data) == k.Segment {
			return search.ReadSegment(data)
		}
	}
	dir, err := s.openDir()
	if err != nil {
		return nil, err
	}
	data, err := dir.ReadFile(k.Folder)
	if err == nil && fingerprint.OfContent(data) == k.Segment {
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

// heldOf returns the segments of a session without files: from this build and from earlier ones.
func (s *Set) heldOf(folder string) (all [][]byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if data := s.held[folder]; data != nil {
		all = append(all, data)
	}
	if data := s.Before.Segment(folder); data != "" {
		all = append(all, []byte(data))
	}
	return all
}

// Ahead yields the indexes of the sessions that have a segment, with functions that return their units. In a bucket,
// where each is a request, some are read ahead.
func (s *Set) Ahead(sessions []*state.Session) iter.Seq2[int, func() ([]search.Unit, error)] {
	var segmented []int
	for i, k := range sessions {
		if k.HasSegment() {
			segmented = append(segmented, i)
		}
	}
	return func(yield func(int, func() ([]search.Unit, error)) bool) {
		var reading sync.WaitGroup
		defer reading.Wait()
		reads := make([]func() ([]search.Unit, error), len(segmented))
		begun := 0
		for n, i := range segmented {
			for ; begun < len(segmented) && begun <= n+s.aheadBy(); begun++ {
				of := sessions[segmented[begun]]
				read := sync.OnceValues(func() ([]search.Unit, error) { return s.Units(of) })
				if reads[begun] = read; begun > n {
					reading.Go(func() { read() })
				}
			}
			if !yield(i, reads[n]) {
				return
			}
			reads[n] = nil
		}
	}
}

// aheadBy returns how many segments are read ahead.
func (s *Set) aheadBy() int {
	if s.out.IsBucket() && s.Read == nil {
		return 32
	}
	return 0
}
