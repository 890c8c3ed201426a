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

func sortedIDs[V any](of map[digest]V) []digest {
	ids := make([]digest, 0, len(of))
	for id := range of {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, func(a, b digest) int { return bytes.Compare(a[:], b[:]) })
	return ids
}
