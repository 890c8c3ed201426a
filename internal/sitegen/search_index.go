package sitegen

import "viewer/internal/fingerprint"

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
	return b.segments.prune(folders)
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
