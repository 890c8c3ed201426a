package sitegen

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/cespare/xxhash/v2"

	"viewer/internal/codec"
	"viewer/internal/fingerprint"
	"viewer/internal/redact"
	"viewer/internal/search"
	"viewer/internal/sitegen/output"
	"viewer/internal/sitegen/state"
	"viewer/render"
)

// A build that reads a large session stores the signatures of its pages, so that a later process draws only the pages
// that show something new. They are used if the session file was only appended to, the other files are unchanged, and
// no new secrets were found. Otherwise all pages are drawn.
//
// It also stores where redaction found something in the main transcript, see mainPlaces. That is used if the transcript
// was only appended to.

// pagesDir holds these files, one for each large session, named as the folder of the session.
const pagesDir = output.StateDir + "/pages"

// storedSize is the size of the files of a session from which on its pages are stored, in bytes. Those of smaller
// sessions are drawn in a few milliseconds.
const storedSize = 4 << 20

const pagesMagic = "viewer pages 3\n"

// storesPages reports whether the signatures of the pages are stored. A process that builds a site repeatedly has them
// in memory. Without an index, the units of pages that are not drawn are unknown.
func (b *sessionBuild) storesPages() bool {
	return b.files != nil && b.cache == nil && b.site != nil && !b.site.shared && b.out != nil &&
		!b.out.IsBucket() && !b.NoSearch && b.session.size() >= cmp.Or(b.storedSize, storedSize)
}

// A storedSession is what the last build stored of a session.
type storedSession struct {
	known int64  // see Redactor.Known
	pages string // encoded, "" if there are none
}

// readStored reads what the last build stored, and gives the reader of the transcript the places. There is nothing if
// the transcript was not only appended to.
func (b *sessionBuild) readStored() {
	b.files.places = new(mainPlaces)
	old := b.old.Sessions[b.session.main.id]
	if old == nil || b.Force || b.Verify || !b.mainAppended() {
		return
	}
	data, err := b.out.ReadFile(pagesDir + "/" + b.session.folder)
	if err != nil {
		return
	}
	var sum fingerprint.Digest
	text, ours := strings.CutPrefix(string(data), pagesMagic)
	if !ours || len(text) < len(sum) {
		return
	}
	text, end := text[:len(text)-len(sum)], text[len(text)-len(sum):]
	copy(sum[:], end)
	f := codec.Decoder{Rest: text}
	if sum != fingerprint.FromXXH64(xxhash.Sum64String(text)) || f.Digest() != old.Key {
		return
	}
	known, places := f.Int(), f.Text()
	if f.Short {
		return
	}
	b.stored = storedSession{known, f.Rest}
	// Redaction without the folder of the session may have missed something in the old beginning.
	sameHome := b.session.given == "" ||
		state.DecodeFacts(old.EncodedFacts).CWDHash == b.session.main.facts().CWDHash
	if places != "" && sameHome {
		scanned := b.session.main.scanned
		*b.files.places = mainPlaces{known: redact.Places(places), size: scanned.oldSize, begin: scanned.begins}
	}
}

// readPages reads the stored signatures. It returns no files if they cannot be used.
func (b *sessionBuild) readPages(planned *render.Pages) (pages cachedPages) {
	if b.stored.pages == "" || b.stored.known != int64(b.files.redactor.Known()) || !b.othersUnchanged() {
		return pages
	}
	f := codec.Decoder{Rest: b.stored.pages}
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

// mainAppended reports whether the main file was only appended to since the last build.
func (b *sessionBuild) mainAppended() bool {
	main := b.session.main
	known, ok := b.old.Files[main.id]
	return ok && main.scanned.oldSize > 0 && main.scanned.begins == known.Content
}

// othersUnchanged reports whether the other files are unchanged since the last build.
func (b *sessionBuild) othersUnchanged() bool {
	for i, f := range b.files.files[1:] {
		if known, ok := b.old.Files[f.id]; !ok || b.files.contents[1+i] != known.Content {
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
	data.Text(string(b.files.places.stored(b.files.contents[0])))
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
