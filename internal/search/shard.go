package search

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"iter"
	"math/bits"
	"slices"

	"viewer/internal/packed"
)

// A shard holds, in order, the terms whose first letters hash to its number. For each it has the number of letters
// shared with the term before, the remaining letters, and the postings after their length in bytes. A posting is the
// distance from the unit before (from -1 at first), times four, plus the weight.
//
// Terms with the same first letters are in one shard, so that one shard is enough for a prefix. Shorter prefixes match
// too many words to be useful.
const shardLetters = 3

// fullShard is about how many bytes a shard should have before it is compressed.
const fullShard = 48 << 10

const maxShards = 1 << 10

// shardOf returns the shard of a term: FNV-1a of its first characters. n is the number of shards, a power of two.
func shardOf[T string | []byte](term T, n int) int {
	h, letters := uint32(2166136261), 0
	for i := range len(term) {
		if term[i]&0xC0 != 0x80 {
			if letters++; letters > shardLetters {
				break
			}
		}
		h = (h ^ uint32(term[i])) * 16777619
	}
	return int((h ^ h>>15) & uint32(n-1))
}

// Shards returns how many shards a block has whose rows have this size.
func Shards(size int) int {
	n := 1
	for size > n*fullShard && n < maxShards {
		n *= 2
	}
	return n
}

// A row is a term with its postings.
type row struct {
	term     string
	postings []byte
}

// size returns about how many bytes a row takes in its shard. It depends on the row alone, so that a patch can update
// the size of a block.
func (r row) size() int { return rowSize(len(r.term), len(r.postings)) }

func rowSize(letters, postings int) int { return postings + letters/2 + 3 }

// appendRow appends a row; before is the term of the row before.
func appendRow(b []byte, before string, r row) []byte {
	same := 0
	for same < len(before) && same < len(r.term) && before[same] == r.term[same] {
		same++
	}
	b = binary.AppendUvarint(b, uint64(same))
	b = appendText(b, r.term[same:])
	b = binary.AppendUvarint(b, uint64(len(r.postings)))
	return append(b, r.postings...)
}

// readRows decodes a shard.
func readRows(shard string) ([]row, error) {
	var rows []row
	before := ""
	for r := (reader{rest: shard}); r.rest != ""; {
		same := r.number()
		if same > len(before) {
			return nil, errShard
		}
		term := before[:same] + r.text(r.number())
		postings := r.text(r.number())
		if r.failed || postings == "" || term <= before && len(rows) > 0 {
			return nil, errShard
		}
		rows = append(rows, row{term, []byte(postings)})
		before = term
	}
	return rows, nil
}

// errShard means that a file is not a shard of a search index.
var errShard = errors.New("not a shard of a search index")

func appendPosting(b []byte, distance int, weight uint8) []byte {
	return binary.AppendUvarint(b, uint64(distance)<<2|uint64(weight))
}

// A blockWriter writes the directory and the shards of a block. It keeps only numbers of the sessions that are added.
type blockWriter struct {
	listing
	unit       int32      // number of the last unit, from 1
	part       int        // shards are written whose number modulo parts is this
	parts      int        // a power of two
	counting   bool       // only the size of the rows is needed
	runs       []unitRun  // of postings
	dictionary dictionary // with the last unit that holds each term, from 1, and the size of its postings
	postings   []uint32   // each is the number of a term, times four, plus the weight
}

// A unitRun is a run of postings of one unit. Runs are in the order of units.
type unitRun struct {
	unit int32 // from 1
	end  int   // in postings
}

// newBlockWriter returns a writer for the block with a name.
func newBlockWriter(name string) *blockWriter {
	return &blockWriter{listing: listing{name: name}, parts: 1, dictionary: newDictionary(initialSlots)}
}

// WriteBlock calls write with the files of a block, one after the other. It returns the number of its shards and the
// size of its rows. A block of thousands of sessions is written by BlockParts.
func WriteBlock(
	layout Layout, name string, sessions iter.Seq[Entry], write func(File) error,
) (shards, size int, err error) {
	w := newBlockWriter(name)
	w.layout = layout
	for e := range sessions {
		w.add(e)
	}
	size = w.size()
	for _, f := range w.listing.files() {
		if err := write(f); err != nil {
			return 0, 0, err
		}
	}
	return Shards(size), size, w.shards(Shards(size), write)
}

// add adds the next session to the block.
func (w *blockWriter) add(e Entry) {
	w.listing.add(e)
	for _, u := range e.Units {
		w.unit++
		for term, weight := range u.postings() {
			w.addTerm(w.unit, term, weight)
		}
	}
}

// addTerm adds a term of a unit to the block.
func (w *blockWriter) addTerm(unit int32, term string, weight uint8) {
	k := intern(&w.dictionary, term)
	if !w.counting {
		w.postings = append(w.postings, uint32(k)<<2|uint32(weight))
		if n := len(w.runs); n > 0 && w.runs[n-1].unit == unit {
			w.runs[n-1].end = len(w.postings)
		} else {
			w.runs = append(w.runs, unitRun{unit, len(w.postings)})
		}
	}
	e := &w.dictionary.terms[k]
	e.value += int32(uvarintLen(uint64(unit-e.last) << 2))
	e.last = unit
}

func uvarintLen(n uint64) int { return (bits.Len64(n|1) + 6) / 7 }

// size returns the size of the rows of its terms.
func (w *blockWriter) size() int {
	size := 0
	for k := range w.dictionary.terms {
		e := &w.dictionary.terms[k]
		size += rowSize(int(e.length), int(e.value))
	}
	return size
}

// shards writes those of n shards that hold its terms.
func (w *blockWriter) shards(n int, write func(File) error) error {
	// All postings are in one buffer, row by row.
	end := 0
	terms := w.dictionary.terms
	starts := make([]int, len(terms)+1)
	for k := range terms {
		e := &terms[k]
		starts[k] = end
		end += int(e.value)
		e.last = 0
	}
	starts[len(terms)] = end
	all, ends := make([]byte, end), slices.Clone(starts)
	at := 0
	for _, run := range w.runs {
		for ; at < run.end; at++ {
			k := w.postings[at] >> 2
			e := &terms[k]
			ends[k] += binary.PutUvarint(all[ends[k]:starts[k+1]], uint64(run.unit-e.last)<<2|uint64(w.postings[at]&3))
			e.last = run.unit
		}
	}
	shards := make([][]sortedTerm, n)
	for k := range terms {
		term := w.dictionary.term(k)
		shard := shardOf(term, n)
		first := bits.ReverseBytes64(packLetters(term[:min(len(term), shortTerm)]))
		shards[shard] = append(shards[shard], sortedTerm{first, k})
	}
	var b []byte
	for shard, rows := range shards {
		if shard&(w.parts-1) != w.part {
			continue
		}
		slices.SortFunc(rows, func(x, y sortedTerm) int {
			if x.first != y.first {
				return cmp.Compare(x.first, y.first)
			}
			return bytes.Compare(w.dictionary.term(x.number), w.dictionary.term(y.number))
		})
		b = b[:0]
		before := ""
		for _, t := range rows {
			r := row{asText(w.dictionary.term(t.number)), all[starts[t.number]:starts[t.number+1]]}
			b = appendRow(b, before, r)
			before = r.term
		}
		if err := write(shardFile(w.name, shard, b)); err != nil {
			return err
		}
	}
	return nil
}

// A sortedTerm is a term of a shard. Most are in order by their first bytes.
type sortedTerm struct {
	first  uint64 // the first eight bytes as a number, in the order of terms
	number int    // in the dictionary
}

func shardFile(block string, shard int, rows []byte) File {
	name := shardName(block, shard)
	return File{name, packed.Script(name, rows)}
}
