package search

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"maps"
	"slices"
	"strings"
)

// A Patch changes a block whose sessions stay the same, so that an appended record costs only the shards of its new
// words, however many sessions the block has. The result has the same bytes as a new block.
type Patch struct {
	layout  Layout
	name    string
	shards  int
	size    int              // of all rows
	listed  map[int]Entry    // sessions whose facts in the listing changed
	changes map[int][]change // by shard
}

// A change is the new weight of a term in a unit.
type change struct {
	term   string
	unit   int
	gone   bool
	weight uint8
}

// NewPatch starts with a block as it was: its name, the number of its shards, and the size of its rows.
func NewPatch(layout Layout, name string, shards, size int) *Patch {
	return &Patch{layout: layout, name: name, shards: shards, size: size, listed: make(map[int]Entry),
		changes: make(map[int][]change)}
}

// Shards returns the numbers of the shards that change.
func (p *Patch) Shards() []int { return slices.Sorted(maps.Keys(p.changes)) }

// Session adds the old and the new entry of a session of the block, its index, and the number of its first unit. The
// units of later sessions keep their numbers only if the number of its units stays the same or it is the last session.
func (p *Patch) Session(at, unit int, old, new Entry) {
	if new.line() != old.line() {
		p.listed[at] = new
	}
	for i := range max(len(old.Units), len(new.Units)) {
		var before, after Unit
		if i < len(old.Units) {
			before = old.Units[i]
		}
		if i < len(new.Units) {
			after = new.Units[i]
		}
		if before.terms != after.terms {
			p.unit(unit+i, before, after)
		}
	}
}

func (p *Patch) unit(at int, old, new Unit) {
	weights := maps.Collect(old.postings())
	add := func(c change) {
		shard := shardOf(c.term, p.shards)
		p.changes[shard] = append(p.changes[shard], c)
	}
	for term, weight := range new.postings() {
		if was, ok := weights[term]; !ok || was != weight {
			add(change{term: term, unit: at, weight: weight})
		}
		delete(weights, term)
	}
	for term := range weights {
		add(change{term: term, unit: at, gone: true})
	}
}

// Files returns the files that changed, and the size of the rows. read returns a file as it was. The error is errShard
// for a block that would get another number of shards or cannot be read; it has to be written from scratch.
func (p *Patch) Files(read func(name string) ([]byte, error)) ([]File, int, error) {
	var files []File
	if len(p.listed) > 0 {
		var err error
		if files, err = patchListing(p.layout, p.name, p.listed, read); err != nil {
			return nil, 0, err
		}
	}
	for _, shard := range p.Shards() {
		text, err := readText(read, shardName(p.name, shard))
		if err != nil {
			return nil, 0, err
		}
		rows, err := p.patched(text, p.changes[shard])
		if err != nil {
			return nil, 0, err
		}
		files = append(files, shardFile(p.name, shard, rows))
	}
	if Shards(p.size) != p.shards {
		return nil, 0, errShard
	}
	return files, p.size, nil
}

// patched returns a shard with the changes.
func (p *Patch) patched(shard string, changes []change) ([]byte, error) {
	slices.SortFunc(
		changes,
		func(a, b change) int { return cmp.Or(strings.Compare(a.term, b.term), cmp.Compare(a.unit, b.unit)) },
	)
	rows, err := readRows(shard)
	if err != nil {
		return nil, err
	}
	var b []byte
	before := ""
	write := func(r row) {
		b = appendRow(b, before, r)
		before = r.term
	}
	for len(rows) > 0 || len(changes) > 0 {
		if len(changes) == 0 || len(rows) > 0 && rows[0].term < changes[0].term {
			write(rows[0])
			rows = rows[1:]
			continue
		}
		r := row{term: changes[0].term}
		if len(rows) > 0 && rows[0].term == r.term {
			r, rows = rows[0], rows[1:]
			p.size -= r.size()
		}
		n := 1
		for n < len(changes) && changes[n].term == r.term {
			n++
		}
		if r.postings, err = mergePostings(r.postings, changes[:n]); err != nil {
			return nil, err
		}
		changes = changes[n:]
		if len(r.postings) > 0 {
			p.size += r.size()
			write(r)
		}
	}
	return b, nil
}

// mergePostings returns the postings of a row with the changes.
func mergePostings(postings []byte, changes []change) ([]byte, error) {
	var b []byte
	last := -1
	add := func(unit int, weight uint8) {
		b = appendPosting(b, unit-last, weight)
		last = unit
	}
	for unit, r := -1, bytes.NewReader(postings); r.Len() > 0; {
		n, err := binary.ReadUvarint(r)
		if err != nil || n>>2 == 0 || n > 1<<40 {
			return nil, errShard
		}
		unit += int(n >> 2)
		for ; len(changes) > 0 && changes[0].unit < unit; changes = changes[1:] {
			if !changes[0].gone {
				add(changes[0].unit, changes[0].weight)
			}
		}
		switch {
		case len(changes) == 0 || changes[0].unit > unit:
			add(unit, uint8(n&3))
		default:
			if !changes[0].gone {
				add(unit, changes[0].weight)
			}
			changes = changes[1:]
		}
	}
	for _, c := range changes {
		if !c.gone {
			add(c.unit, c.weight)
		}
	}
	return b, nil
}
