package search

import (
	"encoding/binary"
)

// BlockParts are a block of so many sessions that their terms take more memory than all else. Each session is read
// once, and its terms are dealt onto parts by the shards that they belong to. The parts lie in a Store. Then each is
// written by itself, in any order and by several goroutines. The files do not depend on the number of parts.
type BlockParts struct {
	listing
	store Store
	unit  int // the last one, from 1
	full  int // bytes of a part from which on it is put into the store
	parts []blockPart
}

// A Store holds data outside of memory. Get may be called by several goroutines.
type Store interface {
	Put(data []byte) (id int, err error)
	Get(id int) ([]byte, error)
}

// A blockPart holds terms with their units and weights: the length of a term, times four, plus the weight, and the
// term; 0 and the distance to the next unit before the first term of a unit.
type blockPart struct {
	buffer []byte
	unit   int   // that the last term is of
	stored []int // what is in the store
}

// NewBlockParts is a block of n parts, a power of two.
func NewBlockParts(layout Layout, name string, n int, store Store) *BlockParts {
	return &BlockParts{
		listing: listing{layout: layout, name: name}, store: store, full: 32 << 10, parts: make([]blockPart, n),
	}
}

// Add puts the next session into the block.
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

// Size is that of the rows of a part, of all of which the number of shards depends on. It is asked for when all
// sessions are added.
func (b *BlockParts) Size(part int) (int, error) {
	w := newBlockWriter(b.name)
	w.counting = true
	err := b.read(w, part)
	return w.size(), err
}

// Listing are the files of the sessions.
func (b *BlockParts) Listing() []File { return b.listing.files() }

// Write writes the shards of a part. size is the sum of the sizes of all parts. Where there are fewer shards than
// parts, the first parts write those of the others.
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

// read puts the terms of a part into a writer.
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
