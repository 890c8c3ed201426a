package sitegen

import "time"

// grows says that what is read of a session is worth keeping: it has changed
// since the last build of a site, or changed last of all before the first one.
func (b *builder) grows(s *session) bool {
	switch {
	case b.site == nil || b.site.once:
		return false
	case b.site.last == nil:
		return s == b.newest()
	}
	return b.old.Sessions[s.main.id] != nil
}

// lively is how long after its last change a session is likely to change again.
const lively = time.Hour

// warm chooses the session that the site was asked to get ready for.
func (b *builder) warm() {
	if !b.site.warm {
		return
	}
	b.site.warm = false
	s := b.newest()
	if s != nil && b.start.Sub(time.Unix(0, s.changed())) < lively && !b.site.nursery.has(s.main.id) {
		b.warmed = s
	}
}

// newest is the session that changed last.
func (v *survey) newest() *session {
	var newest *session
	last := int64(0)
	for _, fo := range v.folders {
		for _, s := range fo.sessions {
			if mod := s.changed(); newest == nil || mod > last {
				newest, last = s, mod
			}
		}
	}
	return newest
}

// changed is when a transcript of a session changed last, in nanoseconds since 1970.
func (s *session) changed() int64 {
	mod := s.main.Mod
	for _, a := range s.agents {
		mod = max(mod, a.Mod)
	}
	return mod
}
