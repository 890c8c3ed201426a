package sitegen

import (
	"slices"
	"sync"
)

// A sessionCache holds the sessions that changed last, from one build of a site to the next. Of
// their transcripts only what was appended is read.
type sessionCache struct {
	mu       sync.Mutex
	sessions map[digest]*cachedSession // by the id of the main file
	build    int                       // counts builds
	scans    scanCache
}

// A cachedSession is a session as far as it has been read.
type cachedSession struct {
	redactor    *redactor // of what was read
	known       int       // what the redactor knew when all files were last redacted alike
	transcripts map[digest]*transcriptLoader
	sideFiles   map[digest]sideFile // by the id of the file
	pages       cachedPages         // as they were drawn from these files
	build       int                 // the last that used it
}

// A sideFile is a redacted file beside a session.
type sideFile struct {
	content digest
	data    []byte
}

// maxCached is how many sessions are cached.
const maxCached = 16

// startBuild evicts the sessions that have not changed for longest.
func (n *sessionCache) startBuild() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.build++
	if len(n.sessions) <= maxCached {
		return
	}
	var turns []int
	for _, b := range n.sessions {
		turns = append(turns, b.build)
	}
	slices.Sort(turns)
	for id, b := range n.sessions {
		if b.build <= turns[len(turns)-maxCached-1] {
			delete(n.sessions, id)
		}
	}
}

// checkOut hands a session to the one goroutine that builds it, a new
// one where none is cached. Without checkIn it is gone from the cache.
func (n *sessionCache) checkOut(id digest) *cachedSession {
	n.mu.Lock()
	defer n.mu.Unlock()
	b := n.sessions[id]
	delete(n.sessions, id)
	if b == nil {
		b = newCachedSession()
	}
	b.build = n.build
	return b
}

func newCachedSession() *cachedSession {
	return &cachedSession{transcripts: make(map[digest]*transcriptLoader), sideFiles: make(map[digest]sideFile)}
}

func (n *sessionCache) has(id digest) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.sessions[id] != nil
}

func (n *sessionCache) checkIn(id digest, b *cachedSession) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.sessions[id] = b
}

// evict removes a session. There need be no cache.
func (n *sessionCache) evict(id digest) {
	if n != nil {
		n.checkOut(id)
	}
}
