package sitegen

import (
	"errors"
	"iter"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"viewer/internal/codec"
	"viewer/internal/fingerprint"
	"viewer/internal/search"
	"viewer/internal/sitegen/output"
	"viewer/internal/sitegen/state"
	"viewer/render/indexpages"
)

// writeBlocks writes the search blocks that have changed.
func (b *indexBuild) writeBlocks(all []int32) error {
	all = b.list.order(all, func(a, b indexpages.Listed) int { return 0 })
	files := b.blockFiles()
	layout := b.layout(len(all))
	var blocks []blockBuild
	for _, block := range search.Blocks(len(all)) {
		blocks = append(blocks, blockBuild{
			Listing: search.Listing{Name: block.Name, Sessions: block.End - block.First},
			layout:  layout, known: files[block.Name], sessions: all[block.First:block.End],
		})
	}
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	if len(all) > serialBlocks {
		group.SetLimit(1)
	}
	for i := range blocks {
		block := &blocks[i]
		sessions := b.list.sessions(block.sessions)
		if err := b.list.failed(); err != nil {
			return errors.Join(err, group.Wait())
		}
		if b.keepBlock(block, sessions) {
			continue
		}
		group.Go(func() error {
			updated, err := b.updateBlock(block, sessions)
			if !updated && err == nil {
				err = b.writeBlock(block, sessions, partsOf(len(sessions), len(all)))
			}
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	for _, block := range blocks {
		name := search.DirectoryName(block.Name)
		b.setIndexKey(name, block.key)
		b.next.RowSizes[name] = block.size
	}
	if layout == search.Cut {
		return b.writeCutContents(blocks, files)
	}
	contents := search.Contents(listingsOf(blocks))
	return b.out.Write(contents.Name, contents.Data)
}

// keepBlock sets the key of a block and counts its units. It keeps the files of a block that has not changed, and
// reports whether it did.
func (b *indexBuild) keepBlock(block *blockBuild, sessions []indexed) bool {
	for _, k := range sessions {
		block.Units += k.Units
	}
	block.key = blockKey(block.layout, sessions)
	name := search.DirectoryName(block.Name)
	if len(block.known) < 2 || !b.isKnown(name, block.key) || !b.out.Intact(block.known...) {
		return false
	}
	b.out.Keep(block.known...)
	block.Shards, block.size = countShards(block.known), b.old.RowSizes[name]
	return true
}

// layout returns the layout of a search index of so many sessions.
func (b *indexBuild) layout(sessions int) search.Layout {
	if b.large(sessions) {
		return search.Cut
	}
	return search.Whole
}

// A blockBuild is a block of the search index, and what this build has written of it.
type blockBuild struct {
	search.Listing
	layout   search.Layout
	known    []string // its files as the last build left them
	sessions []int32
	key      fingerprint.Digest
	size     int   // of its rows
	isNew    bool  // all of it was written
	changed  []int // otherwise, the shards that were written
}

func listingsOf(blocks []blockBuild) []search.Listing {
	all := make([]search.Listing, len(blocks))
	for i, block := range blocks {
		all[i] = block.Listing
	}
	return all
}

// countShards counts the shards among the files of a block.
func countShards(files []string) int {
	n := 0
	for _, name := range files {
		if search.IsShard(name) {
			n++
		}
	}
	return n
}

// blockFiles returns the files of each block as the last build left them.
func (b *indexBuild) blockFiles() map[string][]string {
	files := make(map[string][]string)
	for _, name := range b.out.Names(search.Folder) {
		block, _, _ := strings.Cut(strings.TrimPrefix(name, search.Folder), ".")
		files[block] = append(files[block], name)
	}
	return files
}

// blockKey returns a hash of what a block is made from.
func blockKey(layout search.Layout, sessions []indexed) fingerprint.Digest {
	r := make(codec.Encoder, 0, 40*len(sessions))
	r.Int(int64(layout))
	for _, k := range sessions {
		r.Digest(k.FactsKey())
		r.Digest(k.Segment)
		r.Int(int64(k.Units))
	}
	return fingerprint.Of(r)
}

// entry returns the entry of a session in a block.
func (k indexed) entry(units []search.Unit) search.Entry {
	s := k.listSummary()
	return search.Entry{Folder: s.Folder, Title: s.Title, Project: s.Project.Name, Models: s.Models,
		Agent: s.Agent().ID(), Units: units}
}

// updateBlock updates the files of a block in which the segments of a few sessions have changed. It returns false if
// the block has to be written from scratch.
func (b *indexBuild) updateBlock(block *blockBuild, sessions []indexed) (bool, error) {
	directory := search.DirectoryName(block.Name)
	size, ok := b.old.RowSizes[directory]
	if !ok || len(block.known) < 2 || b.Force || b.Verify || !b.out.Intact(block.known...) {
		return false, nil
	}
	watch := b.stages.Stopwatch()
	defer watch.Lap(StageIndex, 0)
	before, ok := b.sessionsBefore(sessions)
	if !ok || blockKey(block.layout, before) != b.old.IndexKeys[directory] {
		return false, nil
	}
	shards := countShards(block.known)
	patch := search.NewPatch(block.layout, block.Name, shards, size)
	if !b.patchSessions(patch, block.layout, before, sessions) {
		return false, nil
	}
	written, size, err := patch.Files(b.out.ReadFile)
	if err != nil {
		return false, nil
	}
	for _, f := range written {
		if err := b.out.Write(f.Name, f.Data); err != nil {
			return false, err
		}
	}
	b.out.Keep(block.known...)
	block.Shards, block.size, block.changed = shards, size, patch.Shards()
	return true, nil
}

// sessionsBefore returns sessions as the last build left them. It returns false if one had no segment.
func (b *indexBuild) sessionsBefore(sessions []indexed) ([]indexed, bool) {
	before := slices.Clone(sessions)
	for i, k := range sessions {
		switch was := b.list.before(k); {
		case was == nil || was.Segment == (fingerprint.Digest{}):
			return nil, false
		case was != k.Session:
			before[i] = indexed{Session: was}
		}
	}
	return before, true
}

// patchSessions adds the sessions that have changed to a patch. It returns false if their block has to be written from
// scratch.
func (b *indexBuild) patchSessions(patch *search.Patch, layout search.Layout, before, sessions []indexed) bool {
	unit := 0
	for i, k := range sessions {
		old := before[i]
		if isLast := i == len(sessions)-1; old.Units != k.Units && !isLast {
			return false
		}
		if old.Session != k.Session && blockKey(layout, before[i:i+1]) != blockKey(layout, sessions[i:i+1]) {
			now, err := b.segments.Units(k.Session)
			if err != nil {
				return false
			}
			was := now
			if old.Segment != k.Segment {
				if was, err = b.segments.Replaced(k.Folder, old.Segment); err != nil {
					return false
				}
			}
			patch.Session(i, unit, old.entry(was), k.entry(now))
		}
		unit += k.Units
	}
	return true
}

// In sites of serialBlocks or more sessions, one block is made at a time, and the largest in parts. This saves memory,
// since the summaries of all sessions take much.
const (
	serialBlocks = 1024
	hugeSite     = 4 * serialBlocks // from here on also medium blocks are made in parts
	smallBlock   = 128              // a block of fewer sessions is small
	someParts    = 8
	manyParts    = 32
)

// partsOf returns in how many parts a block with so many of all sessions is made.
func partsOf(sessions, all int) int {
	switch {
	case sessions > serialBlocks:
		return manyParts
	case all > hugeSite && sessions > smallBlock:
		return someParts
	}
	return 1
}

// writeBlock writes one block from its segments. A session whose segment cannot be read is drawn again by the next
// build.
func (b *indexBuild) writeBlock(block *blockBuild, sessions []indexed, parts int) (err error) {
	watch := b.stages.Stopwatch()
	own := make([]*state.Session, len(sessions))
	for i, k := range sessions {
		own[i] = k.Session
	}
	entries := func(yield func(search.Entry) bool) {
		for i, read := range b.segments.Ahead(own) {
			k := sessions[i]
			units, err := read()
			watch.Lap(StageRead, 0)
			if err != nil {
				b.list.forget(k)
				continue
			}
			if !yield(k.entry(units)) {
				return
			}
			watch.Lap(StageIndex, 0)
		}
	}
	block.isNew = true
	if parts > 1 {
		return b.writeParts(block, entries, parts)
	}
	block.Shards, block.size, err = search.WriteBlock(block.layout, block.Name, entries, b.writeIndexFile(watch))
	return err
}

// writeIndexFile returns a function that writes a file of the search index and measures the time.
func (b *indexBuild) writeIndexFile(watch *Stopwatch) func(search.File) error {
	return func(f search.File) error {
		watch.Lap(StageIndex, 0)
		defer watch.Lap(StageWrite, 0)
		return b.out.Write(f.Name, f.Data)
	}
}

// writeParts writes a block in parts on all cores.
func (b *indexBuild) writeParts(block *blockBuild, entries iter.Seq[search.Entry], number int) error {
	var spool output.Spool
	defer spool.Close()
	parts := search.NewBlockParts(block.layout, block.Name, number, &spooled{spool: &spool})
	for e := range entries {
		if err := parts.Add(e); err != nil {
			return err
		}
	}
	each := func(do func(part int, watch *Stopwatch) error) error {
		var group errgroup.Group
		group.SetLimit(runtime.GOMAXPROCS(0))
		for part := range number {
			group.Go(func() error {
				watch := b.stages.Stopwatch()
				defer watch.Lap(StageIndex, 0)
				return do(part, watch)
			})
		}
		return group.Wait()
	}
	var sum atomic.Int64
	err := each(func(part int, _ *Stopwatch) error {
		n, err := parts.Size(part)
		sum.Add(int64(n))
		return err
	})
	if err != nil {
		return err
	}
	block.size = int(sum.Load())
	block.Shards = search.Shards(block.size)
	for _, f := range parts.Listing() {
		if err := b.out.Write(f.Name, f.Data); err != nil {
			return err
		}
	}
	return each(func(part int, watch *Stopwatch) error {
		return parts.Write(part, block.size, b.writeIndexFile(watch))
	})
}

// A spooled is a spool whose items are numbered.
type spooled struct {
	spool *output.Spool
	spans []output.Span
}

func (s *spooled) Put(data []byte) (int, error) {
	span, err := s.spool.Put(data)
	s.spans = append(s.spans, span)
	return len(s.spans) - 1, err
}

func (s *spooled) Get(id int) ([]byte, error) { return s.spool.Get(s.spans[id]) }
