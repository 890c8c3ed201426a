package sources

import (
	"fmt"
	"hash/fnv"
)

// An Index has a value for each id in a file, in the order in which the ids were first used.
type Index[T any] struct {
	New    func(id string) *T
	Values []*T
	byID   map[string]*T
}

// Of returns the value of an id. It makes one for a new id: rows may name a session that no row describes.
func (x *Index[T]) Of(id string) *T {
	v := x.byID[id]
	if v == nil {
		v = x.New(id)
		if x.byID == nil {
			x.byID = make(map[string]*T)
		}
		x.byID[id] = v
		x.Values = append(x.Values, v)
	}
	return v
}

// Find returns the value of an id, nil if the id was not used.
func (x *Index[T]) Find(id string) *T { return x.byID[id] }

// A RowSum is what the rows of a Part have together, in any order.
type RowSum struct {
	Size int64 // in bytes, about that of the text of the part
	sum  uint64
}

// Note adds a row: its size in bytes, and values that differ when it has changed.
func (s *RowSum) Note(size int, values ...any) {
	h := fnv.New64a()
	fmt.Fprint(h, values...)
	s.sum += h.Sum64()
	s.Size += int64(size) + 256 // the names of its columns
}

// Version returns the Part.Version of the rows.
func (s *RowSum) Version() uint64 { return max(s.sum, 1) }
