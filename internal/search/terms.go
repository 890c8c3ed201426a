package search

import (
	"cmp"
	"encoding/binary"
	"maps"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"viewer/internal/packed"
)

// In the Cut layout a directory of terms tells which blocks have a term. There is one for the blocks of each size,
// which form a level, so that new sessions often change the directory of small blocks, but seldom that of large ones.
// The last block is in no directory; queries always read it.
//
// A directory is distributed to shards by the same hash as a block, so that each of its shards is made of one shard of
// each block. Its rows are those of shards (shard.go), with a posting for each block that has the term: the distance
// from the block before, times 64, plus four times the logarithm of the number of units with the term, plus the
// greatest weight there. The logarithm stays the same for most records that are added to a session.

// A TermDirectory is the directory of the blocks of a level.
type TermDirectory struct {
	Level  string
	Shards int
}

// A TermBlock is a block of a level, in its order.
type TermBlock struct {
	Name   string
	Shards int
}

// LevelOf returns the level of a block, "" for the last block.
func LevelOf(block string) string {
	level, _, ok := strings.Cut(block, "-")
	if !ok {
		return ""
	}
	return level
}

// maxTermShards is the maximum number of files of a directory.
const maxTermShards = 1 << 16

// NewTermDirectory returns the directory of some blocks. Its shards are about as large as theirs.
func NewTermDirectory(level string, blocks []TermBlock) TermDirectory {
	sum, most := 0, 1
	for _, b := range blocks {
		sum += b.Shards
		most = max(most, b.Shards)
	}
	n := most
	for n*2 < sum && n < maxTermShards {
		n *= 2
	}
	return TermDirectory{level, n}
}

// Prefix returns the beginning of the names of its files.
func (d TermDirectory) Prefix() string { return Folder + "terms-" + d.Level + "." }

func (d TermDirectory) shardName(shard int) string { return d.Prefix() + strconv.Itoa(shard) + ".js" }

// termPosting describes a term in a block, for a directory.
type termPosting struct {
	block  int
	count  int // the logarithm of the number of its units: 1 for one, 2 for two or three
	weight uint8
}

// units returns the approximate number of units with the term.
func (p termPosting) units() int { return 1 << (p.count - 1) }

const maxCount = 15

// termPostingOf summarizes the row of a term in a block.
func termPostingOf(block int, r row) termPosting {
	p, n := termPosting{block: block}, 0
	for rest := (reader{rest: asText(r.postings)}); rest.rest != ""; n++ {
		p.weight = max(p.weight, uint8(rest.number()&3))
	}
	p.count = min(bits.Len(uint(n)), maxCount)
	return p
}

func appendTermPosting(b []byte, before int, p termPosting) []byte {
	return binary.AppendUvarint(b, uint64(p.block-before)<<6|uint64(p.count)<<2|uint64(p.weight))
}

// termPostings reads the postings of a row of a directory.
func (r row) termPostings() []termPosting {
	var all []termPosting
	block := -1
	for rest := (reader{rest: asText(r.postings)}); rest.rest != ""; {
		n := rest.number()
		block += n >> 6
		all = append(all, termPosting{block, max(n>>2&maxCount, 1), uint8(n & 3)})
	}
	return all
}

// Groups returns the number of groups of shards of a directory that can be written separately. The numbers of the
// shards of a group have the same remainder.
func (d TermDirectory) Groups(blocks []TermBlock) int {
	most := 1
	for _, b := range blocks {
		most = max(most, b.Shards)
	}
	return most
}

// WriteGroup calls write with the shards of a group. read returns an existing file.
func (d TermDirectory) WriteGroup(
	group int, blocks []TermBlock, read func(string) ([]byte, error), write func(File) error,
) error {
	groups := d.Groups(blocks)
	shards := make([]map[string]*termRow, d.Shards/groups)
	for i := range shards {
		shards[i] = make(map[string]*termRow)
	}
	for block, of := range blocks {
		text, err := readText(read, shardName(of.Name, group&(of.Shards-1)))
		if err != nil {
			return err
		}
		rows, err := readRows(text)
		if err != nil {
			return err
		}
		for _, r := range rows {
			shard := shardOf(r.term, d.Shards)
			if shard&(groups-1) != group {
				continue
			}
			of := shards[shard/groups][r.term]
			if of == nil {
				of = &termRow{last: -1}
				shards[shard/groups][strings.Clone(r.term)] = of
			}
			of.postings = appendTermPosting(of.postings, of.last, termPostingOf(block, r))
			of.last = block
		}
	}
	for i, all := range shards {
		var b []byte
		before := ""
		for _, term := range slices.Sorted(maps.Keys(all)) {
			b = appendRow(b, before, row{term: term, postings: all[term].postings})
			before = term
		}
		name := d.shardName(i*groups + group)
		if err := write(File{name, packed.Script(name, b)}); err != nil {
			return err
		}
	}
	return nil
}

// A termRow is the row of a term while blocks are added. Its postings are encoded immediately, because a group of a
// large site has a million of them.
type termRow struct {
	postings []byte
	last     int // block
}

// Patch calls write with the shards that change because some shards of blocks have changed, each once. changed are the
// numbers of those of each block. The numbers of shards must be the same.
func (d TermDirectory) Patch(
	blocks []TermBlock, changed [][]int, read func(string) ([]byte, error), write func(File) error,
) error {
	before, patched := make(map[int]string), make(map[int]string) // by shard
	for block, of := range blocks {
		for _, at := range changed[block] {
			text, err := readText(read, shardName(of.Name, at))
			if err != nil {
				return err
			}
			now, err := readRows(text)
			if err != nil {
				return err
			}
			for shard := at; shard < d.Shards; shard += of.Shards {
				if _, is := patched[shard]; !is {
					if before[shard], err = readText(read, d.shardName(shard)); err != nil {
						return err
					}
					patched[shard] = before[shard]
				}
				rows, err := readRows(patched[shard])
				if err != nil {
					return err
				}
				isOther := func(r row) bool { return shardOf(r.term, d.Shards) != shard }
				ours := slices.DeleteFunc(slices.Clone(now), isOther)
				patched[shard] = string(patchTerms(rows, block, ours))
			}
		}
	}
	for _, shard := range slices.Sorted(maps.Keys(patched)) {
		if text := patched[shard]; text != before[shard] {
			name := d.shardName(shard)
			if err := write(File{name, packed.Script(name, []byte(text))}); err != nil {
				return err
			}
		}
	}
	return nil
}

// patchTerms returns the rows of a directory with the new terms of one block.
func patchTerms(rows []row, block int, now []row) []byte {
	var b []byte
	before := ""
	for len(rows) > 0 || len(now) > 0 {
		var r row
		var postings []termPosting
		order := -1
		switch {
		case len(rows) == 0:
			order = 1
		case len(now) > 0:
			order = cmp.Compare(rows[0].term, now[0].term)
		}
		if order <= 0 {
			r.term = rows[0].term
			postings = slices.DeleteFunc(rows[0].termPostings(), func(p termPosting) bool { return p.block == block })
			rows = rows[1:]
		}
		if order >= 0 {
			r.term = now[0].term
			postings = append(postings, termPostingOf(block, now[0]))
			slices.SortFunc(postings, func(a, b termPosting) int { return a.block - b.block })
			now = now[1:]
		}
		if len(postings) == 0 {
			continue
		}
		last := -1
		for _, p := range postings {
			r.postings = appendTermPosting(r.postings, last, p)
			last = p.block
		}
		b = appendRow(b, before, r)
		before = r.term
	}
	return b
}

// A ProjectBlocks is a project, and the numbers of the blocks with its sessions.
type ProjectBlocks struct {
	Project string
	Blocks  []int
}

const projectsName = Folder + "projects.js"

// ProjectsFile returns the file that lists the blocks of each project in the Cut layout.
func ProjectsFile(projects []ProjectBlocks) File {
	var b []byte
	for _, p := range projects {
		b = append(append(b, plainField(p.Project)...), fieldEnd...)
		for i, n := range p.Blocks {
			if i > 0 {
				b = append(b, ' ')
			}
			b = strconv.AppendInt(b, int64(n), 10)
		}
		b = append(b, '\n')
	}
	return File{projectsName, packed.Script(projectsName, b)}
}
