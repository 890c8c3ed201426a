package sitegen

import (
	"bytes"
	"io"
	"sync"

	"viewer/internal/fingerprint"
	"viewer/internal/sitegen/decode"
	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// A scanState is the scan of a file that may grow, so that only new lines are scanned. It covers whole lines, since no
// value spans lines.
type scanState struct {
	prefix
	scan  sources.Scan // of the complete lines, nil before the first
	by    transcript.Writer
	sure  bool   // no more of the file changes the writer
	rest  []byte // what follows the complete lines
	mod   int64
	exact bool // it was read up to its size
}

func newScanState(f file) *scanState { return &scanState{prefix: newPrefix(f)} }

// begin chooses the scan by the beginning of a file.
func (s *scanState) begin(f file, head []byte) {
	if s.scan == nil {
		s.scan, s.by = f.source.NewScan(head)
		s.sure = sources.IsWholeHead(head)
	}
}

// sameWriter reports whether the beginning of a file that grew still names the same writer.
func (s *scanState) sameWriter(f file) bool {
	if s.sure {
		return true
	}
	by, sure := f.writer()
	s.sure = sure
	return by.Writer() == s.by
}

// facts returns the facts that a scan of the file found.
func (s *scanState) facts(scan sources.Scan) sources.Facts {
	facts := sources.FactsOf(scan)
	facts.Writer = s.by.Name
	hashMain(&facts)
	return facts
}

// hashMain sets the hash of the main work tree, before anything is redacted.
func hashMain(facts *sources.Facts) {
	if w, ok := sources.WorktreeOf(facts.CWD); ok {
		facts.MainHash = sources.HashCWD(w.Main)
	}
}

// read scans what follows the prefix in a file, and returns the facts of the whole file.
func (s *scanState) read(f file) (sources.Facts, error) {
	open, err := s.open(f)
	if err != nil {
		return sources.Facts{}, err
	}
	defer open.Close()
	before := s.rest
	s.rest = nil
	left := max(f.most()-s.size+int64(len(before)), sources.HeadSize) // a compressed file is longer than its size
	err = linesOf(io.MultiReader(bytes.NewReader(before), open), left, func(lines []byte) {
		if lines[len(lines)-1] == '\n' {
			s.begin(f, lines)
			s.scan.Lines(lines)
		} else {
			s.rest = bytes.Clone(lines)
		}
	})
	if err != nil {
		return sources.Facts{}, f.failed(err)
	}
	s.damage = decode.DamageOf(open.File)
	s.begin(f, s.rest)
	s.mod, s.exact = f.Mod, f.isWhole(s.size)
	if err := rescan(s.scan, f, s.size-int64(len(s.rest))); err != nil {
		return sources.Facts{}, err
	}
	if len(s.rest) == 0 {
		return s.facts(s.scan), nil
	}
	all := s.scan.Clone()
	all.Lines(s.rest)
	err = rescan(all, f, s.size)
	return s.facts(all), err
}

// rescan scans the first size bytes of a file again, for scans that need a second pass.
func rescan(s sources.Scan, f file, size int64) error {
	if !s.Unsure() {
		return nil
	}
	err := f.lines(size, s.Again)
	s.Checked()
	return err
}

// A scanCache keeps the scanStates of the files that changed last.
type scanCache struct {
	mu  sync.Mutex
	all map[fingerprint.Digest]*scanState // by the id of the file
}

// of scans a file, only its new part if possible. It returns the facts, the digest of the bytes, and their number.
func (c *scanCache) of(f file) (sources.Facts, fingerprint.Digest, int64, error) {
	c.mu.Lock()
	s := c.all[f.id]
	delete(c.all, f.id) // only one goroutine may use it
	c.mu.Unlock()
	grown := s != nil && !(s.exact && f.Size == s.size)
	if grown && s.sameWriter(f) {
		if facts, err := s.read(f); err == nil {
			c.put(f.id, s)
			return facts, s.content(), s.size, nil
		}
	}
	s = newScanState(f)
	facts, err := s.read(f)
	if err == nil && s.scan.Resumable() {
		c.put(f.id, s)
	}
	return facts, s.content(), s.size, err
}

// put keeps a state, and drops the one whose file changed the longest time ago.
func (c *scanCache) put(id fingerprint.Digest, s *scanState) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.all[id] = s
	if len(c.all) <= maxCached {
		return
	}
	oldest := id
	for id, one := range c.all {
		if one.mod < c.all[oldest].mod {
			oldest = id
		}
	}
	delete(c.all, oldest)
}
