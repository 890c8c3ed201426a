package search

import (
	"encoding/binary"
)

// BlockParts builds a block of so many sessions that its terms would need more memory than everything else. Each
// session is read once, and its terms are distributed to parts by their shards. The parts are kept in a Store. Then
// each part is written by itself, in any order and by several goroutines. The files do not depend on the number of
// parts.
type BlockParts struct {
	listing
	store Store
	unit  int // number of the last unit, from 1
	full  int // size in bytes at which a part is moved to the store
	parts []blockPart
}

// A Store holds data outside of memory. Get is safe for concurrent use.
type Store interface {
	Put(data []byte) (id int, err error)
	Get(id int) ([]byte, error)
}

// A blockPart holds terms with their units and weights. Each entry is the length of a term, times four, plus the
// weight, followed by the term. Before the first term of a unit there is a 0 and the distance to that unit.
type blockPart struct {
	buffer []byte
	unit   int   // the unit of the last term
	stored []int // the pieces in the store
}

// NewBlockParts returns a block of n parts. n must be a power of two.
func NewBlockParts(layout Layout, name string, n int, store Store) *BlockParts {
	return &BlockParts{
		listing: listing{layout: layout, name: name}, store: store, full: 32 << 10, parts: make([]blockPart, n),
	}
}

// Add adds the next session to the block.
func (b *BlockParts) Add(e Entry) error {
	b.listing.add(e)
	for _, u := range e.Units {
		b.unit++
		for term, weight := range u.postings() {
			p := &b.parts[shardOf(term, len(b.parts))]
			if p.unit < b.unit {
				p.buffer = binary.AppendUvarint(append(p.buffer, 0), uint64(b.unit-p.unit))
				p.unit = b.unit
			}
			p.buffer = binary.AppendUvarint(p.buffer, uint64(len(term))<<2|uint64(weight))
			if p.buffer = append(p.buffer, term...); len(p.buffer) >= b.full {
				if err := b.flush(p); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func (b *BlockParts) flush(p *blockPart) error {
	id, err := b.store.Put(p.buffer)
	p.stored, p.buffer = append(p.stored, id), p.buffer[:0]
	return err
}

// Size returns the size of the rows of a part. The sum over all parts determines the number of shards. All sessions
// must have been added.
func (b *BlockParts) Size(part int) (int, error) {
	w := newBlockWriter(b.name)
	w.counting = true
	err := b.read(w, part)
	return w.size(), err
}

// Listing returns the files of the sessions.
func (b *BlockParts) Listing() []File { return b.listing.files() }

// Write writes the shards of a part. size is the sum of the sizes of all parts. If there are fewer shards than parts,
// the first parts write those of the others, too.
func (b *BlockParts) Write(part, size int, write func(File) error) error {
	shards := Shards(size)
	step := min(len(b.parts), shards)
	if part >= step {
		return nil
	}
	w := newBlockWriter(b.name)
	w.part, w.parts = part, step
	for ; part < len(b.parts); part += step {
		if err := b.read(w, part); err != nil {
			return err
		}
	}
	return w.shards(shards, write)
}

// read reads the terms of a part into a writer.
func (b *BlockParts) read(w *blockWriter, part int) error {
	p := &b.parts[part]
	unit := 0
	take := func(data []byte) {
		for r := (reader{rest: asText(data)}); r.rest != ""; {
			head := r.number()
			if head == 0 {
				unit += r.number()
				continue
			}
			w.addTerm(int32(unit), r.text(head>>2), uint8(head&3))
		}
	}
	for _, id := range p.stored {
		data, err := b.store.Get(id)
		if err != nil {
			return err
		}
		take(data)
	}
	take(p.buffer)
	return nil
}
