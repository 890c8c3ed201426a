package search

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode/utf8"
)

// A cutIndex is the index of a site in the Cut layout.
//
// A query reads files in rounds of about 30: the directories of terms, then a few blocks, then the texts of the most
// promising units in them, then other blocks. Only some words are looked up, the longest. A page makes one round until
// somebody asks for more; a program makes all rounds.
type cutIndex struct {
	read        func(string) ([]byte, error)
	blocks      []cutBlock
	directories []cutDirectory
	units       int
}

type cutBlock struct {
	block
	session   int // the first one
	days      [2]int
	directory int // the number of its level, -1 for the last block
}

type cutDirectory struct {
	TermDirectory
	blocks []int // numbers
}

// Limits of a round.
const (
	roundFiles = 30
	maxBytes   = 950_000
	roundBytes = 700_000 // size at which a round ends
	unitBytes  = 10_000  // approximate size of the text of a unit of size 0
	unitFiles  = 2       // its titles and its text
	maxTerms   = 4       // of a query that are looked up
)

// openCut reads the contents of a cut layout.
func openCut(contents string, read func(string) ([]byte, error)) (*cutIndex, error) {
	c := &cutIndex{read: read}
	bad := fmt.Errorf("%s: %w", contentsName, errUnit)
	sessions := 0
	for line := range strings.Lines(contents) {
		var d cutDirectory
		if n, _ := fmt.Sscanf(line, "terms %s %d\n", &d.Level, &d.Shards); n == 2 {
			if !isNumberOfShards(d.Shards, maxTermShards) {
				return nil, bad
			}
			for i := range c.blocks {
				if b := &c.blocks[i]; LevelOf(b.name) == d.Level {
					b.directory = len(c.directories)
					d.blocks = append(d.blocks, i)
				}
			}
			c.directories = append(c.directories, d)
			continue
		}
		b := cutBlock{block: block{rows: make(map[int][]row), first: c.units}, session: sessions, directory: -1}
		var ofBlock, units int
		_, err := fmt.Sscanf(line, "%s %d %d %d %d %d\n", &b.name, &b.shards, &ofBlock, &units, &b.days[0], &b.days[1])
		if err != nil || !isNumberOfShards(b.shards, maxShards) {
			return nil, bad
		}
		c.blocks = append(c.blocks, b)
		sessions, c.units = sessions+ofBlock, c.units+units
	}
	return c, nil
}

// A round counts the files that are read.
type round struct {
	*cutIndex
	files, bytes int
	texts        map[string]string // of the shards that were read
}

func (r *round) ask(name string) ([]byte, error) {
	data, err := r.read(name)
	r.files++
	r.bytes += len(data)
	return data, err
}

// rows returns the rows of a shard, which is read once.
func (r *round) rows(name string) ([]row, error) {
	text, ok := r.texts[name]
	if !ok {
		var err error
		if text, err = readText(r.ask, name); err != nil {
			return nil, err
		}
		r.texts[name] = text
	}
	return readRows(text)
}

// newRound begins a query, which has already read the contents.
func (c *cutIndex) newRound() *round {
	return &round{cutIndex: c, texts: make(map[string]string), files: 1}
}

// room returns how many more files may be read.
func (r *round) room() int {
	if r.bytes >= roundBytes {
		return 0
	}
	return roundFiles - r.files
}

// find is Index.find for this layout.
func (r *round) find(q Query, enough int) (Found, error) {
	q.filters = slices.Clone(q.filters)
	terms := q.chooseTerms()
	order, err := r.promising(q)
	if err != nil {
		return Found{}, err
	}
	var all hitGroups
	var part *Index
	h := new(evaluation)
	ofBlock := 1 + terms
	for all.hits < enough && len(h.units)+len(order) > 0 {
		least := unitFiles
		if len(h.units) == 0 {
			least += ofBlock
		}
		if r.room() < least && r.files > 0 {
			if q.first {
				break
			}
			r.files, r.bytes = 0, 0
		}
		if len(h.units) == 0 {
			n := min(len(order), max(1, r.room()/2/ofBlock))
			if part, err = r.open(order[:n]); err != nil {
				return Found{}, err
			}
			order = order[n:]
			if h, err = part.evaluate(q); err != nil {
				return Found{}, err
			}
			h.room = func() (units, size int) { return max(1, r.room()/unitFiles), (maxBytes - r.bytes) / unitBytes }
			continue
		}
		if err := part.look(q, h, &all, enough); err != nil {
			return Found{}, err
		}
	}
	return Found{Groups: all.ranked(), More: len(h.units)+len(order) > 0}, nil
}

// chooseTerms chooses the terms to look up, and returns their number: the longest words, then the words of paths, then
// tools and other filters. The rest is matched against texts.
func (q Query) chooseTerms() int {
	type choice struct {
		letters int
		take    func()
	}
	var words, others []choice
	add := func(to *[]choice, p *phrase) {
		p.skip = make([]bool, len(p.terms))
		for i, term := range p.terms {
			p.skip[i] = true
			*to = append(*to, choice{utf8.RuneCountInString(term), func() { p.skip[i] = false }})
		}
	}
	for _, p := range q.wanted {
		add(&words, p)
	}
	for i := range q.filters {
		f := &q.filters[i]
		switch {
		case f.not:
		case f.key == "path":
			add(&others, f.path)
		case f.term() != "":
			f.inText = true
			others = append(others, choice{0, func() { f.inText = false }})
		}
	}
	slices.SortStableFunc(words, func(a, b choice) int { return b.letters - a.letters })
	chosen := slices.Concat(words, others)
	chosen = chosen[:min(maxTerms, len(chosen))]
	for _, c := range chosen {
		c.take()
	}
	return len(chosen)
}

// term returns the index term for a filter, "" if there is none.
func (f filter) term() string {
	if f.key == "tool" || f.key == "kind" || f.key == "is" && f.value == "error" {
		return f.key + ":" + f.value
	}
	return ""
}

// promising returns the numbers of the blocks that may have hits, the most promising first. It sets the weights of the
// phrases.
func (r *round) promising(q Query) ([]int, error) {
	score := make(map[int]float64)
	allowed, err := r.chosen(q)
	if err != nil {
		return nil, err
	}
	for n := range r.blocks {
		if allowed(n) {
			score[n] = 0
		}
	}
	keep := func(found map[int]termPosting) {
		maps.DeleteFunc(score, func(n int, _ float64) bool { _, ok := found[n]; return !ok })
	}
	any := make(map[int]bool) // blocks that have one of the words
	for _, p := range q.wanted {
		found, err := r.blocksWithPhrase(p)
		if err != nil {
			return nil, err
		}
		p.known, p.units, p.idf = true, 0, 1
		if found == nil {
			continue
		}
		for n, posting := range found {
			any[n] = true
			p.units += posting.units()
			if _, ok := score[n]; ok {
				score[n] += weightScore[posting.weight]
			}
		}
		p.units = min(p.units, r.units)
		p.idf = inverseFrequency(r.units, p.units)
		if !q.partial {
			keep(found)
		}
	}
	if q.partial {
		maps.DeleteFunc(score, func(n int, _ float64) bool { return !any[n] })
	}
	for _, f := range q.filters {
		found, err := r.blocksWithFilter(f)
		if err != nil {
			return nil, err
		}
		if found != nil {
			keep(found)
		}
	}
	order := slices.Collect(maps.Keys(score))
	slices.SortFunc(order, func(a, b int) int { return cmp.Or(cmp.Compare(score[b], score[a]), b-a) })
	return order, nil
}

// chosen returns a function that reports whether a block has sessions of the projects and the time in a query.
func (r *round) chosen(q Query) (func(block int) bool, error) {
	var sets []map[int]bool
	var after, before int
	for _, f := range q.filters {
		switch {
		case f.not:
		case f.key == "project":
			text, err := readText(r.ask, projectsName)
			if err != nil {
				return nil, err
			}
			set := make(map[int]bool)
			for line := range strings.Lines(text) {
				project, blocks, _ := strings.Cut(strings.TrimSuffix(line, "\n"), fieldEnd)
				if !strings.Contains(strings.ToLower(project), f.value) {
					continue
				}
				for number := range strings.FieldsSeq(blocks) {
					n := 0
					if _, err := fmt.Sscan(number, &n); err != nil {
						return nil, fmt.Errorf("%s: %w", projectsName, errUnit)
					}
					set[n] = true
				}
			}
			sets = append(sets, set)
		case f.key == "after" && !f.day.IsZero():
			after = max(after, dayOf(f.day))
		case f.key == "before" && !f.day.IsZero() && (before == 0 || dayOf(f.day) < before):
			before = dayOf(f.day)
		}
	}
	return func(n int) bool {
		for _, set := range sets {
			if !set[n] {
				return false
			}
		}
		days := r.blocks[n].days
		return days[1] >= after && (before == 0 || days[0] < before)
	}, nil
}

// blocksWithFilter returns the blocks with the term of a filter, nil if it has none.
func (r *round) blocksWithFilter(f filter) (map[int]termPosting, error) {
	switch {
	case f.not, f.inText:
	case f.key == "path":
		return r.blocksWithPhrase(f.path)
	case f.term() != "":
		return r.blocksWith(f.term(), false)
	}
	return nil, nil
}

// blocksWithPhrase returns the blocks with the terms of a phrase that are looked up; nil if none is looked up.
func (r *round) blocksWithPhrase(p *phrase) (map[int]termPosting, error) {
	var found map[int]termPosting
	for i, term := range p.terms {
		if p.skip[i] {
			continue
		}
		one, err := r.blocksWith(term, p.prefix && i == len(p.terms)-1)
		if err != nil {
			return nil, err
		}
		if found == nil {
			found = one
			continue
		}
		for n, known := range found {
			if other, ok := one[n]; ok {
				found[n] = termPosting{n, min(known.count, other.count), min(known.weight, other.weight)}
			} else {
				delete(found, n)
			}
		}
	}
	return found, nil
}

// blocksWith returns the blocks with a term, or with prefix the blocks with a term that begins with it.
func (r *round) blocksWith(term string, prefix bool) (map[int]termPosting, error) {
	found := make(map[int]termPosting)
	err := r.shardsOf(term, func(of row, postings []termPosting) {
		if of.term != term && !(prefix && strings.HasPrefix(of.term, term)) {
			return
		}
		for _, p := range postings {
			known := found[p.block]
			found[p.block] = termPosting{p.block, max(known.count, p.count), max(known.weight, p.weight)}
		}
	})
	return found, err
}

// shardsOf calls take with the rows of the shards that a term belongs to, each with the blocks of its term.
func (r *round) shardsOf(term string, take func(of row, postings []termPosting)) error {
	for _, d := range r.directories {
		rows, err := r.rows(d.shardName(shardOf(term, d.Shards)))
		if err != nil {
			return err
		}
		for _, of := range rows {
			postings := of.termPostings()
			for i := range postings {
				if n := postings[i].block; n < 0 || n >= len(d.blocks) {
					return errShard
				}
				postings[i].block = d.blocks[postings[i].block]
			}
			take(of, postings)
		}
	}
	for n, b := range r.blocks {
		if b.directory >= 0 {
			continue
		}
		rows, err := r.rows(shardName(b.name, shardOf(term, b.shards)))
		if err != nil {
			return err
		}
		for _, of := range rows {
			take(of, []termPosting{termPostingOf(n, of)})
		}
	}
	return nil
}

// termsWith calls take with the terms of the shards of some beginnings, each with the approximate number of its units.
func (r *round) termsWith(beginnings []string, take func(term string, units int)) error {
	for _, s := range beginnings {
		err := r.shardsOf(s, func(of row, postings []termPosting) {
			if !strings.HasPrefix(of.term, s) {
				return
			}
			units := 0
			for _, p := range postings {
				units += p.units()
			}
			take(of.term, units)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// documents returns the documents of a session. A session of a single page has no list of pages.
func (c *cutIndex) documents(folder string) ([]StoredDocument, error) {
	list, err := readText(c.read, "s/"+folder+"/"+pageListName)
	isSingle := errors.Is(err, fs.ErrNotExist)
	if isSingle {
		list, err = fmt.Sprintf("%s %d\n", strings.TrimSuffix(firstPage, ".html"), math.MaxInt), nil
	}
	if err != nil {
		return nil, err
	}
	var all []Unit
	for line := range strings.Lines(list) {
		if line == "\n" {
			break
		}
		var page string
		units := 0
		if _, err := fmt.Sscanf(line, "%s %d\n", &page, &units); err != nil {
			return nil, fmt.Errorf("%s: %w", pageListName, errUnit)
		}
		for n := range units {
			u := Unit{Page: page + ".html", Number: n}
			if u.Text, err = readText(c.read, "s/"+folder+"/"+u.Name()); isSingle && errors.Is(err, fs.ErrNotExist) {
				break
			}
			if err != nil {
				return nil, err
			}
			all = append(all, u)
		}
	}
	slices.SortFunc(all, func(a, b Unit) int { return cmp.Or(comparePages(a.Page, b.Page), a.Number-b.Number) })
	var docs []StoredDocument
	for _, u := range all {
		docs = append(docs, u.ReadDocuments()...)
	}
	return docs, nil
}
