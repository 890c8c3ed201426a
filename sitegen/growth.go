package sitegen

import (
	"errors"
	"io"
	"slices"
	"sync"
	"time"

	"viewer/transcript"
)

// A nursery keeps the sessions that change between the builds of a site. Of
// their transcripts that grow only what is new is read.
type nursery struct {
	mu    sync.Mutex
	all   map[digest]*brood // by the id of the main file
	turn  int               // counts builds
	scans scanCache
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
	prefix
	reading *transcript.Growing
}

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

func (n *nursery) has(id digest) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.all[id] != nil
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
	g := b.files[f.id]
	if g == nil {
		g = &growth{newPrefix(f), b.cover.options().Grow(b.cover.text(f.name))}
	}
	open, err := g.open(f)
	if errors.Is(err, errRewritten) {
		return r, errAgain
	}
	if err != nil {
		return r, err
	}
	defer open.Close()
	read, err := g.read(open, f.Size)
	if errors.Is(err, transcript.ErrNoLines) {
		return r, errAgain
	}
	if err != nil {
		return r, f.failed(err)
	}
	r = reading{file: g.reading.File(), content: g.content(), bytes: read, unfinished: g.reading.Unfinished()}
	if r.unfinished { // drawn without its last line: not what is drawn of these bytes later
		if now.Sub(time.Unix(0, f.Mod)) > torn {
			return r, errAgain
		}
		r.content = digestOf(append(r.content[:], "unfinished"...))
	}
	b.files[f.id] = g
	return r, nil
}

// read takes what stands behind what was read before.
func (g *growth) read(from io.Reader, size int64) (int64, error) {
	if g.size == 0 { // all of the file
		return g.reading.ReadAll(from, size)
	}
	data, err := io.ReadAll(from)
	if err == nil && !g.reading.Append(data) {
		err = transcript.ErrNoLines
	}
	return int64(len(data)), err
}
