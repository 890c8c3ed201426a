package markup

import (
	"hash/maphash"
	"html/template"
	"strings"
	"sync/atomic"
)

// Limits of the texts that are kept, in bytes.
const (
	leastRepeated = 1 << 10
	mostRepeated  = 32 << 10
)

// repeated keeps the HTML of a few long texts that were drawn more than once. Agents write the same instructions into
// each of their sessions.
var repeated = repeatedTexts{seed: maphash.MakeSeed()}

type repeatedTexts struct {
	seed maphash.Seed
	seen [1024]atomic.Uint64 // hashes of texts, by their lower bits
	kept [32]atomic.Pointer[repeatedText]
}

type repeatedText struct {
	text string
	html template.HTML
}

// draw returns the HTML of a text, which draw makes unless it is kept. A text takes the place of another when it comes
// a second time.
func (r *repeatedTexts) draw(text string, draw func() template.HTML) template.HTML {
	h := maphash.String(r.seed, text)
	slot := &r.kept[h%uint64(len(r.kept))]
	if known := slot.Load(); known != nil && known.text == text {
		return known.html
	}
	html := draw()
	again := r.seen[h%uint64(len(r.seen))].Swap(h) == h
	if (again || slot.Load() == nil) && len(html) <= 2*mostRepeated {
		slot.Store(&repeatedText{strings.Clone(text), html})
	}
	return html
}
