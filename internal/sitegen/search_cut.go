package sitegen

import (
	"maps"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"viewer/internal/fingerprint"
	"viewer/internal/search"
)

// writeCutContents writes the other files of the index of a large site: the blocks with each term, the blocks with
// sessions of each project, and the list of all.
func (b *indexBuild) writeCutContents(blocks []blockBuild, files map[string][]string) error {
	var directories []search.TermDirectory
	for i := 0; i < len(blocks); {
		level, n := search.LevelOf(blocks[i].Name), 1
		for i+n < len(blocks) && search.LevelOf(blocks[i+n].Name) == level {
			n++
		}
		if level != "" {
			d, err := b.writeTerms(level, blocks[i:i+n], files["terms-"+level])
			if err != nil {
				return err
			}
			directories = append(directories, d)
		}
		i += n
	}
	projects := make(map[string][]int)
	for i := range blocks {
		block := &blocks[i]
		for _, session := range block.sessions {
			name := b.list.Listed(int(session)).Project.Name
			if of := projects[name]; len(of) == 0 || of[len(of)-1] != i {
				projects[name] = append(of, i)
			}
		}
		file, err := b.out.ReadFile(search.DirectoryName(block.Name))
		if err == nil {
			block.First, block.Last, err = search.Days(file)
		}
		if err != nil {
			return err
		}
	}
	var named []search.ProjectBlocks
	for _, name := range slices.Sorted(maps.Keys(projects)) {
		named = append(named, search.ProjectBlocks{Project: name, Blocks: projects[name]})
	}
	for _, f := range []search.File{search.ProjectsFile(named), search.CutContents(listingsOf(blocks), directories)} {
		if err := b.out.Write(f.Name, f.Data); err != nil {
			return err
		}
	}
	return nil
}

// writeTerms writes the directory of the terms of some blocks, or only its changes.
func (b *indexBuild) writeTerms(level string, blocks []blockBuild, files []string) (search.TermDirectory, error) {
	var of []search.TermBlock
	var key []byte
	for _, block := range blocks {
		of = append(of, search.TermBlock{Name: block.Name, Shards: block.Shards})
		key = append(key, block.key[:]...)
	}
	d := search.NewTermDirectory(level, of)
	name := d.Prefix()
	b.setIndexKey(name, fingerprint.Of(key))
	b.next.RowSizes[name] = len(of)
	isKnown := len(files) == d.Shards && b.old.RowSizes[name] == len(of) && !b.Force && !b.Verify &&
		b.out.Intact(files...)
	if isKnown && b.old.IndexKeys[name] == fingerprint.Of(key) {
		b.out.Keep(files...)
		return d, nil
	}
	write := func(f search.File) error { return b.out.Write(f.Name, f.Data) }
	isNew := func(block blockBuild) bool { return block.isNew }
	if isKnown && !slices.ContainsFunc(blocks, isNew) && b.termsWere(blocks, name) {
		changed := make([][]int, len(blocks))
		for i, block := range blocks {
			changed[i] = block.changed
		}
		err := d.Patch(of, changed, b.out.ReadFile, write)
		b.out.Keep(files...)
		return d, err
	}
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for n := range d.Groups(of) {
		group.Go(func() error { return d.WriteGroup(n, of, b.out.ReadFile, write) })
	}
	return d, group.Wait()
}

// termsWere reports whether a directory is that of the blocks before this build.
func (b *indexBuild) termsWere(blocks []blockBuild, name string) bool {
	var key []byte
	for _, block := range blocks {
		directory := search.DirectoryName(block.Name)
		before, ok := b.old.IndexKeys[directory]
		if !ok {
			return false
		}
		key = append(key, before[:]...)
	}
	return fingerprint.Of(key) == b.old.IndexKeys[name]
}
