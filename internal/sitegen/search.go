package sitegen

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"viewer/internal/sitegen/output"
	"viewer/internal/sitegen/state"
)

// The search index is made in two steps. When a session is drawn, the text of
// its pages is written beside them, and its terms into a part, which no page
// needs and the next build may. When all sessions are drawn they are dealt onto
// blocks, and a block that holds another part than in the last build, or others,
// is put together from its parts. So a build reads those of the blocks that
// changed, and none when nothing did.

// partsDir holds the parts, a file a session.
const partsDir = output.StateDir + "/search"

// openParts opens the folder of the parts, once a build.
func (b *builder) openParts() (*output.DirWriter, error) {
	b.partsMu.Lock()
	defer b.partsMu.Unlock()
	if b.partsOn == nil {
		on, err := b.out.OpenDir(partsDir)
		if err != nil {
			return nil, err
		}
		b.partsOn = on
	}
	return b.partsOn, nil
}

// hasPart says whether the part of a session is there, unless none is wanted.
func (b *builder) hasPart(k *state.Session) bool {
	if b.NoSearch || k.Empty || b.out == nil {
		return true
	}
	if k.Part == (digest{}) {
		return false
	}
	b.listing.Do(func() {
		entries, _ := b.out.ReadDir(partsDir) // what is not listed is not there
		b.listed = make(map[string]bool, len(entries))
		for _, e := range entries {
			b.listed[e.Name()] = e.Type().IsRegular()
		}
	})
	return b.listed[k.Folder]
}

// search writes the blocks of the index that are not what they were, and
// removes parts that belong to no session any more.
func (b *builder) search(sessions []indexed) error {
	var all []indexed
	for _, l := range sessions {
		if l.Part != (digest{}) {
			all = append(all, l)
		}
	}
	if !b.NoSearch {
		if err := b.writeBlocks(all); err != nil {
			return err
		}
	}
	if b.old.Unusable == "" && b.sameFolders() {
		return nil
	}
	parts := make(map[string]bool)
	for _, l := range all {
		parts[l.Folder] = true
	}
	return b.pruneParts(parts)
}

// sameFolders says that no session came or went since the last build, or has
// another folder, or a part where it had none.
func (b *builder) sameFolders() bool {
	for id, k := range b.next.Sessions {
		old := b.old.Sessions[id]
		if old == nil || old.Folder != k.Folder || (old.Part == digest{}) != (k.Part == digest{}) {
			return false
		}
	}
	return len(b.next.Sessions) == len(b.old.Sessions)
}

// pruneParts removes the other parts.
func (b *builder) pruneParts(wanted map[string]bool) error {
	entries, err := b.out.ReadDir(partsDir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("reading %s: %w", partsDir, Cause(err))
	}
	for _, e := range entries {
		if !wanted[e.Name()] && !strings.HasPrefix(e.Name(), ".") {
			b.out.RemoveUnlisted(partsDir + "/" + e.Name())
		}
	}
	return nil
}
