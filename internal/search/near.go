package search

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Near is a word of a query that no session has, and terms of the index with a similar spelling.
type Near struct {
	Word  string
	Terms []string // the most similar first, of equals the most frequent
}

// Limits for finding similar terms. A query reads one shard of each block for each beginning, so fewer beginnings are
// tried when there are many blocks.
const (
	minNear  = 4  // letters: shorter words have too many similar ones
	loneEdit = 6  // letters: shorter words may differ by one edit, others by two
	maxNear  = 3  // terms of a word
	maxWords = 3  // words of a query
	maxReads = 48 // shards that are read for a word

	maxCutReads = 8 // the same for the Cut layout
)

const vowels = "aeiou"

// nearBeginnings returns the likely first letters of a term that is similar to a word, the most likely first: those of
// the word, then with two letters swapped, with a letter missing, doubled, with another vowel or an additional one.
func nearBeginnings(word string, most int) []string {
	w := []rune(word)
	var all []string
	add := func(letters ...rune) {
		if s := string(letters[:shardLetters]); !slices.Contains(all, s) {
			all = append(all, s)
		}
	}
	a, b, c, d := w[0], w[1], w[2], w[3]
	add(a, b, c)
	add(b, a, c)
	add(a, c, b)
	add(a, b, d)
	add(b, c, d)
	add(a, c, d)
	add(a, b, b)
	for _, v := range vowels {
		add(a, v, b)
		add(a, b, v)
	}
	for _, v := range vowels {
		if strings.ContainsRune(vowels, b) {
			add(a, v, c)
		}
	}
	return all[:min(len(all), most)]
}

// edits returns the least number of insertions, deletions, replacements and swaps of neighbouring letters that turn a
// into b. It stops at most+1.
func edits(a, b []rune, most int) int {
	if len(a)-len(b) > most || len(b)-len(a) > most {
		return most + 1
	}
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := range a {
		row[0] = i + 1
		least := row[0]
		for j := range b {
			n := last[j]
			if a[i] != b[j] {
				n = min(n, last[j+1], row[j]) + 1
			}
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				n = min(n, before[j-1]+1)
			}
			row[j+1] = n
			least = min(least, n)
		}
		if least > most {
			return most + 1
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}

// near returns the words of a query that no session has, each with similar terms.
func (x *Index) near(q Query) ([]Near, error) {
	var all []Near
	for _, p := range q.wanted {
		if p.units > 0 || p.exact || len(p.terms) > 1 || len(all) == maxWords {
			continue
		}
		terms, err := x.nearTo(q, p.terms[0])
		if err != nil {
			return nil, err
		}
		all = append(all, Near{p.terms[0], terms})
	}
	return all, nil
}

func (x *Index) nearTo(q Query, word string) ([]string, error) {
	letters := []rune(word)
	if len(letters) < minNear || strings.ContainsFunc(word, unicode.IsNumber) {
		return nil, nil
	}
	most := 2
	if len(letters) < loneEdit {
		most = 1
	}
	reads := maxReads / max(len(Blocks(len(x.sessions))), 1)
	if x.cut != nil {
		reads = maxCutReads / (len(x.cut.directories) + 1)
	}
	units := make(map[string]int) // number of units that hold a term
	err := x.termsWith(q, nearBeginnings(word, max(reads, 1)), func(term string, n int) { units[term] += n })
	if err != nil {
		return nil, err
	}
	type candidate struct {
		term         string
		edits, units int
	}
	var some []candidate
	for term, n := range units {
		if utf8.RuneCountInString(term) < minNear-1 || strings.Contains(term, ":") {
			continue
		}
		if d := edits(letters, []rune(term), most); d <= most {
			some = append(some, candidate{term, d, n})
		}
	}
	slices.SortFunc(some, func(a, b candidate) int {
		return cmp.Or(a.edits-b.edits, b.units-a.units, strings.Compare(a.term, b.term))
	})
	var terms []string
	for _, c := range some {
		if c.edits == some[0].edits && len(terms) < maxNear {
			terms = append(terms, c.term)
		}
	}
	return terms, nil
}

// termsWith calls take with the terms that have one of some beginnings, each with the number of units that hold it. A
// term may occur several times.
func (x *Index) termsWith(q Query, beginnings []string, take func(term string, units int)) error {
	has := func(term string) bool {
		return slices.ContainsFunc(beginnings, func(s string) bool { return strings.HasPrefix(term, s) })
	}
	if x.cut != nil {
		return q.round.termsWith(beginnings, func(term string, units int) {
			if has(term) {
				take(term, units)
			}
		})
	}
	if x.files != nil {
		return x.files.termsWith(beginnings, func(r row) {
			if has(r.term) {
				take(r.term, r.units())
			}
		})
	}
	for session := range x.sessions {
		units, err := x.termsOf(session)
		if err != nil {
			return err
		}
		for _, u := range units {
			for term := range u.postings() {
				if has(term) {
					take(term, 1)
				}
			}
		}
	}
	return nil
}

// termsWith calls take with the rows of all shards that may hold terms with one of some beginnings.
func (f *files) termsWith(beginnings []string, take func(row)) error {
	for _, b := range f.blocks {
		read := make(map[int]bool)
		for _, s := range beginnings {
			shard := shardOf(s, b.shards)
			if read[shard] {
				continue
			}
			read[shard] = true
			rows, err := f.rows(b, shard)
			if err != nil {
				return err
			}
			for _, r := range rows {
				take(r)
			}
		}
	}
	return nil
}

// units returns the number of units that hold the term of a row.
func (r row) units() (n int) {
	for p := (reader{rest: string(r.postings)}); p.rest != ""; n++ {
		p.number()
	}
	return n
}
