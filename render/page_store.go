package render

import (
	"maps"
	"slices"

	"viewer/internal/codec"
)

// SignContents makes signatures of pages depend on the contents of records, not only on their positions. It must be
// called before anything is drawn or reused, if the cache is from or for another process.
func (b *Pages) SignContents() { b.b.data.signContents = true }

// AppendPages appends the encoded cache to a buffer, for UsePages in another process.
func (m *PageCache) AppendPages(to []byte) []byte {
	w := codec.Encoder(to)
	w.Int(int64(len(m.pages)))
	for _, name := range slices.Sorted(maps.Keys(m.pages)) {
		p := m.pages[name]
		w.Text(name, string(p.signature[:]), p.outline)
		w.Int(int64(len(p.entries)))
		for i, e := range p.entries {
			w.Bool(p.marked[i])
			if p.marked[i] {
				w.Bool(e.generic)
				w.Text(e.kind)
			}
		}
		w.Int(int64(len(p.steps)))
		for _, s := range p.steps {
			w.Text(s.Href, s.Text, s.Icon, s.Look, s.anchor)
			w.Bool(s.merges)
		}
		p.lookups.encode(&w)
	}
	w.Int(int64(len(m.changesPages)))
	for _, name := range slices.Sorted(maps.Keys(m.changesPages)) {
		signature := m.changesPages[name]
		w.Text(name, string(signature[:]))
	}
	return w
}

// UsePages is UseCache for the result of AppendPages. It returns false, and uses nothing, if that is incomplete.
func (b *Pages) UsePages(data string) bool {
	f := codec.Decoder{Rest: data}
	m := &PageCache{pages: make(map[string]*cachedPage), changesPages: make(map[string]signature)}
	for range f.Count() {
		name, p := f.Text(), new(cachedPage)
		copy(p.signature[:], f.Text())
		p.outline = f.Text()
		n := f.Count()
		p.entries, p.marked = make([]ledgerEntry, n), make([]bool, n)
		for i := range n {
			if p.marked[i] = f.Bool(); p.marked[i] {
				p.entries[i] = ledgerEntry{generic: f.Bool(), kind: f.Text()}
			}
		}
		p.steps = make([]outlineStep, f.Count())
		for i := range p.steps {
			p.steps[i] = outlineStep{Href: f.Text(), Text: f.Text(), Icon: f.Text(), Look: f.Text(), anchor: f.Text(),
				merges: f.Bool()}
		}
		p.lookups = decodeLookups(&f)
		m.pages[name] = p
	}
	for range f.Count() {
		name, s := f.Text(), signature{}
		copy(s[:], f.Text())
		m.changesPages[name] = s
	}
	if f.Short || f.Rest != "" {
		return false
	}
	b.b.cache = m
	return true
}

func (a *lookups) encode(w *codec.Encoder) {
	for _, all := range []map[string]string{a.pages, a.calls} {
		w.Int(int64(len(all)))
		for _, name := range slices.Sorted(maps.Keys(all)) {
			w.Text(name, all[name])
		}
	}
	w.Int(int64(len(a.lines)))
	for _, anchor := range slices.Sorted(maps.Keys(a.lines)) {
		w.Text(anchor, a.lines[anchor].target)
		w.Bool(a.lines[anchor].changed)
	}
	for _, all := range []map[string]foundData{a.spilled, a.workflows} {
		w.Int(int64(len(all)))
		for _, name := range slices.Sorted(maps.Keys(all)) {
			w.Text(name)
			w.Bool(all[name].found)
			w.Int(int64(all[name].sum))
		}
	}
}

func decodeLookups(f *codec.Decoder) *lookups {
	a := newLookups()
	for _, all := range []map[string]string{a.pages, a.calls} {
		for range f.Count() {
			name := f.Text()
			all[name] = f.Text()
		}
	}
	for range f.Count() {
		anchor := f.Text()
		a.lines[anchor] = lineTarget{f.Text(), f.Bool()}
	}
	for _, all := range []map[string]foundData{a.spilled, a.workflows} {
		for range f.Count() {
			name := f.Text()
			all[name] = foundData{f.Bool(), uint64(f.Int())}
		}
	}
	return a
}
