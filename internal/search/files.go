package search

import (
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"viewer/internal/packed"
)

// files reads an index from files. The rows of a shard are kept once a query has read them.
type files struct {
	read   func(name string) ([]byte, error)
	blocks []block
	shard  func(name string) ([]row, error) // instead of read, if not nil
}

type block struct {
	name   string
	shards int
	first  int // number of the first unit
	rows   map[int][]row
}

// OpenIndex returns an index that reads the files of a site. read returns a file by its name in the site.
func OpenIndex(read func(name string) ([]byte, error)) (*Index, error) {
	x := &Index{files: &files{read: read}}
	contents, err := readText(read, contentsName)
	if err != nil {
		return nil, err
	}
	if rest, ok := strings.CutPrefix(contents, cutMark); ok {
		x.files = nil
		x.cut, err = openCut(rest, read)
		return x, err
	}
	for line := range strings.Lines(contents) {
		b := block{rows: make(map[int][]row)}
		var sessions, units int
		_, err := fmt.Sscanf(line, "%s %d %d %d\n", &b.name, &b.shards, &sessions, &units)
		if err != nil || !isNumberOfShards(b.shards, maxShards) {
			return nil, fmt.Errorf("%s: %w", contentsName, errUnit)
		}
		x.files.blocks = append(x.files.blocks, b)
	}
	var ends []int // of the units of each session
	var units []Unit
	for i := range x.files.blocks {
		b := &x.files.blocks[i]
		b.first = len(units)
		text, err := readText(read, DirectoryName(b.name))
		if err != nil {
			return nil, err
		}
		if text == "" {
			continue
		}
		for line := range strings.SplitSeq(text, documentEnd) {
			e, ok := readLine(line)
			if !ok {
				return nil, fmt.Errorf("%s: %w", DirectoryName(b.name), errUnit)
			}
			units = append(units, e.Units...)
			x.sessions, ends = append(x.sessions, e), append(ends, len(units))
		}
	}
	at := 0
	for session, end := range ends {
		for ; at < end; at++ {
			x.units = append(x.units, sessionUnit{session, &units[at]})
		}
	}
	return x, nil
}

// readLine parses the result of Entry.line.
func readLine(line string) (Entry, bool) {
	fields := strings.Split(line, fieldEnd)
	if len(fields) != 6 || !fs.ValidPath(fields[0]) {
		return Entry{}, false
	}
	e := Entry{Folder: fields[0], Title: fields[1], Project: fields[2], Models: strings.Fields(fields[3]),
		Agent: fields[4]}
	for unit := range strings.FieldsSeq(fields[5]) {
		parts := strings.Split(unit, ",")
		if len(parts) != 5 || !fs.ValidPath(parts[0]) {
			return Entry{}, false
		}
		u := Unit{Page: parts[0] + ".html"}
		size := 0
		for i, to := range []*int{&u.Number, &u.First, &u.Last, &size} {
			if parts[i+1] == "" {
				continue
			}
			n, err := strconv.Atoi(parts[i+1])
			if err != nil {
				return Entry{}, false
			}
			*to = n
		}
		if size < 0 || size > 30 {
			return Entry{}, false
		}
		u.count = smallUnit << size / 2
		e.Units = append(e.Units, u)
	}
	return e, true
}

// isNumberOfShards reports whether a block or a directory of terms can have n shards.
func isNumberOfShards(n, most int) bool { return 1 <= n && n <= most && n&(n-1) == 0 }

// readText returns the text in a file of the index.
func readText(read func(name string) ([]byte, error), name string) (string, error) {
	data, err := read(name)
	if err != nil {
		return "", err
	}
	text, err := packed.Read(data)
	if err != nil {
		return "", fmt.Errorf("%s: %w", name, err)
	}
	return text, nil
}

// postings returns the units that hold a term, or with prefix one that begins with it, each with its weight.
func (f *files) postings(term string, prefix bool) (map[int]uint8, error) {
	found := make(map[int]uint8)
	for _, b := range f.blocks {
		rows, err := f.rows(b, shardOf(term, b.shards))
		if err != nil {
			return nil, err
		}
		for _, r := range rows {
			if r.term == term || prefix && strings.HasPrefix(r.term, term) {
				for unit, p := -1, (reader{rest: string(r.postings)}); p.rest != ""; {
					n := p.number()
					unit += n >> 2
					found[b.first+unit] = max(found[b.first+unit], uint8(n&3))
				}
			}
		}
	}
	return found, nil
}

// rows returns the rows of a shard.
func (f *files) rows(b block, shard int) ([]row, error) {
	if rows, ok := b.rows[shard]; ok {
		return rows, nil
	}
	if f.shard != nil {
		return f.shard(shardName(b.name, shard))
	}
	text, err := readText(f.read, shardName(b.name, shard))
	if err != nil {
		return nil, err
	}
	rows, err := readRows(text)
	if err != nil {
		return nil, err
	}
	b.rows[shard] = rows
	return rows, nil
}
