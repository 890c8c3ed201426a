package search

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// An Index answers queries from sessions in memory or from the files of a site.
type Index struct {
	sessions []Entry
	units    []sessionUnit
	files    *files     // nil if the sessions are not those of a site
	store    *UnitStore // nil if units have their text and terms
	cut      *cutIndex  // for the Cut layout, where the index has no sessions itself
	part     *cutPart   // for the Cut layout: the sessions are those of a few blocks
}

// A UnitStore reads the parts of units that are not in memory.
type UnitStore struct {
	Segment func(session int) ([]byte, error) // see Segment
	Text    func(unit int) ([]byte, error)    // by number among all units
}

type sessionUnit struct {
	session int
	unit    *Unit
}

// NewIndex returns an index of sessions in the order in which they began. Their units have text and terms.
func NewIndex(sessions []Entry) *Index {
	x := &Index{sessions: sessions}
	for i := range sessions {
		for k := range sessions[i].Units {
			x.units = append(x.units, sessionUnit{i, &sessions[i].Units[k]})
		}
	}
	return x
}

// NewStoredIndex is NewIndex for units whose text and terms are in a store.
func NewStoredIndex(sessions []Entry, store UnitStore) *Index {
	x := NewIndex(sessions)
	x.store = &store
	return x
}

// A Hit is a document that matches a query.
type Hit struct {
	StoredDocument
	Score float64
	Spans []Span // of the matches in its text
}

// A Group holds the hits in a session, the best first.
type Group struct {
	Session Entry
	Hits    []Hit
	at      int // index of the session
}

// Found is the answer to a query.
type Found struct {
	Groups  []Group // the best first
	More    bool    // there may be more
	Partial bool    // no document has all words: these have the most and rarest words
	Near    []Near  // similar terms for words of the query that occur nowhere
}

// weightScore is the score of a weight, kindBoost the factor of a kind of document.
var (
	weightScore = [...]float64{1, 1.6, 3, 5}
	kindBoost   = [...]float64{
		Event: 0.7, Hook: 0.8, Tool: 1, Thinking: 1.2, Answer: 1.6, Prompt: 3, Title: 5, Noted: 3,
	}
)

// Parameters of BM25. The usual length of a document is in code units of UTF-16, as JavaScript counts.
const (
	saturation  = 1.2
	lengthShare = 0.5
	usualLength = 900
)

// Find returns hits by session, the best first: at least enough of them, if there are so many. If no document has all
// words, it returns those with the most and rarest words. It returns an error when a file of a site cannot be read.
func (x *Index) Find(q Query, enough int) (Found, error) {
	if q.Empty() {
		return Found{}, nil
	}
	if x.cut != nil {
		q.round = x.cut.newRound()
	}
	found, err := x.find(q, enough)
	if err != nil || len(found.Groups) > 0 || found.More {
		return found, err
	}
	near, err := x.near(q)
	if err != nil {
		return Found{}, err
	}
	if q.partial = len(q.wanted) > 1; q.partial {
		if found, err = x.find(q, enough); err != nil {
			return Found{}, err
		}
		found.Partial = len(found.Groups) > 0
	}
	found.Near = near
	return found, nil
}

// find is Find for documents that have all words, or for a partial query some.
func (x *Index) find(q Query, enough int) (Found, error) {
	if x.cut != nil {
		return q.round.find(q, enough)
	}
	h, err := x.evaluate(q)
	if err != nil {
		return Found{}, err
	}
	var all hitGroups
	for len(h.units) > 0 && all.hits < enough {
		if err := x.look(q, h, &all, enough); err != nil {
			return Found{}, err
		}
	}
	return Found{Groups: all.ranked(), More: len(h.units) > 0}, nil
}

// hitGroups are the hits that were found so far, by session.
type hitGroups struct {
	groups []Group
	at     map[int]int // in groups, by the place of the session
	hits   int
}

// ranked puts the best group, and the best hit of each, first.
func (all *hitGroups) ranked() []Group {
	groups := all.groups
	for i := range groups {
		g := &groups[i]
		g.Hits = withoutTitle(g.Hits)
		slices.SortStableFunc(
			g.Hits,
			func(a, b Hit) int { return cmp.Or(compareHits(a, b), b.Time.Compare(a.Time)) },
		)
	}
	slices.SortFunc(groups, func(a, b Group) int {
		return cmp.Or(compareHits(a.Hits[0], b.Hits[0]), cmp.Compare(b.at, a.at))
	})
	return groups
}

// compareHits sorts better hits first and events last.
func compareHits(a, b Hit) int {
	if (a.Kind == Event) != (b.Kind == Event) {
		return cmp.Compare(b.Kind, a.Kind)
	}
	return cmp.Compare(b.Score, a.Score)
}

// withoutTitle removes a hit in the title of a session if the title is a sentence of a prompt that is also a hit. The
// prompt gets its score.
func withoutTitle(hits []Hit) []Hit {
	title := slices.IndexFunc(hits, func(h Hit) bool { return h.Kind == Title })
	if title < 0 {
		return hits
	}
	words := wordsOf(hits[title].Text)
	for i := range hits {
		if hits[i].Kind == Prompt && strings.Contains(wordsOf(hits[i].Text), words) {
			hits[i].Score = max(hits[i].Score, hits[title].Score)
			return slices.Delete(hits, title, title+1)
		}
	}
	return hits
}

// wordsOf returns the words of a text with blanks between and around them, without a last word that is cut off.
func wordsOf(text string) string {
	text, isCut := strings.CutSuffix(text, "…")
	b := []byte{' '}
	last := 0
	for s := (tokenizer{text: text}); s.next(); {
		if !s.subword {
			last = len(b)
			b = append(append(b, s.term...), ' ')
		}
	}
	if isCut && last > 1 {
		b = b[:last]
	}
	return string(b)
}

// candidates returns the units that may contain matches and their scores, the best first, and of equals the newest. All
// words of a small unit are more likely to be in one message, so larger units have a lower score.
func (x *Index) candidates(q Query) (some []int, score []float64, err error) {
	score = make([]float64, len(x.units))
	some = make([]int, len(x.units))
	for i := range some {
		some[i] = i
	}
	share, all := make([]float64, len(x.units)), 0.0 // value of the words of each unit, and of the query
	keep := func(found map[int]uint8) {
		some = slices.DeleteFunc(some, func(u int) bool { _, ok := found[u]; return !ok })
	}
	for _, p := range q.wanted {
		found, err := x.phrasePostings(p)
		if err != nil {
			return nil, nil, err
		}
		if !p.known {
			p.units, p.idf = len(found), inverseFrequency(len(x.units), len(found))
		}
		all += p.idf
		if found == nil { // no term of it was looked up
			continue
		}
		if !q.partial {
			keep(found)
		}
		for _, u := range some {
			if weight, ok := found[u]; ok {
				score[u] += float64(p.idf * weightScore[weight])
				share[u] += p.idf
			}
		}
	}
	if q.partial {
		some = slices.DeleteFunc(some, func(u int) bool { return score[u] == 0 })
	}
	for _, f := range q.filters {
		found, err := x.filterPostings(f)
		if err != nil {
			return nil, nil, err
		}
		if found != nil {
			keep(found)
		}
		some = slices.DeleteFunc(some, func(u int) bool { return !x.fitsUnit(x.units[u], f) })
	}
	for _, u := range some {
		if score[u] /= float64(4 + x.units[u].unit.size()); q.partial {
			score[u] *= share[u] / all
		}
	}
	slices.SortStableFunc(some, func(a, b int) int {
		return cmp.Or(cmp.Compare(score[b], score[a]), cmp.Compare(x.units[b].session, x.units[a].session),
			cmp.Compare(a, b))
	})
	return some, score, nil
}

// inverseFrequency returns the weight of a phrase that is in some units of all.
func inverseFrequency(units, of int) float64 {
	n, df := float64(units), float64(of)
	return math.Log(1 + (n-df+0.5)/(df+0.5))
}

// postings returns the units that hold a term, or with prefix one that begins with it, each with its weight.
func (x *Index) postings(term string, prefix bool) (map[int]uint8, error) {
	if x.files != nil {
		return x.files.postings(term, prefix)
	}
	found := make(map[int]uint8)
	i := 0
	for session := range x.sessions {
		units, err := x.termsOf(session)
		if err != nil {
			return nil, err
		}
		for _, u := range units {
			for t, weight := range u.postings() {
				if t == term || prefix && strings.HasPrefix(t, term) {
					found[i] = max(found[i], weight)
				}
			}
			i++
		}
	}
	return found, nil
}

// termsOf returns the units of a session with their terms.
func (x *Index) termsOf(session int) ([]Unit, error) {
	if x.store == nil {
		return x.sessions[session].Units, nil
	}
	part, err := x.store.Segment(session)
	if err != nil {
		return nil, err
	}
	return ReadSegment(part)
}

func (x *Index) phrasePostings(p *phrase) (map[int]uint8, error) {
	var found map[int]uint8
	for i, term := range p.terms {
		if p.skip != nil && p.skip[i] {
			continue
		}
		one, err := x.postings(term, p.prefix && i == len(p.terms)-1)
		if err != nil {
			return nil, err
		}
		if found == nil {
			found = one
			continue
		}
		for u, weight := range found {
			if other, ok := one[u]; ok {
				found[u] = min(weight, other)
			} else {
				delete(found, u)
			}
		}
	}
	return found, nil
}

// filterPostings returns the units with the term of a filter, nil if it has none.
func (x *Index) filterPostings(f filter) (map[int]uint8, error) {
	switch {
	case f.not, f.inText:
	case f.key == "path":
		return x.phrasePostings(f.path)
	case f.term() != "":
		return x.postings(f.term(), false)
	}
	return nil, nil
}

func (x *Index) fitsUnit(u sessionUnit, f filter) bool {
	s := x.sessions[u.session]
	switch f.key {
	case "project":
		return strings.Contains(strings.ToLower(s.Project), f.value) != f.not
	case "model":
		return strings.Contains(strings.ToLower(strings.Join(s.Models, " ")), f.value) != f.not
	case "agent":
		return strings.HasPrefix(s.Agent, f.value) != f.not
	case "after":
		return f.not || f.day.IsZero() || u.unit.Last >= dayOf(f.day)
	case "before":
		return f.not || f.day.IsZero() || u.unit.First == 0 || u.unit.First < dayOf(f.day)
	}
	return true
}

func fits(d StoredDocument, f filter) bool {
	switch f.key {
	case "tool":
		return (strings.ToLower(d.Tool) == f.value) != f.not
	case "kind":
		return (d.Kind.String() == f.value) != f.not
	case "is":
		return (f.value == "error" && d.Failed) != f.not
	case "after":
		return !d.Time.IsZero() && (!f.day.IsZero() && !d.Time.Before(f.day)) != f.not
	case "before":
		return !d.Time.IsZero() && (!f.day.IsZero() && d.Time.Before(f.day)) != f.not
	case "path":
		return (d.Path != "" && match(d.Path, "", []*phrase{f.path}).all()) != f.not
	}
	return true
}

// withText returns a unit with its text.
func (x *Index) withText(u int) (Unit, error) {
	if x.part != nil {
		if err := x.part.complete(x, x.units[u].session); err != nil {
			return Unit{}, err
		}
	}
	unit := *x.units[u].unit
	var err error
	switch {
	case x.store != nil:
		var text []byte
		text, err = x.store.Text(u)
		unit.Text = string(text)
	case x.files != nil:
		unit.Text, err = readText(x.files.read, "s/"+x.sessions[x.units[u].session].Folder+"/"+unit.Name())
	}
	return unit, err
}

// hits returns the documents of a unit that match a query.
func (x *Index) hits(u int, q Query) ([]Hit, error) {
	unit, err := x.withText(u)
	if err != nil {
		return nil, err
	}
	var hits []Hit
documents:
	for _, d := range unit.ReadDocuments() {
		for _, f := range q.filters {
			if !fits(d, f) {
				continue documents
			}
		}
		found := match(d.Text, d.Rest, q.wanted)
		if !found.all() && !(q.partial && found.any()) {
			continue
		}
		if len(q.unwanted) > 0 && slices.ContainsFunc(match(d.Text, d.Rest, q.unwanted).counts, func(n int) bool {
			return n > 0
		}) {
			continue
		}
		score := 0.0
		if len(q.wanted) == 0 {
			score = 1
		}
		share, all := 0.0, 0.0
		for k, p := range q.wanted {
			n := float64(found.counts[k])
			if all += p.idf; n > 0 {
				share += p.idf
			}
			score += p.idf * n * (saturation + 1) / (n +
				float64(saturation*(1-lengthShare+lengthShare*float64(units16(d.Text))/usualLength)))
		}
		if q.partial {
			score *= share / all
		}
		hits = append(hits, Hit{d, score * kindBoost[d.Kind], found.spans})
	}
	return hits, nil
}
