package sitegen

import (
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
	written := search.Units(search.Documents(search.Session{Conversation: s.Conversation, Title: k.Summary.Title, Spilled: s.Spilled, Page: d.book.PageOf, Known: d.known}))
	units := slices.Clone(written)
	for page := range d.unchanged {
		if d.known(page) {
			units = append(units, d.old.units[page]...)
		}
	}
	search.SortUnits(units)
	watch.Lap(StageIndex, 0)
	own, err := d.shelf()
	if err != nil {
		return err
	}
	for _, u := range written {
		file := u.File(s.Folder)
		watch.Lap(StageIndex, 0)
		if err := d.put(own, u.Name(), file, u.Page, d.verify || d.unchanged[u.Page]); err != nil {
			return err
		}
		watch.Lap(StageWrite, 0)
	}
	if d.units != nil {
		for _, u := range units {
			d.units[u.Page] = append(d.units[u.Page], u.Stub())
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
	err = d.out.keepPart(partName(s.Folder), part)
	watch.Lap(StageWrite, 0)
	return err
}

// keepPart writes a file of the state that is the same as before more often than not.
func (o *output) keepPart(name string, data []byte) error {
	if info, err := o.top().same(name, data); err == nil && info != nil {
		return nil
	}
	return o.keepState(name, data)
}

// hasPart says whether the part of a session is there, unless none is wanted.
func (b *builder) hasPart(k *knownSession) bool {
	if b.NoSearch || k.Summary.Empty || b.out == nil {
		return true
	}
	if k.Search == nil {
		return false
	}
	info, err := os.Lstat(filepath.Join(b.out.dir, filepath.FromSlash(partName(k.Summary.Folder))))
	return err == nil && info.Mode().IsRegular()
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
	blocks := search.Blocks(len(all))
	listings := make([]search.Listing, len(blocks))
	keys := make([]digest, len(blocks))
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
			l.Shards = len(known) - 1
			continue
		}
		group.Go(func() error {
			shards, err := b.block(block.Name, sessions)
			l.Shards = shards
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	for i, block := range blocks {
		b.next.indexes[search.DirectoryName(block.Name)] = keys[i]
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
	return units, b.out.keepPart(name, search.Part(units))
}

// block puts one together from its parts, and gives the number of its shards. A
// session that cannot be read is drawn again by the next build.
func (b *builder) block(name string, sessions []*knownSession) (int, error) {
	watch := b.stages.Watch()
	entries := make([]search.Entry, 0, len(sessions))
	for _, k := range sessions {
		s := k.Summary
		var err error
		e := search.Entry{Folder: s.Folder, Title: s.Title, Project: s.Project.Name, Models: s.Models}
		if e.Units, err = b.units(k); err != nil {
			k.Search, k.Key, k.raw = nil, digest{}, nil
			continue
		}
		entries = append(entries, e)
	}
	watch.Lap(StageRead, 0)
	files := search.WriteBlock(name, entries)
	watch.Lap(StageIndex, 0)
	for _, f := range files {
		if err := b.out.write(f.Name, f.Data); err != nil {
			return 0, err
		}
	}
	watch.Lap(StageWrite, 0)
	return len(files) - 1, nil
}
