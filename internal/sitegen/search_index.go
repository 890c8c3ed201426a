package sitegen

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"viewer/internal/fingerprint"
)

// writeSearch writes the blocks of the index that have changed, and removes the segments of sessions that are gone.
func (b *builder) writeSearch(sessions []indexed) error {
	var all []indexed
	for _, l := range sessions {
		if l.Segment != (fingerprint.Digest{}) {
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
	folders := make(map[string]bool)
	for _, l := range all {
		folders[l.Folder] = true
	}
	if err := b.pruneUnlisted(segmentsDir, folders); err != nil {
		return err
	}
	for _, l := range sessions {
		folders[l.Folder] = true
	}
	return b.pruneUnlisted(pagesDir, folders)
}

// pruneUnlisted removes the files of a folder of the state but those of these sessions.
func (b *builder) pruneUnlisted(dir string, folders map[string]bool) error {
	entries, err := b.out.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("reading %s: %w", dir, Cause(err))
	}
	for _, e := range entries {
		if !folders[e.Name()] && !strings.HasPrefix(e.Name(), ".") {
			b.out.RemoveUnlisted(dir + "/" + e.Name())
		}
	}
	return nil
}

// sameFolders reports whether the same sessions as in the last build have the same folders, and none has got its first
// segment.
func (b *builder) sameFolders() bool {
	for id, k := range b.next.Sessions {
		old := b.old.Sessions[id]
		if old == nil || old.Folder != k.Folder ||
			(old.Segment == fingerprint.Digest{}) != (k.Segment == fingerprint.Digest{}) {
			return false
		}
	}
	return len(b.next.Sessions) == len(b.old.Sessions)
}
