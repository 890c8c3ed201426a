package sitegen

import (
	"bytes"
	"fmt"
	"slices"
)

// archive finds the sessions of the last build whose files are gone while their
// source is still given: Claude Code deletes sessions after 30 days, and their
// pages stay. A session whose file was renamed or moved is not gone.
func (b *builder) archive() map[digest]*knownSession {
	gone := make(map[digest]*knownSession)
	if b.Prune {
		return gone
	}
	given := make(map[digest]bool)
	for _, src := range b.sources {
		given[digestOf([]byte(src.id))] = true
	}
	invented := digestOf([]byte(sampleID))
	present, ids := make(map[digest]bool, len(b.old.sessions)), make(map[string]bool, len(b.old.sessions))
	for _, fo := range b.folders {
		for _, s := range fo.sessions {
			present[s.main.id] = true
			if id := s.main.facts().SessionID; id != "" && !s.gone {
				ids[id] = true
			}
		}
		for _, a := range fo.loose {
			present[a.id] = true
		}
	}
	for id, known := range b.old.sessions {
		switch {
		case present[id] || known.empty || known.source == invented:
		case !given[known.source] && !known.archived && len(b.folders) > 0: // nobody looked whether they are gone
		case ids[known.scanned().SessionID]:
		case !b.out.intact(known.files()...):
		default:
			gone[id] = known
		}
	}
	return gone
}

// refuseNarrow fails where the filter leaves out sessions that the site has, unless that is wanted. Archived ones stay
// whatever is chosen.
func (b *builder) refuseNarrow() error {
	if b.Narrow || b.Filter.all() {
		return nil
	}
	n := 0
	for _, p := range b.projects {
		for _, s := range p.sessions {
			if known := b.old.sessions[s.main.id]; known != nil && !known.empty && !known.archived && !b.Filter.has(p.candidate(s)) {
				n++
			}
		}
	}
	if n == 0 {
		return nil
	}
	err := fmt.Errorf("%s leaves out %d of the sessions that %s shows", b.Filter, n, b.Out)
	return &Error{err, "--prune-filtered removes what is left out from the site; -o builds into another folder"}
}

// removed counts the sessions that the site has no more, though nobody asked for gone ones to be removed.
func (b *builder) removed() int {
	n := 0
	for id, known := range b.old.sessions {
		if b.next.sessions[id] == nil && !known.empty && known.source != digestOf([]byte(sampleID)) && !b.Prune {
			n++
		}
	}
	return n
}

func sortedIDs[V any](of map[digest]V) []digest {
	ids := make([]digest, 0, len(of))
	for id := range of {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, func(a, b digest) int { return bytes.Compare(a[:], b[:]) })
	return ids
}
