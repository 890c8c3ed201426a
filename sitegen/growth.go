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

// A nursery keeps the sessions that change between the builds of a site. Of
// their transcripts that grow only what is new is read.
type nursery struct {
	mu   sync.Mutex
	all  map[digest]*brood // by the id of the main file
	turn int               // counts builds
}

// A brood is a session as far as it has been read.
type brood struct {
	cover *cover // that has gone over what was read
	state int    // of it, when it was last in step with a reading from the start
	files map[digest]*growth
	sides map[digest]side // what lies beside, by the id of the file
	pages shelved         // as they were drawn of these files
	turn  int             // of the build that used it last
}

// A side is a file beside a session, covered.
type side struct {
	content digest
	data    []byte
}

// mostGrowing is how many sessions are kept: those that changed last.
const mostGrowing = 16

// A growth is a transcript as far as it has been read.
type growth struct {
	reading *transcript.Growing
	size    int64 // bytes read
	inode   uint64
	sum     hash.Hash // of them
	tail    []byte    // the last of them: what is there now must be the same
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
	for _, b := range n.all {
		turns = append(turns, b.turn)
	}
	slices.Sort(turns)
	for id, b := range n.all {
		if b.turn <= turns[len(turns)-mostGrowing-1] {
			delete(n.all, id)
		}
	}
}

// take gives the brood of a session to the one goroutine that builds it, a new
// one where there is none. It is kept when it is put back.
func (n *nursery) take(id digest) *brood {
	n.mu.Lock()
	defer n.mu.Unlock()
	b := n.all[id]
	delete(n.all, id)
	if b == nil {
		b = &brood{files: make(map[digest]*growth), sides: make(map[digest]side)}
	}
	b.turn = n.turn
	return b
}

func (n *nursery) put(id digest, b *brood) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.all[id] = b
}

// A reading is a transcript and the digest of its bytes.
type reading struct {
	file       transcript.File
	content    digest
	bytes      int64 // that had to be read
	unfinished bool  // the last line waits for its end, and is not in the file
}

// errAgain says that a session has to be read from the start: a transcript was
// rewritten, is no file of lines, or ends in a torn line.
var errAgain = errors.New("to be read again")

// read reads what is new of a transcript.
func (b *brood) read(f file, now time.Time) (r reading, err error) {
	g := b.files[f.id()]
	if g == nil {
		g = &growth{reading: b.cover.options().Grow(b.cover.text(f.name)), sum: sha256.New(), inode: f.Inode}
	}
	if g.inode != f.Inode {
		return r, errAgain
	}
	read, err := g.more(f)
	if errors.Is(err, errRewritten) || errors.Is(err, errNoLines) {
		return r, errAgain
	}
	if err != nil {
		return r, f.failed(err)
	}
	r = reading{file: g.reading.File(), content: digest(g.sum.Sum(nil)[:len(digest{})]), bytes: read, unfinished: g.reading.Unfinished()}
	if r.unfinished { // drawn without its last line: not what is drawn of these bytes later
		if now.Sub(time.Unix(0, f.Mod)) > torn {
			return r, errAgain
		}
		r.content = digestOf(r.content[:], []byte("unfinished"))
	}
	b.files[f.id()] = g
	return r, nil
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
