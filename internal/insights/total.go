package insights

import (
	"cmp"
	"slices"
	"strings"

	"viewer/internal/stats"
)

// A Total adds up sessions.
type Total struct {
	Sessions int
	Days     []stats.Day
	sums     map[rowKey]*Sum
}

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

// Add adds a session.
func (t *Total) Add(session int, s *Session) {
	if t.sums == nil {
		t.sums = make(map[rowKey]*Sum)
	}
	t.Sessions++
	t.Days = stats.AddDays(t.Days, s.Days)
	for _, r := range s.Rows {
		key := r.key()
		sum := t.sums[key]
		if sum == nil {
			// What is kept shares no memory with the session.
			sum = &Sum{Row: Row{Kind: r.Kind, Name: strings.Clone(r.Name), Detail: strings.Clone(r.Detail)}}
			t.sums[sum.key()] = sum
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
func (t *Total) Of(kind Kind) []Sum {
	return t.OfBy(kind, func(a, b *Sum) int { return cmp.Compare(b.Count, a.Count) })
}

// OfBy are the sums of a kind in an order.
func (t *Total) OfBy(kind Kind, by func(a, b *Sum) int) []Sum {
	var all []Sum
	for key, s := range t.sums {
		if key.kind == kind {
			all = append(all, *s)
		}
	}
	slices.SortFunc(all, func(a, b Sum) int {
		if (a.Name == "") != (b.Name == "") {
			return -cmp.Compare(a.Name, b.Name)
		}
		return cmp.Or(by(&a, &b), compareNames(a.Row, b.Row))
	})
	return all
}

// Sum adds up all of a kind.
func (t *Total) Sum(kind Kind) Row {
	all := Row{Kind: kind}
	for key, s := range t.sums {
		if key.kind == kind {
			all.Count += s.Count
			all.Failed += s.Failed
			all.Tokens += s.Tokens
			all.Time += s.Time
		}
	}
	return all
}
