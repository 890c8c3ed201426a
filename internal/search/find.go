package search

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// An Index answers queries: from the sessions that it was made of, or from the
// files of a site.
type Index struct {
	sessions []Entry
	units    []located
	files    *files // nil when these are not of a site
	kept     *Kept  // nil when units have their text and terms
}

// Kept gives what units have, which is not in memory.
type Kept struct {
	Part func(session int) ([]byte, error) // see Part
	Text func(unit int) ([]byte, error)    // units of all sessions are counted
}

type located struct {
	session int
	unit    *Unit
}

// NewIndex takes sessions in the order in which they began; their units have
// text and terms.
func NewIndex(sessions []Entry) *Index {
	x := &Index{sessions: sessions}
	for i := range sessions {
		for k := range sessions[i].Units {
			x.units = append(x.units, located{i, &sessions[i].Units[k]})
		}
	}
	return x
}

// NewKeptIndex is NewIndex for units whose text and terms are kept somewhere else.
func NewKeptIndex(sessions []Entry, kept Kept) *Index {
	x := NewIndex(sessions)
	x.kept = &kept
	return x
}

// A Hit is a document that a query found.
type Hit struct {
	Found
	Score float64
	Spans []Span // of what was found in its text
}

// A Group is the hits in a session, the best first.
type Group struct {
	Session Entry
	Hits    []Hit
	at      int // of the session in the index
}

// worth is that of a weight, boost that of a kind of document.
var (
	worth = [...]float64{1, 1.6, 3, 5}
	boost = [...]float64{Event: 0.7, Hook: 0.8, Tool: 1, Thinking: 1.2, Answer: 1.6, Prompt: 3, Title: 5}
)

// BM25 with the length of a usual document in code units of UTF-16, as a page counts.
const (
	saturation  = 1.2
	lengthShare = 0.5
	usualLength = 900
)

// So many units, of so many small ones' terms together, are looked at before it is
// asked whether there are hits enough: on a page each is a file to load.
const (
	atFirst    = 8
	atLeast    = 4
	atOnce     = 16
	bulkAtOnce = 64
)

// A likeness is what units share that are copies of each other.
type likeness struct {
	score float64
	size  int
}

// A hunt looks for hits in units, a round of them after the other.
type hunt struct {
	units  []int // that are left, the most promising first
	looked int   // at so many
	like   func(unit int) likeness
	size   func(unit int) int
	worth  map[likeness]bool // whether units like those that were looked at had hits
}

// round takes the units off the list that are looked at next. The first of each
// likeness comes before others like it, unless there were hits in such: what is like
// a unit without a hit is often a copy of it.
//
// have of enough hits are there. It takes twice as many units as will do if the next
// are like those so far.
func (h *hunt) round(have, enough int) []int {
	most := atFirst
	switch {
	case have > 0:
		most = min(max((2*(enough-have)*h.looked+have-1)/have, atLeast), atOnce)
	case h.looked > 0:
		most = atOnce
	}
	var now []int
	bulk, full := 0, false
	taken := make(map[int]bool)
	met := make(map[likeness]bool)
	take := func(u int) {
		if full || taken[u] {
			return
		}
		size := 1 << h.size(u)
		if full = len(now) == most || len(now) > 0 && bulk+size > bulkAtOnce; full {
			return
		}
		now, bulk, taken[u] = append(now, u), bulk+size, true
	}
	for _, u := range h.units {
		if like := h.like(u); h.worth[like] || !met[like] {
			met[like] = true
			take(u)
		}
	}
	for _, u := range h.units {
		take(u)
	}
	h.units = slices.DeleteFunc(h.units, func(u int) bool { return taken[u] })
	h.looked += len(now)
	return now
}

// learn puts what is like units without a hit behind all others.
func (h *hunt) learn(hits map[likeness]int) {
	late := func(u int) int {
		if n, ok := hits[h.like(u)]; ok && n == 0 {
			return 1
		}
		return 0
	}
	for like, n := range hits {
		h.worth[like] = n > 0
	}
	slices.SortStableFunc(h.units, func(a, b int) int { return late(a) - late(b) })
}

// Find gives at least so many hits, when there are, by session: those in the most
// promising units first, as a page shows them. more says that there may be others.
// Files of a site that cannot be read are an error.
func (x *Index) Find(q Query, enough int) (groups []Group, more bool, err error) {
	if q.Empty() {
		return nil, false, nil
	}
	units, score, err := x.candidates(q)
	if err != nil {
		return nil, false, err
	}
	h := hunt{
		units: units, worth: make(map[likeness]bool),
		size: func(u int) int { return x.units[u].unit.size() },
		like: func(u int) likeness { return likeness{score[u], x.units[u].unit.size()} },
	}
	bySession := make(map[int]int)
	for n := 0; len(h.units) > 0 && n < enough; {
		found := make(map[likeness]int)
		for _, u := range h.round(n, enough) {
			hits, err := x.hits(u, q)
			if err != nil {
				return nil, false, err
			}
			found[h.like(u)] += len(hits)
			for _, hit := range hits {
				session := x.units[u].session
				k, ok := bySession[session]
				if !ok {
					k = len(groups)
					bySession[session] = k
					groups = append(groups, Group{Session: x.sessions[session], at: session})
				}
				groups[k].Hits = append(groups[k].Hits, hit)
				n++
			}
		}
		h.learn(found)
	}
	for _, g := range groups {
		slices.SortStableFunc(g.Hits, func(a, b Hit) int { return cmp.Or(cmp.Compare(b.Score, a.Score), b.Time.Compare(a.Time)) })
	}
	slices.SortFunc(groups, func(a, b Group) int {
		return cmp.Or(cmp.Compare(b.Hits[0].Score, a.Hits[0].Score), cmp.Compare(b.at, a.at))
	})
	return groups, len(h.units) > 0, nil
}

// candidates are the units that may hold what is wanted, with what they promise, the
// most promising first, the newest of equals. In a small unit all words are more likely to be of one
// message: each time that a unit has twice the terms, it promises less.
func (x *Index) candidates(q Query) (some []int, score []float64, err error) {
	score = make([]float64, len(x.units))
	some = make([]int, len(x.units))
	for i := range some {
		some[i] = i
	}
	keep := func(found map[int]uint8) {
		some = slices.DeleteFunc(some, func(u int) bool { _, ok := found[u]; return !ok })
	}
	for _, p := range q.wanted {
		found, err := x.withPhrase(p)
		if err != nil {
			return nil, nil, err
		}
		n, df := float64(len(x.units)), float64(len(found))
		p.worth = math.Log(1 + (n-df+0.5)/(df+0.5))
		keep(found)
		for _, u := range some {
			score[u] += p.worth * worth[found[u]]
		}
	}
	for _, f := range q.filters {
		var found map[int]uint8
		var err error
		switch {
		case f.not:
		case f.key == "path":
			found, err = x.withPhrase(f.path)
		case f.key == "tool", f.key == "kind", f.key == "is" && f.value == "error":
			found, err = x.with(f.key+":"+f.value, false)
		}
		if err != nil {
			return nil, nil, err
		}
		if found != nil {
			keep(found)
		}
		some = slices.DeleteFunc(some, func(u int) bool { return !x.fitsUnit(x.units[u], f) })
	}
	for _, u := range some {
		score[u] /= float64(4 + x.units[u].unit.size())
	}
	slices.SortStableFunc(some, func(a, b int) int {
		return cmp.Or(cmp.Compare(score[b], score[a]), cmp.Compare(x.units[b].session, x.units[a].session), cmp.Compare(a, b))
	})
	return some, score, nil
}

// with are the units that hold a term, or one that begins so, each with its weight.
func (x *Index) with(term string, prefix bool) (map[int]uint8, error) {
	if x.files != nil {
		return x.files.with(term, prefix)
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

// termsOf are the units of a session, with their terms.
func (x *Index) termsOf(session int) ([]Unit, error) {
	if x.kept == nil {
		return x.sessions[session].Units, nil
	}
	part, err := x.kept.Part(session)
	if err != nil {
		return nil, err
	}
	return ReadPart(part)
}

func (x *Index) withPhrase(p *phrase) (map[int]uint8, error) {
	var found map[int]uint8
	for i, term := range p.terms {
		one, err := x.with(term, p.prefix && i == len(p.terms)-1)
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

func (x *Index) fitsUnit(u located, f filter) bool {
	s := x.sessions[u.session]
	switch f.key {
	case "project":
		return strings.Contains(strings.ToLower(s.Project), f.value) != f.not
	case "model":
		return strings.Contains(strings.ToLower(strings.Join(s.Models, " ")), f.value) != f.not
	case "after":
		return f.not || f.day.IsZero() || u.unit.Last >= dayOf(f.day)
	case "before":
		return f.not || f.day.IsZero() || u.unit.First == 0 || u.unit.First < dayOf(f.day)
	}
	return true
}

func fits(d Found, f filter) bool {
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

// hits are the documents of a unit that a query finds.
func (x *Index) hits(u int, q Query) ([]Hit, error) {
	unit := *x.units[u].unit
	switch {
	case x.kept != nil:
		text, err := x.kept.Text(u)
		if err != nil {
			return nil, err
		}
		unit.Text = string(text)
	case x.files != nil:
		var err error
		if unit.Text, err = x.files.text("s/" + x.sessions[x.units[u].session].Folder + "/" + unit.Name()); err != nil {
			return nil, err
		}
	}
	var all []Hit
documents:
	for _, d := range unit.ReadDocuments() {
		for _, f := range q.filters {
			if !fits(d, f) {
				continue documents
			}
		}
		found := match(d.Text, d.Rest, q.wanted)
		if !found.all() {
			continue
		}
		if len(q.unwanted) > 0 && slices.ContainsFunc(match(d.Text, d.Rest, q.unwanted).counts, func(n int) bool { return n > 0 }) {
			continue
		}
		score := 0.0
		if len(q.wanted) == 0 {
			score = 1
		}
		for k, p := range q.wanted {
			n := float64(found.counts[k])
			score += p.worth * n * (saturation + 1) / (n + saturation*(1-lengthShare+lengthShare*float64(units16(d.Text))/usualLength))
		}
		all = append(all, Hit{d, score * boost[d.Kind], found.spans})
	}
	return all, nil
}
