package sitegen

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"hash"
	"io"
	"slices"
	"sync"
	"time"

	"viewer/transcript"
)

// A nursery keeps the transcripts that change between the builds of a site. Of
// those that grow only what is new is read.
type nursery struct {
	mu   sync.Mutex
	all  map[digest]*growth // by the id of the file
	turn int                // counts builds
}

// mostGrowing is how many transcripts are kept: those that changed last.
const mostGrowing = 16

// A growth is a transcript as far as it has been read.
type growth struct {
	reading *transcript.Growing
	size    int64 // bytes read
	inode   uint64
	sum     hash.Hash // of them
	tail    []byte    // the last of them: what is there now must be the same
	turn    int       // of the build that used it last
}

// tailSize is how much of what was read is read again, to see that a file has
// been appended to and not rewritten.
const tailSize = 1 << 10

// torn is how long a line may stay without its end before it is taken for torn.
const torn = time.Second

// begin starts a build, and lets go of what has not changed for long.
func (n *nursery) begin() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.turn++
	if len(n.all) <= mostGrowing {
		return
	}
	var turns []int
	for _, g := range n.all {
		turns = append(turns, g.turn)
	}
	slices.Sort(turns)
	for id, g := range n.all {
		if g.turn <= turns[len(turns)-mostGrowing-1] {
			delete(n.all, id)
		}
	}
}

// A reading is a transcript and the digest of its bytes.
type reading struct {
	file       transcript.File
	content    digest
	bytes      int64 // that had to be read
	unfinished bool  // the last line waits for its end, and is not in the file
}

// read reads what is new of a transcript. It is not ok when the file has to be
// read as a whole: it is no file of lines, or it ends in a torn line.
func (n *nursery) read(f file, now time.Time) (r reading, ok bool, err error) {
	n.mu.Lock()
	g := n.all[f.id()]
	delete(n.all, f.id()) // until it is known to be good
	n.mu.Unlock()
	if g == nil || g.inode != f.Inode {
		g = newGrowth(f)
	}
	read, err := g.more(f)
	if errors.Is(err, errRewritten) {
		g = newGrowth(f)
		read, err = g.more(f)
	}
	if errors.Is(err, errNoLines) {
		return r, false, nil
	}
	if err != nil {
		return r, false, f.failed(err)
	}
	r = reading{file: g.reading.File(), content: digest(g.sum.Sum(nil)[:len(digest{})]), bytes: read, unfinished: g.reading.Unfinished()}
	if r.unfinished && now.Sub(time.Unix(0, f.Mod)) > torn {
		return r, false, nil
	}
	if r.unfinished { // drawn without its last line: not what is drawn of these bytes later
		r.content = digestOf(r.content[:], []byte("unfinished"))
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	g.turn = n.turn
	n.all[f.id()] = g
	return r, true, nil
}

func newGrowth(f file) *growth {
	return &growth{reading: transcript.Options{}.Grow(f.name), sum: sha256.New(), inode: f.Inode}
}

var (
	errRewritten = errors.New("it was rewritten")
	errNoLines   = errors.New("it is no file of lines")
)

// more reads on from where the last reading ended.
func (g *growth) more(f file) (int64, error) {
	open, err := f.source.fsys.Open(f.path)
	if err != nil {
		return 0, err
	}
	defer open.Close()
	if g.size > 0 {
		from, canSeek := open.(io.Seeker)
		if !canSeek {
			return 0, errRewritten
		}
		if _, err := from.Seek(g.size-int64(len(g.tail)), io.SeekStart); err != nil {
			return 0, err
		}
		tail := make([]byte, len(g.tail))
		if _, err := io.ReadFull(open, tail); err != nil || !bytes.Equal(tail, g.tail) {
			return 0, errRewritten
		}
	}
	data, err := io.ReadAll(open)
	if err != nil {
		return 0, err
	}
	if !g.reading.Append(data) {
		return 0, errNoLines
	}
	g.sum.Write(data)
	g.size += int64(len(data))
	g.tail = append(g.tail, data[max(0, len(data)-tailSize):]...)
	g.tail = bytes.Clone(g.tail[max(0, len(g.tail)-tailSize):])
	return int64(len(data)), nil
}
