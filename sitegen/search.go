package sitegen

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sync/errgroup"

	"viewer/render"
	"viewer/search"
)

// The search index is made in two steps. When a session is drawn, the text of
// its pages is written beside them, and its terms into a part, which no page
// needs and the next build may. When all sessions are drawn they are dealt onto
// blocks, and a block that holds another part than in the last build, or others,
// is put together from its parts. So a build reads those of the blocks that
// changed, and none when nothing did.

// partsDir holds the parts, a file a session.
const partsDir = stateDir + "/search"

func partName(folder string) string { return partsDir + "/" + folder }

// A searched is what is kept of the index of a session.
type searched struct {
	Part  digest `json:"part"`
	Units int    `json:"units"`
}

// index writes the text of a session for searches, and its part. A session of
// several pages has its text in a site without an index too, for the search on them.
func (d *drawing) index(s render.Session, k *knownSession) error {
	paged := d.book.Len() > 1
	if d.NoSearch && !paged || d.out == nil || k.Summary.Empty {
		return nil
	}
	watch := d.stages.Watch()
	own, err := d.shelf()
	if err != nil {
		return err
	}
	var units []search.Unit
	for u := range search.Units(search.Session{Conversation: s.Conversation, Title: k.Summary.Title, Spilled: s.Spilled, Page: d.book.PageOf, Known: d.known}) {
		file := u.File(s.Folder)
		watch.Lap(StageIndex, 0)
		if err := d.put(own, u.Name(), file, u.Page, d.verify || d.unchanged[u.Page]); err != nil {
			return err
		}
		watch.Lap(StageWrite, 0)
		units = append(units, u.Stub())
	}
	for page := range d.unchanged {
		if d.known(page) {
			units = append(units, d.old.units[page]...)
		}
	}
	search.SortUnits(units)
	if d.units != nil {
		for _, u := range units {
			d.units[u.Page] = append(d.units[u.Page], u)
		}
	}
	if paged {
		pages := make([]string, d.book.Len())
		for i := range pages {
			pages[i] = d.book.Name(i)
		}
		list := search.PageList(s.Folder, pages, units)
		if err := d.put(own, list.Name, list.Data, "", d.verify); err != nil {
			return err
		}
	}
	if d.NoSearch {
		return nil
	}
	part := search.Part(units)
	k.Search = &searched{digestOf(part), len(units)}
	watch.Lap(StageIndex, 0)
	err = d.keepPart(s.Folder, part)
	watch.Lap(StageWrite, 0)
	return err
}

// keepPart writes the part of a session, which is the same as before more often
// than not; else that of before is what its block is mended by.
func (b *builder) keepPart(folder string, part []byte) error {
	old, err := b.out.root.ReadFile(partName(folder))
	if err == nil {
		if bytes.Equal(old, part) {
			return nil
		}
		b.partsMu.Lock()
		if len(b.parts) < mostMended {
			b.parts[folder] = old
		}
		b.partsMu.Unlock()
	}
	return b.out.keepState(partName(folder), part)
}

// mostMended is for how many sessions that changed blocks are mended, and not put
// together anew.
const mostMended = 16

// hasPart says whether the part of a session is there, unless none is wanted.
func (b *builder) hasPart(k *knownSession) bool {
	if b.NoSearch || k.Summary.Empty || b.out == nil {
		return true
	}
	if k.Search == nil {
		return false
	}
	b.listing.Do(func() {
		entries, _ := os.ReadDir(filepath.Join(b.out.dir, filepath.FromSlash(partsDir))) // what is not listed is not there
		b.listed = make(map[string]bool, len(entries))
		for _, e := range entries {
			b.listed[e.Name()] = e.Type().IsRegular()
		}
	})
	return b.listed[k.Summary.Folder]
}

// search writes the blocks of the index that are not what they were, and
// removes parts that belong to no session any more.
func (b *builder) search(results []result) error {
	var all []*knownSession
	for _, r := range results {
		if r.Search != nil && !r.Summary.Empty {
			all = append(all, r.knownSession)
		}
	}
	if !b.NoSearch {
		if err := b.blocks(all); err != nil {
			return err
		}
	}
	if len(all) == len(b.old.sessions) && b.old.why == "" && len(b.next.sessions) == len(b.old.sessions) {
		return nil // nothing came or went
	}
	parts := make(map[string]bool)
	for _, k := range all {
		parts[k.Summary.Folder] = true
	}
	return b.out.pruneParts(parts)
}

// pruneParts removes the other parts.
func (o *output) pruneParts(wanted map[string]bool) error {
	entries, err := os.ReadDir(filepath.Join(o.dir, filepath.FromSlash(partsDir)))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return errReading(partsDir, err)
	}
	for _, e := range entries {
		if !wanted[e.Name()] && !strings.HasPrefix(e.Name(), ".") {
			o.root.Remove(partName(e.Name())) // a file too many does no harm
		}
	}
	return nil
}

// blocks writes the index of sessions.
func (b *builder) blocks(all []*knownSession) error {
	all = slices.Clone(all)
	slices.SortFunc(all, func(a, b *knownSession) int {
		return cmp.Or(a.Summary.Start.Compare(b.Summary.Start), cmp.Compare(a.Summary.Folder, b.Summary.Folder))
	})
	files := b.blockFiles()
	before := make(map[string]*knownSession, len(b.old.sessions))
	for _, k := range b.old.sessions {
		before[k.Summary.Folder] = k
	}
	blocks := search.Blocks(len(all))
	listings := make([]search.Listing, len(blocks))
	keys, sizes := make([]digest, len(blocks)), make([]int, len(blocks))
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, block := range blocks {
		sessions := all[block.First:block.End]
		l := &listings[i]
		*l = search.Listing{Name: block.Name, Sessions: len(sessions)}
		for _, k := range sessions {
			l.Units += k.Search.Units
		}
		keys[i] = blockKey(sessions)
		name := search.DirectoryName(block.Name)
		if known := files[block.Name]; len(known) > 1 && b.old.indexes[name] == keys[i] && !b.Force && !b.Verify && b.out.intact(known...) {
			b.out.keep(known)
			l.Shards, sizes[i] = len(known)-1, b.old.sizes[name]
			continue
		}
		group.Go(func() (err error) {
			if l.Shards, sizes[i], err = b.mend(block.Name, sessions, before, files[block.Name]); l.Shards == 0 && err == nil {
				l.Shards, sizes[i], err = b.block(block.Name, sessions)
			}
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	for i, block := range blocks {
		name := search.DirectoryName(block.Name)
		b.next.indexes[name], b.next.sizes[name] = keys[i], sizes[i]
	}
	contents := search.Contents(listings)
	return b.out.write(contents.Name, contents.Data)
}

// blockFiles are the files of each block as the last build left them.
func (b *builder) blockFiles() map[string][]string {
	files := make(map[string][]string)
	b.out.mu.Lock()
	defer b.out.mu.Unlock()
	for name := range b.out.known {
		if rest, ok := strings.CutPrefix(name, search.Folder); ok {
			block, _, _ := strings.Cut(rest, ".")
			files[block] = append(files[block], name)
		}
	}
	return files
}

// blockKey stands for all that a block holds.
func blockKey(sessions []*knownSession) digest {
	h := sha256.New()
	for _, k := range sessions {
		s := k.Summary
		add(h, s.Folder, s.Title, s.Project.Name, strings.Join(s.Models, " "), string(k.Search.Part[:]), strconv.Itoa(k.Search.Units))
	}
	return digest(h.Sum(nil)[:16])
}

// units reads the part of a session, and when that is of no use the texts beside
// its pages, of which it is made again.
func (b *builder) units(k *knownSession) ([]search.Unit, error) {
	name := partName(k.Summary.Folder)
	data, err := b.out.root.ReadFile(name)
	if err == nil && digestOf(data) == k.Search.Part {
		return search.ReadPart(data)
	}
	var units []search.Unit
	top := "s/" + k.Summary.Folder + "/"
	for _, output := range k.Outputs {
		if rest, ok := strings.CutPrefix(output, top); ok && search.IsUnit(rest) {
			file, err := b.out.root.ReadFile(output)
			if err != nil {
				return nil, err
			}
			u, err := search.ReadUnit(rest, file)
			if err != nil {
				return nil, err
			}
			units = append(units, u)
		}
	}
	search.SortUnits(units)
	return units, b.out.keepState(name, search.Part(units))
}

// entry is a session as a block has it.
func (k *knownSession) entry(units []search.Unit) search.Entry {
	s := k.Summary
	return search.Entry{Folder: s.Folder, Title: s.Title, Project: s.Project.Name, Models: s.Models, Units: units}
}

// mend changes the files of a block of whose sessions a few have other terms than
// in the last build, and gives the number of its shards and the size of its rows. It
// gives no shards when the block has to be put together.
func (b *builder) mend(name string, sessions []*knownSession, old map[string]*knownSession, files []string) (shards, size int, err error) {
	directory := search.DirectoryName(name)
	size, ok := b.old.sizes[directory]
	if !ok || len(files) < 2 || b.Force || b.Verify || !b.out.intact(files...) {
		return 0, 0, nil
	}
	watch := b.stages.Watch()
	defer watch.Lap(StageIndex, 0)
	before := make([]*knownSession, len(sessions))
	for i, k := range sessions {
		if before[i] = old[k.Summary.Folder]; before[i] == nil || before[i].Search == nil {
			return 0, 0, nil
		}
	}
	if blockKey(before) != b.old.indexes[directory] {
		return 0, 0, nil
	}
	patch := search.NewPatch(name, len(files)-1, size)
	unit := 0
	for i, k := range sessions {
		old := before[i]
		if isLast := i == len(sessions)-1; old.Search.Units != k.Search.Units && !isLast {
			return 0, 0, nil
		}
		if old != k && blockKey(before[i:i+1]) != blockKey(sessions[i:i+1]) {
			now, err := b.units(k)
			if err != nil {
				return 0, 0, nil
			}
			was := now
			if old.Search.Part != k.Search.Part {
				part := b.parts[k.Summary.Folder]
				if digestOf(part) != old.Search.Part {
					return 0, 0, nil
				}
				if was, err = search.ReadPart(part); err != nil {
					return 0, 0, nil
				}
			}
			patch.Session(i, unit, old.entry(was), k.entry(now))
		}
		unit += k.Search.Units
	}
	changed, size, err := patch.Files(b.out.root.ReadFile)
	if err != nil {
		return 0, 0, nil
	}
	for _, f := range changed {
		if err := b.out.write(f.Name, f.Data); err != nil {
			return 0, 0, err
		}
	}
	b.out.keep(files)
	return len(files) - 1, size, nil
}

// block puts one together from its parts, and gives the number of its shards and
// the size of its rows. A session that cannot be read is drawn again by the next build.
func (b *builder) block(name string, sessions []*knownSession) (shards, size int, err error) {
	watch := b.stages.Watch()
	w := search.NewBlockWriter(name)
	for _, k := range sessions {
		units, err := b.units(k)
		watch.Lap(StageRead, 0)
		if err != nil {
			k.Search, k.Key, k.raw = nil, digest{}, nil
			continue
		}
		w.Add(k.entry(units))
		watch.Lap(StageIndex, 0)
	}
	files, size := w.Files()
	watch.Lap(StageIndex, 0)
	for _, f := range files {
		if err := b.out.write(f.Name, f.Data); err != nil {
			return 0, 0, err
		}
	}
	watch.Lap(StageWrite, 0)
	return len(files) - 1, size, nil
}
