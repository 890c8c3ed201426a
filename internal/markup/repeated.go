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

// Agents write the same instructions into each of their sessions.
var (
	repeated         = repeatedTexts[template.HTML]{seed: maphash.MakeSeed()} // drawn as Markdown
	repeatedExcerpts = repeatedTexts[string]{seed: maphash.MakeSeed()}        // of repeatedExcerpt characters
)

// repeatedExcerpt is the length of excerpts in the lines of what programs add.
const repeatedExcerpt = 100

// A repeatedTexts keeps what a few long texts became, for when they come again.
type repeatedTexts[T ~string] struct {
	seed maphash.Seed
	seen [1024]atomic.Uint64 // hashes of texts, by their lower bits
	kept [32]atomic.Pointer[repeatedText[T]]
}

type repeatedText[T ~string] struct {
	text string
	made T
}

// of returns what a text becomes, which only the text decides. A text takes the place of another when it comes a second
// time.
func (r *repeatedTexts[T]) of(text string, become func() T) T {
	h := maphash.String(r.seed, text)
	slot := &r.kept[h%uint64(len(r.kept))]
	if known := slot.Load(); known != nil && known.text == text {
		return known.made
	}
	made := become()
	again := r.seen[h%uint64(len(r.seen))].Swap(h) == h
	if (again || slot.Load() == nil) && len(made) <= 2*mostRepeated {
		slot.Store(&repeatedText[T]{strings.Clone(text), made})
	}
	return made
}
