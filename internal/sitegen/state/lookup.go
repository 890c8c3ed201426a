package state

import (
	"slices"
	"strings"

	"viewer/internal/codec"
	"viewer/internal/fingerprint"
)

// A Lookup tells which of some records are in a file, by their ids.
type Lookup struct {
	IDs []string // sorted
	Has []bool
}

// Find reports whether the file has a record, and whether that was looked up.
func (l Lookup) Find(id string) (has, known bool) {
	i, known := slices.BinarySearch(l.IDs, id)
	return known && l.Has[i], known
}

func (l Lookup) equal(other Lookup) bool {
	return slices.Equal(l.IDs, other.IDs) && slices.Equal(l.Has, other.Has)
}

func encodeLookups(w *stream, all map[fingerprint.Digest]Lookup) {
	w.Int(int64(len(all)))
	for _, id := range fingerprint.SortedKeys(all) {
		w.Digest(id)
		encodeLookup(&w.Encoder, all[id])
		w.flushFull()
	}
}

func encodeLookup(w *codec.Encoder, l Lookup) {
	w.Texts(l.IDs)
	for _, has := range l.Has {
		w.Bool(has)
	}
}

// decodeLookup decodes a lookup. It shares no memory with the data.
func decodeLookup(f *codec.Decoder) Lookup {
	l := Lookup{IDs: f.Texts()}
	for i, id := range l.IDs {
		l.IDs[i] = strings.Clone(id)
		l.Has = append(l.Has, f.Bool())
	}
	return l
}
