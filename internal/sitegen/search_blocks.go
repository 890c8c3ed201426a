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
func (b *builder) writeBlocks(l *indexedSessions, all []int32) error {
	all = l.order(all, func(a, b *indexpages.Listed) int { return 0 })
	files := b.blockFiles()
	layout := b.layout(len(all))
	var blocks []blockBuild
	for _, block := range search.Blocks(len(all)) {
		blocks = append(blocks, blockBuild{sessions: all[block.First:block.End],
			Listing: search.Listing{Name: block.Name, Sessions: block.End - block.First}})
	}
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	if len(all) > serialBlocks {
		group.SetLimit(1)
	}
	for i := range blocks {
		block := &blocks[i]
		sessions := l.sessions(block.sessions)
		if err := l.failed(); err != nil {
			return errors.Join(err, group.Wait())
		}
		for _, k := range sessions {
			block.Units += k.Units
		}
		block.key = blockKey(layout, sessions)
		name := search.DirectoryName(block.Name)
		if known := files[block.Name]; len(known) > 1 && b.isKnown(name, block.key) && b.out.Intact(known...) {
			b.out.Keep(known...)
			block.Shards, block.size = countShards(known), b.old.RowSizes[name]
			continue
		}
		parts := 1
		switch {
		case len(sessions) > serialBlocks:
			parts = manyParts
		case len(all) > hugeSite && len(sessions) > smallBlock:
			parts = someParts
		}
		group.Go(func() (err error) {
			known := files[block.Name]
			block.Shards, block.size, block.changed, err = b.updateBlock(layout, block.Name, sessions, l.before, known)
			if block.Shards == 0 && err == nil {
				block.isNew = true
				block.Shards, block.size, err = b.writeBlock(layout, block.Name, sessions, parts)
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
		return b.writeCutContents(l, blocks, files)
	}
	contents := search.Contents(listingsOf(blocks))
	return b.out.Write(contents.Name, contents.Data)
}

// layout returns the layout of a search index of so many sessions.
func (b *builder) layout(sessions int) search.Layout {
	if b.large(sessions) {
		return search.Cut
	}
	return search.Whole
}

// A blockBuild is a block of the search index, and what this build has written of it.
type blockBuild struct {
	search.Listing
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
func (b *builder) blockFiles() map[string][]string {
	files := make(map[string][]string)
	for _, name := range b.out.Names(search.Folder) {
		block, _, _ := strings.Cut(strings.TrimPrefix(name, search.Folder), ".")
		files[block] = append(files[block], name)
	}
	return files
}

// blockKey returns a hash of the content of a block.
func blockKey(layout search.Layout, sessions []indexed) fingerprint.Digest {
	r := make(codec.Encoder, 0, 256*len(sessions))
	r.Int(int64(layout))
	for _, k := range sessions {
		s := k.listSummary()
		r.Text(s.Folder, s.Title, s.Project.Name, s.Writer)
		r.Texts(s.Models)
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

// updateBlock updates the files of a block in which the segments of a few sessions have changed. It returns the number
// of shards, the size of the rows and which shards have changed. No shards means that the block has to be written from
// scratch.
func (b *builder) updateBlock(
	layout search.Layout, name string, sessions []indexed, old func(indexed) *state.Session, files []string,
) (shards, size int, changed []int, err error) {
	directory := search.DirectoryName(name)
	size, ok := b.old.RowSizes[directory]
	if !ok || len(files) < 2 || b.Force || b.Verify || !b.out.Intact(files...) {
		return 0, 0, nil, nil
	}
	watch := b.stages.Stopwatch()
	defer watch.Lap(StageIndex, 0)
	before := slices.Clone(sessions)
	for i, k := range sessions {
		switch was := old(k); {
		case was == nil || was.Segment == (fingerprint.Digest{}):
			return 0, 0, nil, nil
		case was != k.Session:
			before[i] = indexed{Session: was}
		}
	}
	if blockKey(layout, before) != b.old.IndexKeys[directory] {
		return 0, 0, nil, nil
	}
	patch := search.NewPatch(layout, name, countShards(files), size)
	unit := 0
	for i, k := range sessions {
		old := before[i]
		if isLast := i == len(sessions)-1; old.Units != k.Units && !isLast {
			return 0, 0, nil, nil
		}
		if old.Session != k.Session && blockKey(layout, before[i:i+1]) != blockKey(layout, sessions[i:i+1]) {
			now, err := b.segments.Units(k.Session)
			if err != nil {
				return 0, 0, nil, nil
			}
			was := now
			if old.Segment != k.Segment {
				if was, err = b.segments.Replaced(k.Folder, old.Segment); err != nil {
					return 0, 0, nil, nil
				}
			}
			patch.Session(i, unit, old.entry(was), k.entry(now))
		}
		unit += k.Units
	}
	written, size, err := patch.Files(b.out.ReadFile)
	if err != nil {
		return 0, 0, nil, nil
	}
	for _, f := range written {
		if err := b.out.Write(f.Name, f.Data); err != nil {
			return 0, 0, nil, err
		}
	}
	b.out.Keep(files...)
	return countShards(files), size, patch.Shards(), nil
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

// writeBlock writes one block from its segments. It returns the number of its shards and the size of its rows. A
// session whose segment cannot be read is drawn again by the next build.
func (b *builder) writeBlock(
	layout search.Layout, name string, sessions []indexed, parts int,
) (shards, size int, err error) {
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
				if k.Forget(); k.forget != nil {
					k.forget()
				}
				continue
			}
			if !yield(k.entry(units)) {
				return
			}
			watch.Lap(StageIndex, 0)
		}
	}
	if parts > 1 {
		return b.writeParts(layout, name, entries, parts)
	}
	return search.WriteBlock(layout, name, entries, func(f search.File) error {
		watch.Lap(StageIndex, 0)
		defer watch.Lap(StageWrite, 0)
		return b.out.Write(f.Name, f.Data)
	})
}

// writeParts writes a block in parts on all cores.
func (b *builder) writeParts(
	layout search.Layout, name string, entries iter.Seq[search.Entry], parts int,
) (shards, size int, err error) {
	var spool output.Spool
	defer spool.Close()
	block := search.NewBlockParts(layout, name, parts, &spooled{spool: &spool})
	for e := range entries {
		if err := block.Add(e); err != nil {
			return 0, 0, err
		}
	}
	each := func(do func(part int, watch *Stopwatch) error) error {
		var group errgroup.Group
		group.SetLimit(runtime.GOMAXPROCS(0))
		for part := range parts {
			group.Go(func() error {
				watch := b.stages.Stopwatch()
				defer watch.Lap(StageIndex, 0)
				return do(part, watch)
			})
		}
		return group.Wait()
	}
	var sum atomic.Int64
	err = each(func(part int, _ *Stopwatch) error {
		n, err := block.Size(part)
		sum.Add(int64(n))
		return err
	})
	if err != nil {
		return 0, 0, err
	}
	size = int(sum.Load())
	for _, f := range block.Listing() {
		if err := b.out.Write(f.Name, f.Data); err != nil {
			return 0, 0, err
		}
	}
	err = each(func(part int, watch *Stopwatch) error {
		return block.Write(part, size, func(f search.File) error {
			watch.Lap(StageIndex, 0)
			defer watch.Lap(StageWrite, 0)
			return b.out.Write(f.Name, f.Data)
		})
	})
	return search.Shards(size), size, err
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
