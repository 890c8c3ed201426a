package sitegen

import (
	"bytes"
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
	present, ids := make(map[digest]bool), make(map[string]bool)
	for _, fo := range b.folders {
		for _, s := range fo.sessions {
			present[s.main.id()] = true
			ids[s.main.seen.SessionID] = true
		}
		for _, a := range fo.loose {
			present[a.id()] = true
		}
	}
	for id, known := range b.old.sessions {
		switch {
		case present[id] || !given[known.Source] || known.Summary.Empty:
		case known.Facts.SessionID != "" && ids[known.Facts.SessionID]:
		case !b.out.intact(known.Outputs...):
		default:
			gone[id] = known
		}
	}
	return gone
}

func sortedIDs(sessions map[digest]*knownSession) []digest {
	ids := make([]digest, 0, len(sessions))
	for id := range sessions {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, func(a, b digest) int { return bytes.Compare(a[:], b[:]) })
	return ids
}
