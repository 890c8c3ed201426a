package sitegen

import (
	"slices"
	"sync"
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
	files map[digest]*transcriptLoader
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
		b = newBrood()
	}
	b.turn = n.turn
	return b
}

func newBrood() *brood {
	return &brood{files: make(map[digest]*transcriptLoader), sides: make(map[digest]side)}
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
