package search

import "slices"

// Limits of a round: the number of units, and the total size of small ones. A page loads a file for each unit.
const (
	firstRound       = 8
	smallestRound    = 4
	largestRound     = 16
	largestRoundSize = 64
)

// A signature is the score and size of a unit. Units that are copies of each other mostly have the same.
type signature struct {
	score float64
	size  int
}

// An evaluation hands out the candidate units in rounds.
type evaluation struct {
	units     []int // not evaluated yet, the best first
	done      int   // number of units that were evaluated
	signature func(unit int) signature
	size      func(unit int) int
	hasHits   map[signature]bool       // whether there were hits in units with a signature
	room      func() (units, size int) // how many may be evaluated now, and their size together; nil for no limit
}

// round removes the units of the next round from the list. The first unit of each signature comes before others with
// the same, unless such units had hits: a unit with the signature of one without a hit is often a copy.
//
// have of enough hits were found. A round has twice as many units as are needed if the next have as many hits as those
// before.
func (e *evaluation) round(have, enough int) []int {
	most := firstRound
	switch {
	case have > 0:
		most = min(max((2*(enough-have)*e.done+have-1)/have, smallestRound), largestRound)
	case e.done > 0:
		most = largestRound
	}
	largest := largestRoundSize
	if e.room != nil {
		units, size := e.room()
		most, largest = min(most, units), min(largest, size)
	}
	var now []int
	total, full := 0, false
	chosen := make(map[int]bool)
	seen := make(map[signature]bool)
	choose := func(u int) {
		if full || chosen[u] {
			return
		}
		size := 1 << e.size(u)
		if full = len(now) == most || len(now) > 0 && total+size > largest; full {
			return
		}
		now, total, chosen[u] = append(now, u), total+size, true
	}
	for _, u := range e.units {
		if key := e.signature(u); e.hasHits[key] || !seen[key] {
			seen[key] = true
			choose(u)
		}
	}
	for _, u := range e.units {
		choose(u)
	}
	e.units = slices.DeleteFunc(e.units, func(u int) bool { return chosen[u] })
	e.done += len(now)
	return now
}

// demote moves units with the signature of units without hits after all others.
func (e *evaluation) demote(hits map[signature]int) {
	isDemoted := func(u int) int {
		if n, ok := hits[e.signature(u)]; ok && n == 0 {
			return 1
		}
		return 0
	}
	for key, n := range hits {
		e.hasHits[key] = n > 0
	}
	slices.SortStableFunc(e.units, func(a, b int) int { return isDemoted(a) - isDemoted(b) })
}

// evaluate begins with the candidates of a query.
func (x *Index) evaluate(q Query) (*evaluation, error) {
	units, score, err := x.candidates(q)
	return &evaluation{
		units: units, hasHits: make(map[signature]bool),
		size:      func(u int) int { return x.units[u].unit.size() },
		signature: func(u int) signature { return signature{score[u], x.units[u].unit.size()} },
	}, err
}

// look evaluates the units of a round.
func (x *Index) look(q Query, h *evaluation, all *hitGroups, enough int) error {
	found := make(map[signature]int)
	for _, u := range h.round(all.hits, enough) {
		hits, err := x.hits(u, q)
		if err != nil {
			return err
		}
		found[h.signature(u)] += len(hits)
		for _, hit := range hits {
			session := x.units[u].session
			at := session
			if x.part != nil {
				at = x.part.places[session]
			}
			k, ok := all.at[at]
			if !ok {
				if k = len(all.groups); k == 0 {
					all.at = make(map[int]int)
				}
				all.at[at] = k
				all.groups = append(all.groups, Group{Session: x.sessions[session], at: at})
			}
			all.groups[k].Hits = append(all.groups[k].Hits, hit)
			all.hits++
		}
	}
	h.demote(found)
	return nil
}
