package search

import (
	"fmt"
	"slices"
	"strings"
)

// A cutPart is some blocks of the Cut layout.
type cutPart struct {
	round  *round
	blocks []*cutBlock // by session
	places []int       // indexes of its sessions in the site
	titled map[string]bool
}

// open returns an index of some blocks, in the order of their sessions.
func (r *round) open(numbers []int) (*Index, error) {
	numbers = slices.Sorted(slices.Values(numbers))
	x := &Index{files: &files{read: r.ask}, part: &cutPart{round: r, titled: make(map[string]bool)}}
	for _, n := range numbers {
		b := &r.blocks[n]
		text, err := readText(r.ask, DirectoryName(b.name))
		if err != nil {
			return nil, err
		}
		entries, ok := readFacets(text)
		if !ok {
			return nil, fmt.Errorf("%s: %w", DirectoryName(b.name), errUnit)
		}
		here := block{name: b.name, shards: b.shards, first: len(x.units), rows: make(map[int][]row)}
		x.files.blocks = append(x.files.blocks, here)
		for i := range entries {
			for k := range entries[i].Units {
				x.units = append(x.units, sessionUnit{len(x.sessions) + i, &entries[i].Units[k]})
			}
			x.part.blocks = append(x.part.blocks, b)
			x.part.places = append(x.part.places, b.session+i)
		}
		x.sessions = append(x.sessions, entries...)
	}
	x.files.shard = r.rows
	return x, nil
}

// complete reads the file of titles of a session, which has those of its neighbours, too.
func (p *cutPart) complete(x *Index, session int) error {
	b := p.blocks[session]
	part := (p.places[session] - b.session) / titledTogether
	name := titlesName(b.name, part)
	if p.titled[name] {
		return nil
	}
	text, err := readText(p.round.ask, name)
	if err != nil {
		return err
	}
	at := session - (p.places[session]-b.session)%titledTogether
	for line := range strings.SplitSeq(text, documentEnd) {
		if at >= len(x.sessions) || p.blocks[at] != b || !x.sessions[at].readTitles(line) {
			return fmt.Errorf("%s: %w", name, errUnit)
		}
		at++
	}
	p.titled[name] = true
	return nil
}
