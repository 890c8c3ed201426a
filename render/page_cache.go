package render

import (
	"github.com/cespare/xxhash/v2"
	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/changes"
	"viewer/normalize"
	"viewer/render/strip"
)

// A PageCache allows unchanged pages of a growing session to be reused. It is valid as long as records are only added,
// and none of those that the pages were drawn from change.
type PageCache struct {
	pages map[string]*cachedPage
	arena *strip.Arena

	changesPages map[string]signature // of net diffs
	replayed     *changes.Memory
}

// A cachedPage is the entry of one page.
type cachedPage struct {
	signature
	entries []ledgerEntry // of the messages that it may draw, in the order of sign
	marked  []bool        // reports which of these have an entry
	steps   []outlineStep
	outline string
	lookups *lookups
}

// UseCache sets the pages of an earlier drawing to reuse; m may be nil.
func (b *Pages) UseCache(m *PageCache) {
	b.b.cache, b.b.arena, b.b.replayed = m, new(strip.Arena), new(changes.Memory)
	if m != nil {
		b.b.arena, b.b.replayed = m.arena, m.replayed
	}
}

// Reuse reports whether page i is unchanged, and then takes its entries from the cache, so that it need not be drawn.
// It may be called for several pages at the same time. The first page, which sums up all others, is never reused.
func (b *Pages) Reuse(i int) bool {
	if i == 0 || b.b.cache == nil {
		return false
	}
	old := b.b.cache.pages[b.b.jobs[i].name]
	if old == nil || !old.lookups.holds(b.b.data) {
		return false
	}
	t := &b.b.pageResults[i]
	if b.sign(i); old.signature != t.signature {
		return false
	}
	t.steps, t.outline, t.lookups = old.steps, old.outline, old.lookups
	t.entries = make(map[*normalize.Message]ledgerEntry, len(old.entries))
	for at, message := range t.signed {
		if old.marked[at] {
			t.entries[message] = old.entries[at]
		}
	}
	return true
}

// Name returns the name of page i.
func (b *Pages) Name(i int) string { return b.b.jobs[i].name }

// Cache returns the cache of all pages. It must be called after all are drawn or reused.
func (b *Pages) Cache() *PageCache {
	m := &PageCache{pages: make(map[string]*cachedPage, len(b.b.jobs)), arena: b.b.arena, replayed: b.b.replayed,
		changesPages: make(map[string]signature)}
	for i := range b.ChangesLen() {
		m.changesPages[changesName(i)] = b.b.signChanges(i)
	}
	for i, j := range b.b.jobs {
		if i == 0 {
			continue
		}
		b.sign(i)
		t := &b.b.pageResults[i]
		n := len(t.signed)
		page := &cachedPage{
			signature: t.signature, entries: make([]ledgerEntry, n), marked: make([]bool, n),
			steps: t.steps, outline: t.outline, lookups: t.lookups,
		}
		known := 0
		for at, message := range t.signed {
			if how, marked := t.entries[message]; marked {
				page.entries[at], page.marked[at] = how, true
				known++
			}
		}
		if known == len(t.entries) { // otherwise something was drawn that sign does not list
			m.pages[j.name] = page
		}
	}
	return m
}

func (b *Pages) sign(i int) {
	if t := &b.b.pageResults[i]; t.signed == nil {
		t.signature, t.signed = b.b.sign(&b.b.jobs[i])
	}
}

// lookups are the queries that the drawing of a page made about the session, with the answers.
type lookups struct {
	pages, calls map[string]string
	lines        map[string]lineTarget // among net diffs
	spilled      map[string]foundData
	workflows    map[string]foundData
}

// A foundData records whether there was data for a name, and its checksum.
type foundData struct {
	found bool
	sum   uint64
}

func newFoundData(data []byte, found bool) foundData { return foundData{found, xxhash.Sum64(data)} }

func newLookups() *lookups {
	return &lookups{make(map[string]string), make(map[string]string), make(map[string]lineTarget),
		make(map[string]foundData), make(map[string]foundData)}
}

// holds reports whether the same queries would have the same answers.
func (a *lookups) holds(s *sessionData) bool {
	for anchor, page := range a.pages {
		if s.anchorPages[anchor] != page {
			return false
		}
	}
	for id, anchor := range a.calls {
		if s.calls[id] != anchor {
			return false
		}
	}
	for anchor, told := range a.lines {
		if now, changed := s.net().lines[anchor]; told != (lineTarget{now, changed}) {
			return false
		}
	}
	for name, data := range a.spilled {
		if now, ok := s.spilled[name]; newFoundData(now, ok) != data {
			return false
		}
	}
	for run, data := range a.workflows {
		if now, ok := s.workflows[run]; newFoundData(now, ok) != data {
			return false
		}
	}
	return true
}

// pageOf returns the page with an anchor, "" for none.
func (p *pageState) pageOf(anchor string) string {
	page := p.anchorPages[anchor]
	if p.lookups != nil {
		p.lookups.pages[anchor] = page
	}
	return page
}

// callOf returns the anchor of a call, "" if it is not drawn.
func (p *pageState) callOf(id string) string {
	anchor := p.calls[id]
	if p.lookups != nil {
		p.lookups.calls[id] = anchor
	}
	return anchor
}

// A lineTarget is an answer of linesOf.
type lineTarget struct {
	target  string
	changed bool
}

// linesOf returns the place of the lines of a call in the net diffs, "" if none is left, and whether the call changed a
// file.
func (p *pageState) linesOf(anchor string) (target string, changed bool) {
	target, changed = p.net().lines[anchor]
	if p.lookups != nil {
		p.lookups.lines[anchor] = lineTarget{target, changed}
	}
	return target, changed
}

// spill returns a long output from its file in the folder of the session.
func (p *pageState) spill(name string) ([]byte, bool) {
	data, ok := p.spilled[name]
	if p.lookups != nil && name != "" {
		p.lookups.spilled[name] = newFoundData(data, ok)
	}
	return data, ok
}

// workflow returns the summary of a finished workflow run.
func (p *pageState) workflow(run string) (jsontext.Value, bool) {
	data, ok := p.workflows[run]
	if p.lookups != nil && run != "" {
		p.lookups.workflows[run] = newFoundData(data, ok)
	}
	return data, ok
}
