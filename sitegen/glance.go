package sitegen

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"maps"
	"math"
	"slices"
	"sync"

	"github.com/cespare/xxhash/v2"

	"viewer/transcript"
)

// A glance is what scan has seen of a file that may grow: of the rest only what
// is new is looked at. What it knows is of whole lines, since no value goes over
// the end of one.
type glance struct {
	beginning
	facts scanned // of the lines that are whole
	rest  []byte  // behind them
	mod   int64
	exact bool // it was read to where it was said to end
	array bool // it is no file of lines
}

// A beginning is so much of a file as has been read.
type beginning struct {
	size  int64 // bytes
	inode uint64
	sum   *xxhash.Digest // of them
	tail  []byte         // the last of them: what is there now must be the same
}

// tailSize is how much of what was read is read again, to see that a file has
// been appended to and not rewritten.
const tailSize = 1 << 10

var errRewritten = errors.New("it was rewritten")

func newBeginning(f file) beginning { return beginning{sum: xxhash.New(), inode: f.Inode} }

// more opens a file where the beginning ends. What is read there becomes part of
// the beginning.
func (b *beginning) more(f file) (io.ReadCloser, error) {
	if b.inode != f.Inode {
		return nil, errRewritten
	}
	open, err := f.source.fsys.Open(f.path)
	if err != nil {
		return nil, err
	}
	if err := b.skip(open); err != nil {
		open.Close()
		return nil, err
	}
	return struct {
		io.Reader
		io.Closer
	}{io.TeeReader(open, b), open}, nil
}

// skip goes to the end of the beginning.
func (b *beginning) skip(open fs.File) error {
	if b.size == 0 {
		return nil
	}
	from, canSeek := open.(io.Seeker)
	if !canSeek {
		return errRewritten
	}
	if _, err := from.Seek(b.size-int64(len(b.tail)), io.SeekStart); err != nil {
		return err
	}
	tail := make([]byte, len(b.tail))
	if _, err := io.ReadFull(open, tail); err != nil || !bytes.Equal(tail, b.tail) {
		return errRewritten
	}
	return nil
}

// Write makes data, which stands behind the beginning, part of it.
func (b *beginning) Write(data []byte) (int, error) {
	b.sum.Write(data)
	b.size += int64(len(data))
	b.tail = append(b.tail, data[max(0, len(data)-tailSize):]...)
	b.tail = bytes.Clone(b.tail[max(0, len(b.tail)-tailSize):])
	return len(data), nil
}

// content is the digest of what was taken.
func (b *beginning) content() digest { return summed(b.sum.Sum64()) }

// newGlance scans a whole file.
func newGlance(f file) (*glance, scanned, error) {
	g := &glance{beginning: newBeginning(f), mod: f.Mod}
	var s scanning
	err := f.lines(math.MaxInt64, func(lines []byte) {
		_, _ = g.Write(lines) // which cannot fail
		if lines[len(lines)-1] == '\n' {
			s.take(lines)
		} else {
			g.rest = bytes.Clone(lines)
		}
	})
	if err == nil && s.unsure() {
		err = f.lines(g.size-int64(len(g.rest)), s.again)
	}
	if err != nil {
		return nil, scanned{}, err
	}
	g.exact, g.array = g.size == f.Size, s.array
	g.facts = s.done()
	if all, ok := g.facts.and(g.rest); ok {
		return g, all, nil
	}
	s.take(g.rest)
	err = f.lines(g.size, s.again)
	return g, s.done(), err
}

// again scans what is new of a file; false says that all of it has to be scanned.
func (g *glance) again(f file) (scanned, bool) {
	if g.exact && f.Size == g.size { // changed, and not longer
		return scanned{}, false
	}
	open, err := g.more(f)
	if err != nil {
		return scanned{}, false
	}
	defer open.Close()
	data, err := io.ReadAll(open)
	if err != nil {
		return scanned{}, false
	}
	data = append(g.rest, data...)
	end := transcript.Whole(data)
	var ok bool
	if g.facts, ok = g.facts.and(data[:end]); !ok {
		return scanned{}, false
	}
	g.rest, g.mod, g.exact = bytes.Clone(data[end:]), f.Mod, g.size == f.Size
	return g.facts.and(g.rest)
}

// and is what scan says of data behind the lines that s was scanned of; false
// says that these have to be scanned again.
func (s scanned) and(data []byte) (scanned, bool) {
	if bytes.HasPrefix(data, []byte("[")) { // which is read otherwise where it is the first line
		return s, false
	}
	more := scan(data)
	if s.Team == "" && more.Team != "" || len(s.Elsewhere) == mostElsewhere {
		return s, false
	}
	for _, id := range more.Elsewhere { // it may be in the lines before
		if !slices.Contains(s.Elsewhere, id) {
			return s, false
		}
	}
	if len(s.Elsewhere) > 0 {
		s.Elsewhere = slices.Clone(s.Elsewhere)
		idOf.eachOf(data, func(id string) bool { return slices.Contains(s.Elsewhere, id) }, func(id string) {
			s.Elsewhere = slices.DeleteFunc(s.Elsewhere, func(missing string) bool { return missing == id })
		})
	}
	first := func(to *string, text string) {
		if *to == "" {
			*to = text
		}
	}
	first(&s.CWD, more.CWD)
	first(&s.Place, more.Place)
	first(&s.SessionID, more.SessionID)
	first(&s.Lineage, more.Lineage)
	first(&s.FirstUUID, more.FirstUUID)
	if s.Team != "" {
		first(&s.Member, memberOf.first(data))
	}
	if s.Start.IsZero() {
		s.Start = more.Start
	}
	if end := lastTime(data); !end.IsZero() {
		s.End = end
	}
	if s.End.Before(s.Start) {
		s.End = s.Start
	}
	s.Summaries = maps.Clone(s.Summaries)
	for leaf, title := range more.Summaries {
		if s.Summaries == nil {
			s.Summaries = make(map[string]string)
		}
		s.Summaries[leaf] = title
	}
	return s, true
}

// glances are those of the files that changed last.
type glances struct {
	mu  sync.Mutex
	all map[digest]*glance // by the id of the file
}

// of scans a file, only what is new of it where that is enough, and tells the
// digest of its bytes and how many of them it has seen just now.
func (g *glances) of(f file) (scanned, digest, int64, error) {
	id := f.id
	g.mu.Lock()
	known := g.all[id]
	delete(g.all, id) // it is for one goroutine
	g.mu.Unlock()
	var facts scanned
	ok, size := false, int64(0)
	if known != nil {
		facts, ok = known.again(f)
	}
	if !ok {
		var err error
		if known, facts, err = newGlance(f); err != nil || known.array {
			return facts, known.content(), known.size, err
		}
		size = known.size
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.all[id] = known
	if len(g.all) > mostGrowing {
		oldest := id
		for id, one := range g.all {
			if one.mod < g.all[oldest].mod {
				oldest = id
			}
		}
		delete(g.all, oldest)
	}
	return facts, known.content(), size, nil
}
