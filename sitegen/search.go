package sitegen

import (
	"bytes"
	"cmp"
	"errors"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

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

// partShelf is the folder of the parts, which a build opens once.
func (b *builder) partShelf() (*shelf, error) {
	b.partsMu.Lock()
	defer b.partsMu.Unlock()
	if b.partsOn == nil {
		on, err := b.out.open(partsDir)
		if err != nil {
			return nil, err
		}
		b.partsOn = on
	}
	return b.partsOn, nil
}

// texts has the text of each page put in place for searches. A session of several pages has
// its text in a site without an index too, for the search on them.
func (d *drawing) texts(s render.Session, group *errgroup.Group) {
	if d.NoSearch && d.book.Len() == 1 || d.out == nil {
		return
	}
	d.keepText(s)
	texts := search.Session{
		Conversation: s.Conversation, Title: render.Title(s.Conversation), Spilled: s.Spilled, Page: d.book.PageOf, Known: d.known,
	}.Texts()
	for i := range texts.Len() {
		group.Go(func() error { return d.text(texts.Files(i, s.Folder)) })
	}
}

// text puts the text of a page in place.
func (d *drawing) text(files iter.Seq2[search.Unit, []byte]) error {
	watch := d.stages.Watch()
	for u, file := range files {
		watch.Lap(StageIndex, 0)
		if d.book.Len() == 1 {
			if <-d.opened; d.end.Summary.Empty {
				return nil
			}
		}
		own, err := d.shelf()
		if err != nil {
			return err
		}
		if err := d.put(own, u.Name(), file, u.Page, d.verify || d.unchanged[u.Page]); err != nil {
			return err
		}
		watch.Lap(StageWrite, 0)
		d.mu.Lock()
		d.texted = append(d.texted, u)
		d.mu.Unlock()
	}
	return nil
}

// index writes what else there is of a session for searches: the list of its pages and its
// part, of which it gives the digest and the number of units.
func (d *drawing) index(s render.Session) (part digest, n int, err error) {
	if d.out == nil || d.end.Summary.Empty {
		return digest{}, 0, nil
	}
	watch := d.stages.Watch()
	units := d.texted
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
	if d.book.Len() > 1 {
		pages := make([]string, d.book.Len())
		for i := range pages {
			pages[i] = d.book.Name(i)
		}
		own, err := d.shelf()
		if err != nil {
			return digest{}, 0, err
		}
		list := search.PageList(s.Folder, pages, units)
		if err := d.put(own, list.Name, list.Data, "", d.verify); err != nil {
			return digest{}, 0, err
		}
	}
	if d.NoSearch {
		return digest{}, 0, nil
	}
	data := search.AppendPart(d.old.terms.room[:0], units)
	part = digestOf(data)
	if d.units != nil {
		d.now = terms{part, units, data}
		d.partsMu.Lock()
		d.terms[d.old.terms.part], d.terms[part] = d.old.terms, d.now
		d.partsMu.Unlock()
	}
	watch.Lap(StageIndex, 0)
	err = d.keepPart(s.Folder, data, part)
	watch.Lap(StageWrite, 0)
	return part, len(units), err
}

// keepText leaves the text of the first page as it is, which is drawn each time, when
// what is new is on others.
func (d *drawing) keepText(s render.Session) {
	first := d.book.Name(0)
	if d.Verify || len(s.Spilled) > 0 || d.old.units[first] == nil || !d.book.TextSame(0) {
		return
	}
	var files []string
	for _, name := range d.old.files[first] {
		if search.IsUnit(strings.TrimPrefix(name, d.folder+"/")) {
			files = append(files, name)
		}
	}
	if !d.out.intact(files...) {
		return
	}
	d.out.keep(files)
	d.outputs, d.files[first] = append(d.outputs, files...), append(d.files[first], files...)
	d.unchanged[first] = true
}

// terms are what a part of the index holds.
type terms struct {
	part  digest
	units []search.Unit
	room  []byte // for the next part of the session
}

// keepPart writes the part of a session, which is the same as before more often
// than not; else that of before is what its block is mended by.
func (d *drawing) keepPart(folder string, data []byte, part digest) error {
	on, err := d.partShelf()
	if err != nil {
		return err
	}
	if d.old.terms.part != (digest{}) { // which is there, when anything is
		if info, err := on.root.Lstat(folder); d.old.terms.part == part && err == nil && info.Mode().IsRegular() && info.Size() == int64(len(data)) {
			return nil
		}
		return on.keepState(folder, data)
	}
	if old, err := on.root.ReadFile(folder); err == nil {
		if bytes.Equal(old, data) {
			return nil
		}
		d.partsMu.Lock()
		if len(d.parts) < mostMended {
			d.parts[folder] = old
		}
		d.partsMu.Unlock()
	}
	return on.keepState(folder, data)
}

// mostMended is for how many sessions that changed blocks are mended, and not put
// together anew.
const mostMended = 16

// hasPart says whether the part of a session is there, unless none is wanted.
func (b *builder) hasPart(k *knownSession) bool {
	if b.NoSearch || k.empty || b.out == nil {
		return true
	}
	if k.part == (digest{}) {
		return false
	}
	b.listing.Do(func() {
		entries, _ := os.ReadDir(filepath.Join(b.out.dir, filepath.FromSlash(partsDir))) // what is not listed is not there
		b.listed = make(map[string]bool, len(entries))
		for _, e := range entries {
			b.listed[e.Name()] = e.Type().IsRegular()
		}
	})
	return b.listed[k.folder]
}

// A listed is a session on the index pages.
type listed struct {
	*knownSession
	start   time.Time
	summary *render.Summary // nil where there are too many to have all at hand
}

// said is what lists say of it.
func (k listed) said() *render.Summary {
	if k.summary != nil {
		return k.summary
	}
	s := k.knownSession.summary()
	return &s
}

// search writes the blocks of the index that are not what they were, and
// removes parts that belong to no session any more.
func (b *builder) search(sessions []listed) error {
	var all []listed
	for _, l := range sessions {
		if l.part != (digest{}) {
			all = append(all, l)
		}
	}
	if !b.NoSearch {
		if err := b.blocks(all); err != nil {
			return err
		}
	}
	if b.old.why == "" && b.sameFolders() {
		return nil
	}
	parts := make(map[string]bool)
	for _, l := range all {
		parts[l.folder] = true
	}
	return b.out.pruneParts(parts)
}

// sameFolders says that no session came or went since the last build, or has
// another folder, or a part where it had none.
func (b *builder) sameFolders() bool {
	for id, k := range b.next.sessions {
		old := b.old.sessions[id]
		if old == nil || old.folder != k.folder || (old.part == digest{}) != (k.part == digest{}) {
			return false
		}
	}
	return len(b.next.sessions) == len(b.old.sessions)
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
func (b *builder) blocks(all []listed) error {
	slices.SortFunc(all, func(a, b listed) int {
		return cmp.Or(a.start.Compare(b.start), cmp.Compare(a.folder, b.folder))
	})
	files := b.blockFiles()
	before := make(map[string]*knownSession, len(b.old.sessions))
	for _, k := range b.old.sessions {
		before[k.folder] = k
	}
	blocks := search.Blocks(len(all))
	listings := make([]search.Listing, len(blocks))
	keys, sizes := make([]digest, len(blocks)), make([]int, len(blocks))
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	if len(all) > manySessions {
		group.SetLimit(1)
	}
	for i, block := range blocks {
		sessions := all[block.First:block.End]
		l := &listings[i]
		*l = search.Listing{Name: block.Name, Sessions: len(sessions)}
		for _, k := range sessions {
			l.Units += k.units
		}
		keys[i] = blockKey(sessions)
		name := search.DirectoryName(block.Name)
		if known := files[block.Name]; len(known) > 1 && b.old.indexes[name] == keys[i] && !b.Force && !b.Verify && b.out.intact(known...) {
			b.out.keep(known)
			l.Shards, sizes[i] = len(known)-1, b.old.sizes[name]
			continue
		}
		shares := 1
		switch {
		case len(sessions) > manySessions:
			shares = manyShares
		case len(all) > manySessions && len(sessions) > smallBlock:
			shares = someShares
		}
		group.Go(func() (err error) {
			if l.Shards, sizes[i], err = b.mend(block.Name, sessions, before, files[block.Name]); l.Shards == 0 && err == nil {
				l.Shards, sizes[i], err = b.block(block.Name, sessions, shares)
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
	for i := range b.out.known.all {
		name := b.out.known.all[i].name
		if rest, ok := strings.CutPrefix(name, search.Folder); ok {
			block, _, _ := strings.Cut(rest, ".")
			files[block] = append(files[block], name)
		}
	}
	return files
}

// blockKey stands for all that a block holds.
func blockKey(sessions []listed) digest {
	r := make(record, 0, 256*len(sessions))
	for _, k := range sessions {
		s := k.said()
		r.text(s.Folder, s.Title, s.Project.Name)
		r.texts(s.Models)
		r.digest(k.part)
		r.number(int64(k.units))
	}
	return digestOf(r)
}

// units reads the part of a session, and when that is of no use the texts beside
// its pages, of which it is made again.
func (b *builder) units(k *knownSession) ([]search.Unit, error) {
	if known, ok := b.terms[k.part]; ok && k.part != (digest{}) {
		return known.units, nil
	}
	on, err := b.partShelf()
	if err != nil {
		return nil, err
	}
	data, err := on.root.ReadFile(k.folder)
	if err == nil && digestOf(data) == k.part {
		return search.ReadPart(data)
	}
	var units []search.Unit
	top := "s/" + k.folder + "/"
	for _, output := range k.files() {
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
	return units, on.keepState(k.folder, search.Part(units))
}

// entry is a session as a block has it.
func (k listed) entry(units []search.Unit) search.Entry {
	s := k.said()
	return search.Entry{Folder: s.Folder, Title: s.Title, Project: s.Project.Name, Models: s.Models, Units: units}
}

// mend changes the files of a block of whose sessions a few have other terms than
// in the last build, and gives the number of its shards and the size of its rows. It
// gives no shards when the block has to be put together.
func (b *builder) mend(name string, sessions []listed, old map[string]*knownSession, files []string) (shards, size int, err error) {
	directory := search.DirectoryName(name)
	size, ok := b.old.sizes[directory]
	if !ok || len(files) < 2 || b.Force || b.Verify || !b.out.intact(files...) {
		return 0, 0, nil
	}
	watch := b.stages.Watch()
	defer watch.Lap(StageIndex, 0)
	before := slices.Clone(sessions)
	for i, k := range sessions {
		switch was := old[k.folder]; {
		case was == nil || was.part == (digest{}):
			return 0, 0, nil
		case was != k.knownSession:
			before[i] = listed{knownSession: was}
		}
	}
	if blockKey(before) != b.old.indexes[directory] {
		return 0, 0, nil
	}
	patch := search.NewPatch(name, len(files)-1, size)
	unit := 0
	for i, k := range sessions {
		old := before[i]
		if isLast := i == len(sessions)-1; old.units != k.units && !isLast {
			return 0, 0, nil
		}
		if old != k && blockKey(before[i:i+1]) != blockKey(sessions[i:i+1]) {
			now, err := b.units(k.knownSession)
			if err != nil {
				return 0, 0, nil
			}
			was := now
			if known, ok := b.terms[old.part]; ok { // a part has no digest of zeros
				was = known.units
			} else if old.part != k.part {
				part := b.parts[k.folder]
				if digestOf(part) != old.part {
					return 0, 0, nil
				}
				if was, err = search.ReadPart(part); err != nil {
					return 0, 0, nil
				}
			}
			patch.Session(i, unit, old.entry(was), k.entry(now))
		}
		unit += k.units
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

// manySessions is from how many sessions on in a site one block is made at a time,
// and large ones in shares.
const (
	manySessions = 1024
	smallBlock   = 128 // which is not
	someShares   = 4
	manyShares   = 16
)

// block puts one together from its parts, and gives the number of its shards and
// the size of its rows. A session that cannot be read is drawn again by the next build.
func (b *builder) block(name string, sessions []listed, shares int) (shards, size int, err error) {
	watch := b.stages.Watch()
	entries := func(yield func(search.Entry) bool) {
		for _, k := range sessions {
			if k.part == (digest{}) {
				continue
			}
			units, err := b.units(k.knownSession)
			watch.Lap(StageRead, 0)
			if err != nil {
				k.part, k.key = digest{}, digest{}
				continue
			}
			if !yield(k.entry(units)) {
				return
			}
			watch.Lap(StageIndex, 0)
		}
	}
	return search.WriteBlock(name, entries, shares, func(f search.File) error {
		watch.Lap(StageIndex, 0)
		defer watch.Lap(StageWrite, 0)
		return b.out.write(f.Name, f.Data)
	})
}
