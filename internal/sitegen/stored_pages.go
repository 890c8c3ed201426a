package sitegen

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/cespare/xxhash/v2"

	"viewer/internal/codec"
	"viewer/internal/fingerprint"
	"viewer/internal/search"
	"viewer/internal/sitegen/output"
	"viewer/render"
)

// A build that reads a large session stores the signatures of its pages, so that a later process draws only the pages
// that show something new. They are used if the session file was only appended to, the other files are unchanged, and
// no new secrets were found. Otherwise all pages are drawn.

// pagesDir holds these files, one for each large session, named as the folder of the session.
const pagesDir = output.StateDir + "/pages"

// storedSize is the size of the files of a session from which on its pages are stored, in bytes. Those of smaller
// sessions are drawn in a few milliseconds.
const storedSize = 4 << 20

const pagesMagic = "viewer pages 2\n"

// storesPages reports whether the signatures of the pages are stored. A process that builds a site repeatedly has them
// in memory. Without an index, the units of pages that are not drawn are unknown.
func (b *sessionBuild) storesPages(in render.Session) bool {
	return b.files != nil && b.cache == nil && !in.Fault && b.site != nil && !b.site.shared && b.out != nil &&
		!b.out.IsBucket() && !b.NoSearch && b.session.size() >= cmp.Or(b.storedSize, storedSize)
}

// readPages reads the stored signatures. It returns no files if they cannot be used.
func (b *sessionBuild) readPages(planned *render.Pages) (pages cachedPages) {
	old := b.old.Sessions[b.session.main.id]
	if old == nil || !b.onlyAppended() {
		return pages
	}
	data, err := b.out.ReadFile(pagesDir + "/" + b.session.folder)
	if err != nil {
		return pages
	}
	var sum fingerprint.Digest
	text, ours := strings.CutPrefix(string(data), pagesMagic)
	if !ours || len(text) < len(sum) {
		return pages
	}
	text, end := text[:len(text)-len(sum)], text[len(text)-len(sum):]
	copy(sum[:], end)
	f := codec.Decoder{Rest: text}
	if sum != fingerprint.FromXXH64(xxhash.Sum64String(text)) || f.Digest() != old.Key ||
		f.Int() != int64(b.files.redactor.Known()) {
		return pages
	}
	files := make(map[string][]string)
	for range f.Count() {
		page := f.Text()
		files[page] = f.Texts()
	}
	units, err := b.unitsByPage()
	if err != nil || f.Short || !planned.UsePages(f.Rest) {
		return pages
	}
	return cachedPages{files: files, units: units}
}

// onlyAppended reports whether the main file was only appended to since the last build, and the other files are
// unchanged.
func (b *sessionBuild) onlyAppended() bool {
	scanned := b.session.main.scanned
	for i, f := range b.files.files {
		known, ok := b.old.Files[f.id]
		switch {
		case !ok:
			return false
		case i == 0 && (scanned.oldSize == 0 || scanned.begins != known.Content):
			return false
		case i > 0 && b.files.contents[i] != known.Content:
			return false
		}
	}
	return true
}

// unitsByPage reads the segment of the last build.
func (b *sessionBuild) unitsByPage() (map[string][]search.Unit, error) {
	byPage := make(map[string][]search.Unit)
	if old := b.old.Sessions[b.session.main.id]; old.Segment != (fingerprint.Digest{}) {
		units, err := b.segments.Units(old)
		if err != nil {
			return nil, err
		}
		for _, u := range units {
			byPage[u.Page] = append(byPage[u.Page], u)
		}
	}
	return byPage, nil
}

// writePages stores the pages as they are now.
func (b *sessionBuild) writePages(d *drawing) error {
	data := codec.Encoder(pagesMagic)
	data.Digest(b.key)
	data.Int(int64(b.files.redactor.Known()))
	data.Int(int64(len(d.files)))
	for _, page := range slices.Sorted(maps.Keys(d.files)) {
		data.Text(page)
		data.Texts(d.files[page])
	}
	data = d.planned.Cache().AppendPages(data)
	data.Digest(fingerprint.FromXXH64(xxhash.Sum64(data[len(pagesMagic):])))
	dir, err := b.out.OpenDir(pagesDir)
	if err != nil {
		return err
	}
	defer dir.Close()
	return dir.WriteUnlisted(b.session.folder, data)
}
