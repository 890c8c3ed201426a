package sitegen

import (
	"fmt"
	"sync"

	"github.com/google/uuid"

	"viewer/internal/failure"
	"viewer/internal/fingerprint"
	"viewer/internal/sitegen/state"
)

// findKept finds the sessions of the last build that are kept: their files are missing although their source is still
// given.
// Claude Code deletes sessions after 30 days, and their pages stay. A session whose file or folder was renamed or moved
// is not missing: it is recognized by the id in its records, or by its content if it has no id.
func (b *builder) findKept() map[fingerprint.Digest]*state.Session {
	kept := make(map[fingerprint.Digest]*state.Session)
	if b.Prune {
		return kept
	}
	given := make(map[fingerprint.Digest]bool)
	for _, src := range b.sources {
		given[fingerprint.Of([]byte(src.ID))] = true
	}
	invented := fingerprint.Of([]byte(sampleID))
	present := make(map[fingerprint.Digest]bool, len(b.old.Sessions))
	for _, fo := range b.folders {
		for f := range fo.logs() {
			present[f.id] = true
		}
	}
	there := sync.OnceValue(b.survey.identities) // mostly no file is missing
	b.movedSessions = make(map[fingerprint.Digest]bool)
	for id, known := range b.old.Sessions {
		switch {
		case present[id] || known.Empty || known.Source == invented:
		case len(b.Filter.Without) > 0 &&
			b.Filter.leavesOut(known.SafeName, known.Facts().SessionID, known.Summary().ID):
		case !given[known.Source] && !known.Kept && len(b.folders) > 0: // their source was not walked
		case there().have(known, b.old.Files[id].Content):
			b.movedSessions[id] = true
		case !b.out.Intact(known.Outputs()...):
		default:
			kept[id] = known
		}
	}
	return kept
}

// addKept adds kept sessions to the next state and to the results.
func (b *builder) addKept(results []result, kept map[fingerprint.Digest]*state.Session) []result {
	for _, id := range fingerprint.SortedKeys(kept) {
		known := kept[id]
		known.SetKept(true)
		b.next.Sessions[id] = known
		b.out.Keep(known.Outputs()...)
		results = append(results, result{Session: known})
	}
	return results
}

// identities are the ids and contents by which sessions are recognized wherever their files are.
type identities struct {
	ids      map[string]bool // see identity
	contents map[fingerprint.Digest]bool
}

// identities returns those of all sessions whose files are there.
func (v *survey) identities() identities {
	all := identities{make(map[string]bool), make(map[fingerprint.Digest]bool)}
	for _, fo := range v.folders {
		for _, s := range fo.sessions {
			if !s.logMissing {
				all.add(s.main)
			}
		}
		for _, a := range fo.loose {
			all.addAgent(a.file)
		}
	}
	return all
}

func (i identities) add(f file) {
	if id := identity(f.facts().SessionID, f.stem()); id != "" {
		i.ids[id] = true
	}
	if f.Size > 0 && f.scanned.content != (fingerprint.Digest{}) {
		i.contents[f.scanned.content] = true
	}
}

// addAgent adds an agent whose session may be missing. It does not count as that session.
func (i identities) addAgent(f file) {
	i.ids[agentIdentity(f.facts().SessionID, f.stem())] = true
	if f.Size > 0 && f.scanned.content != (fingerprint.Digest{}) {
		i.contents[f.scanned.content] = true
	}
}

func agentIdentity(session, stem string) string { return stem + " of " + session }

// have reports whether a session of the last build is among them, by its id or the content of its file.
func (i identities) have(known *state.Session, content fingerprint.Digest) bool {
	id := known.Facts().SessionID
	return i.ids[identity(id, known.SafeName)] || i.ids[agentIdentity(id, known.SafeName)] || i.contents[content]
}

// identity returns the id in the records of a session, else the one in the name of its file, or "".
func identity(id, stem string) string {
	if id == "" && isID(stem) {
		return stem
	}
	return id
}

// isID reports whether a name is an id of Claude Code, which is unique.
func isID(name string) bool { return len(name) == idSize && uuid.Validate(name) == nil }

// idSize is the length of an id.
const idSize = 36

// chooseSessions applies the filter. It returns an error if that leaves out sessions that the site has, unless
// Options.Narrow is set. Kept sessions stay whatever the filter.
func (b *builder) chooseSessions() error {
	left := make(map[fingerprint.Digest]bool) // sessions of the site
	for _, p := range b.projects {
		for _, s := range p.sessions {
			if known := b.old.Sessions[s.main.id]; known != nil && !known.Empty && !known.Kept {
				left[s.main.id] = true
			}
		}
	}
	var err error
	if b.projects, err = b.choose(b.projects, b.old); err != nil {
		return err
	}
	for _, p := range b.projects {
		for _, s := range p.sessions {
			delete(left, s.main.id)
		}
	}
	if b.Narrow || len(left) == 0 {
		return nil
	}
	err = fmt.Errorf("%s leaves out %d of the sessions that %s shows", b.Filter, len(left), b.out.Dir())
	return failure.New(err, "--prune-filtered removes what is left out from the site; -o builds into another folder")
}

// countRemoved counts the sessions that the site loses although nobody asked for kept ones to be removed. Those
// whose logs are empty now are among them.
func (b *builder) countRemoved() int {
	n := 0
	for id, known := range b.old.Sessions {
		next := b.next.Sessions[id]
		if (next == nil || next.Empty) && !b.movedSessions[id] && !known.Empty &&
			known.Source != fingerprint.Of([]byte(sampleID)) && !b.Prune {
			n++
		}
	}
	return n
}
