package sitegen

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/cespare/xxhash/v2"

	"viewer/internal/failure"
	"viewer/internal/sitegen/segments"
)

// writeSearch writes the blocks of the index that have changed, and removes the segments of sessions that are gone.
func (b *indexBuild) writeSearch() error {
	l := b.list
	if !b.NoSearch {
		var chosen []int32
		for i := range l.Len() {
			if l.isSegmented(l.Listed(i).At) {
				chosen = append(chosen, int32(i))
			}
		}
		if err := b.writeBlocks(chosen); err != nil {
			return err
		}
	}
	if b.old.Unusable == "" && l.sameFolders() {
		return nil
	}
	segmented, all := make(folderSet, 0, l.Len()), make(folderSet, 0, l.Len())
	for i := range l.Len() {
		at := l.Listed(i).At
		folder := xxhash.Sum64String(l.get(at).Folder)
		all = append(all, folder)
		if l.isSegmented(at) {
			segmented = append(segmented, folder)
		}
	}
	if err := l.failed(); err != nil {
		return err
	}
	if err := b.pruneUnlisted(segments.Dir, segmented); err != nil {
		return err
	}
	return b.pruneUnlisted(pagesDir, all)
}

// A folderSet contains hashes of the folders of sessions. A collision only leaves a file too many.
type folderSet []uint64

// pruneUnlisted removes the files of a folder of the state, except those of these sessions.
func (b *indexBuild) pruneUnlisted(dir string, folders folderSet) error {
	slices.Sort(folders)
	var gone []string
	err := b.out.EachName(dir, func(name string) {
		if _, is := slices.BinarySearch(folders, xxhash.Sum64String(name)); !is && !strings.HasPrefix(name, ".") {
			gone = append(gone, name)
		}
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("reading %s: %w", dir, failure.Cause(err))
	}
	for _, name := range gone {
		b.out.RemoveUnlisted(dir + "/" + name)
	}
	return nil
}
