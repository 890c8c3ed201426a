package insights

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"viewer/internal/stats"
)

// A Total adds up sessions.
type Total struct {
	Sessions int
	Days     []stats.Day
	sums     [kinds]map[sumKey]*Sum
}

// Sums of a kind are told from others by these.
type sumKey struct{ name, detail string }

// A Sum is a row over all sessions.
type Sum struct {
	Row
	Sessions int // that have such a row
	Places   []Place
}

// A Place is where a session has something.
type Place struct {
	Session int // as Add was told
	Failed  bool
	At      string // see Row.Place; "" for all of it
}

// mostPlaces is how many places of a sum are kept. Those of failures go before others.
const mostPlaces = 5

// Add adds a session. It keeps no memory of the rows.
func (t *Total) Add(session int, s *Session) {
	t.Sessions++
	t.Days = stats.AddDays(t.Days, s.Days)
	for _, r := range s.Rows {
		if r.Kind >= kinds {
			continue // of no kind that this program knows
		}
		key := sumKey{r.Name, r.Detail}
		sum := t.sums[r.Kind][key]
		if sum == nil {
			if t.sums[r.Kind] == nil {
				t.sums[r.Kind] = make(map[sumKey]*Sum)
			}
			// What is kept shares no memory with the session.
			key.name, key.detail = strings.Clone(key.name), strings.Clone(key.detail)
			sum = &Sum{Row: Row{Kind: r.Kind, Name: key.name, Detail: key.detail}}
			t.sums[r.Kind][key] = sum
		}
		sum.add(r)
		sum.Sessions++
		sum.place(Place{session, r.Failed > 0, r.Place})
	}
}

func (s *Sum) place(p Place) {
	if len(s.Places) < mostPlaces {
		p.At = strings.Clone(p.At)
		s.Places = append(s.Places, p)
		return
	}
	if i := slices.IndexFunc(s.Places, func(q Place) bool { return !q.Failed }); p.Failed && i >= 0 {
		p.At = strings.Clone(p.At)
		s.Places[i] = p
	}
}

// Of are the sums of a kind, those with the highest counts first. What has no row of its own in a session comes last.
func (t *Total) Of(kind Kind) []*Sum {
	all := slices.Collect(maps.Values(t.sums[kind]))
	slices.SortFunc(all, ordered(byCount))
	return all
}

// Top are the first n sums of a kind in an order, of those to keep, and of how many. Without keep these are all,
// without an order those with the highest counts come first.
func (t *Total) Top(kind Kind, n int, keep func(*Sum) bool, by func(a, b *Sum) int) (top []*Sum, of int) {
	if by == nil {
		by = byCount
	}
	order := ordered(by)
	for _, s := range t.sums[kind] {
		if keep != nil && !keep(s) {
			continue
		}
		of++
		if len(top) == n && order(s, top[n-1]) >= 0 {
			continue
		}
		at, _ := slices.BinarySearchFunc(top, s, order)
		top = slices.Insert(top[:min(len(top), n-1)], at, s)
	}
	return top, of
}

func byCount(a, b *Sum) int { return cmp.Compare(b.Count, a.Count) }

// ordered completes an order, so that it does not depend on where sums lie in memory.
func ordered(by func(a, b *Sum) int) func(a, b *Sum) int {
	return func(a, b *Sum) int {
		if (a.Name == "") != (b.Name == "") {
			return -cmp.Compare(a.Name, b.Name)
		}
		return cmp.Or(by(a, b), compareNames(a.Row, b.Row))
	}
}

// Sum adds up all of a kind.
func (t *Total) Sum(kind Kind) Row {
	all := Row{Kind: kind}
	for _, s := range t.sums[kind] {
		all.Count += s.Count
		all.Failed += s.Failed
		all.Tokens += s.Tokens
		all.Time += s.Time
	}
	return all
}
