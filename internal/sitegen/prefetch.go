package sitegen

import "time"

// cacheable reports whether a session is worth caching: it has changed since the last build, or it is the newest one in
// the first build.
func (b *builder) cacheable(s *session) bool {
	switch {
	case b.cache == nil:
		return false
	case !b.builtBefore:
		return s == b.newest()
	}
	return b.old.Sessions[s.main.id] != nil
}

// recent is the time after its last change in which a session is likely to change again.
const recent = time.Hour

// choosePrefetch chooses the session that Prefetch reads into the cache.
func (b *builder) choosePrefetch() {
	if !b.site.prefetch || b.cache == nil {
		return
	}
	b.site.prefetch = false
	s := b.newest()
	if s != nil && b.start.Sub(time.Unix(0, s.modified())) < recent && !b.cache.has(s.main.id) {
		b.prefetched = s
	}
}

// newest returns the session that changed last.
func (v *survey) newest() *session {
	var newest *session
	last := int64(0)
	for _, fo := range v.folders {
		for _, s := range fo.sessions {
			if mod := s.modified(); newest == nil || mod > last {
				newest, last = s, mod
			}
		}
	}
	return newest
}

// modified returns when a transcript of a session changed last, in nanoseconds since 1970.
func (s *session) modified() int64 {
	mod := s.main.Mod
	for _, a := range s.agents {
		mod = max(mod, a.Mod)
	}
	return mod
}
