package sitegen

import (
	"slices"
	"sync"

	"viewer/internal/fingerprint"
	"viewer/internal/sitegen/redaction"
)

// A sessionCache holds the sessions that changed last, from one build of a site to the next, so that only what was
// appended to their transcripts is read.
type sessionCache struct {
	mu       sync.Mutex
	sessions map[fingerprint.Digest]*cachedSession // by the id of the main file
	build    int                                   // number of builds
	scans    scanCache
}

// A cachedSession is the part of a session that was read.
type cachedSession struct {
	redactor    *redaction.Redactor // of the files that were read
	given       string              // see session.given
	known       int                 // Redactor.Known when all files were redacted with the same secrets
	transcripts map[fingerprint.Digest]*transcriptLoader
	sideFiles   map[fingerprint.Digest]sideFile // by the id of the file
	pages       cachedPages                     // drawn from these files
	build       int                             // the last build that used it
}

// A sideFile is a redacted file next to a session.
type sideFile struct {
	content fingerprint.Digest
	data    []byte
}

// maxCached limits how many sessions are cached.
const maxCached = 16

// startBuild evicts the sessions that changed the longest time ago.
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

// checkOut removes a session from the cache for the goroutine that builds it, or returns a new one. checkIn puts it
// back.
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

// checkIn puts a session back into the cache.
func (c *sessionCache) checkIn(id fingerprint.Digest, s *cachedSession) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.sessions[id] = s
}

// evict removes a session. The cache may be nil.
func (c *sessionCache) evict(id fingerprint.Digest) {
	if c != nil {
		c.checkOut(id)
	}
}
