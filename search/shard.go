package search

import (
	"encoding/binary"
	"slices"
	"strings"
)

// A shard holds the terms whose first letters hash to its number, in their
// order: how many letters a term shares with the one before, the rest of it, and
// its postings behind their length in bytes. A posting is the distance from the
// unit before (from -1 at first), times four, plus the weight.
//
// Terms that begin alike are in one shard, so that one is enough for the
// beginning of a word; beginnings of fewer letters are too many words to be of use.
const shardLetters = 3

// fullShard is how many bytes a shard should have before it is packed, more or less.
const fullShard = 48 << 10

const mostShards = 1 << 10

// shardOf is the shard of a term, of n, a power of two: FNV-1a of its first characters.
func shardOf(term string, n int) int {
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

// A row is a term with its postings.
type row struct {
	term     string
	postings []byte
	last     int // unit
}

// WriteBlock puts sessions together: the directory of the block and its shards.
func WriteBlock(name string, sessions []Entry) []File {
	known := make(map[string]int32)
	var rows []row
	unit := 0
	for _, s := range sessions {
		for _, u := range s.Units {
			for _, p := range u.terms {
				k, ok := known[p.term]
				if !ok {
					k = int32(len(rows))
					known[p.term] = k
					rows = append(rows, row{term: p.term, last: -1})
				}
				r := &rows[k]
				r.postings = binary.AppendUvarint(r.postings, uint64(unit-r.last)<<2|uint64(p.weight))
				r.last = unit
			}
			unit++
		}
	}
	size := 0
	for _, r := range rows {
		size += len(r.postings) + len(r.term)/2 + 3
	}
	n := 1
	for size > n*fullShard && n < mostShards {
		n *= 2
	}
	shards := make([][]row, n)
	for _, r := range rows {
		k := shardOf(r.term, n)
		shards[k] = append(shards[k], r)
	}
	files := []File{directory(name, sessions)}
	var b []byte
	for k, rows := range shards {
		slices.SortFunc(rows, func(a, b row) int { return strings.Compare(a.term, b.term) })
		b = b[:0]
		before := ""
		for _, r := range rows {
			same := 0
			for same < len(before) && same < len(r.term) && before[same] == r.term[same] {
				same++
			}
			b = binary.AppendUvarint(b, uint64(same))
			b = appendText(b, r.term[same:])
			b = binary.AppendUvarint(b, uint64(len(r.postings)))
			b = append(b, r.postings...)
			before = r.term
		}
		files = append(files, File{shardName(name, k), packedCall(shardName(name, k), string(b))})
	}
	return files
}
