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
	MaxPlaces int // of a sum, 0 for five. Those of failures are preferred
	Sessions  int
	Days      []stats.Day
	sums      [kinds]map[sumKey]*Sum
}

// A sumKey identifies a sum of a kind.
type sumKey struct{ name, detail string }

// A Sum is a row over all sessions.
type Sum struct {
	Row
	Sessions int // with such a row
	Places   []Place
}

// A Place is a place in a session.
type Place struct {
	Session int // the number given to Add
	Failed  bool
	At      string // see Row.Place; "" for all of it
}

const maxPlaces = 5

// Add adds a session. It keeps no memory of the rows.
func (t *Total) Add(session int, s *Session) {
	t.Sessions++
	t.Days = stats.AddDays(t.Days, s.Days)
	for i := range s.Rows {
		r := &s.Rows[i]
		if r.Kind >= kinds {
			continue // an unknown kind
		}
		key := sumKey{r.Name, r.Detail}
		sum := t.sums[r.Kind][key]
		if sum == nil {
			if t.sums[r.Kind] == nil {
				t.sums[r.Kind] = make(map[sumKey]*Sum)
			}
			// The sum shares no memory with the session.
			key.name, key.detail = strings.Clone(key.name), strings.Clone(key.detail)
			sum = &Sum{Row: Row{Kind: r.Kind, Name: key.name, Detail: key.detail}}
			t.sums[r.Kind][key] = sum
		}
		sum.add(r)
		sum.Sessions++
		sum.place(Place{session, r.Failed > 0, r.Place}, cmp.Or(t.MaxPlaces, maxPlaces))
	}
}

func (s *Sum) place(p Place, most int) {
	if len(s.Places) < most {
		p.At = strings.Clone(p.At)
		s.Places = append(s.Places, p)
		return
	}
	if i := slices.IndexFunc(s.Places, func(q Place) bool { return !q.Failed }); p.Failed && i >= 0 {
		p.At = strings.Clone(p.At)
		s.Places[i] = p
	}
}

// Of returns the sums of a kind, those with the highest counts first. The sum without a name is last.
func (t *Total) Of(kind Kind) []*Sum {
	all := slices.Collect(maps.Values(t.sums[kind]))
	slices.SortFunc(all, ordered(byCount))
	return all
}

// Top returns the first n sums of a kind that keep accepts, and how many it accepts. A nil keep accepts all. Without an
// order, those with the highest counts are first.
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

// ordered completes an order, so that the result does not depend on the order of a map.
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
