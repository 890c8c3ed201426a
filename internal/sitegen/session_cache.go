package sitegen

import (
	"slices"
	"sync"

	"viewer/internal/fingerprint"
)

// A sessionCache holds the sessions that changed last, from one build of a site to the next. Of
// their transcripts only what was appended is read.
type sessionCache struct {
	mu       sync.Mutex
	sessions map[fingerprint.Digest]*cachedSession // by the id of the main file
	build    int                                   // counts builds
	scans    scanCache
}

// A cachedSession is a session as far as it has been read.
type cachedSession struct {
	redactor    *redactor // of what was read
	known       int       // what the redactor knew when all files were last redacted alike
	transcripts map[fingerprint.Digest]*transcriptLoader
	sideFiles   map[fingerprint.Digest]sideFile // by the id of the file
	pages       cachedPages                     // as they were drawn from these files
	build       int                             // the last that used it
}

// A sideFile is a redacted file beside a session.
type sideFile struct {
	content fingerprint.Digest
	data    []byte
}

// maxCached is how many sessions are cached.
const maxCached = 16

// startBuild evicts the sessions that have not changed for longest.
func (c *sessionCache) startBuild() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.build++
	if len(c.sessions) <= maxCached {
		return
	}
	var builds []int
	for _, s := range c.sessions {
		builds = append(builds, s.build)
	}
	slices.Sort(builds)
	for id, s := range c.sessions {
		if s.build <= builds[len(builds)-maxCached-1] {
			delete(c.sessions, id)
		}
	}
}

// checkOut hands a session to the one goroutine that builds it, a new
// one where none is cached. Without checkIn it is no longer in the cache.
func (c *sessionCache) checkOut(id fingerprint.Digest) *cachedSession {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.sessions[id]
	delete(c.sessions, id)
	if s == nil {
		s = newCachedSession()
	}
	s.build = c.build
	return s
}

func newCachedSession() *cachedSession {
	return &cachedSession{transcripts: make(map[fingerprint.Digest]*transcriptLoader),
		sideFiles: make(map[fingerprint.Digest]sideFile)}
}

func (c *sessionCache) has(id fingerprint.Digest) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.sessions[id] != nil
}

// checkIn puts a session back.
func (c *sessionCache) checkIn(id fingerprint.Digest, s *cachedSession) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.sessions[id] = s
}

// evict removes a session. There need be no cache.
func (c *sessionCache) evict(id fingerprint.Digest) {
	if c != nil {
		c.checkOut(id)
	}
}
