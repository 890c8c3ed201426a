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
	MaxPlaces int // of a sum, 0 for MaxPlaces. It is the same for totals that are added up
	Sessions  int
	Days      []stats.Day
	OnDay     map[string][]int32 // sessions with requests or calls on a day, by day, "" for an unknown one
	sums      [kinds]map[sumKey]*Sum
}

// MaxPlaces is the usual maximum number of places of a sum.
const MaxPlaces = 5

// A sumKey identifies a sum of a kind.
type sumKey struct{ name, detail string }

// A Sum is a row over all sessions.
type Sum struct {
	Row
	Sessions int     // with such a row
	Places   []Place // the first ones, and the first of failures, sorted by session; see Examples
}

// A Place is a place in a session.
type Place struct {
	Session int // the number given to Add
	Failed  bool
	At      string // see Row.Place; "" for all of it
}

// Add adds a session, after those with lower numbers. It keeps no memory of the rows.
func (t *Total) Add(session int, s *Session) {
	t.Sessions++
	t.Days = stats.AddDays(t.Days, s.Days)
	for i := range s.Days {
		t.NoteDay(s.Days[i].Date, session)
	}
	for i := range s.Rows {
		r := &s.Rows[i]
		if r.Kind >= kinds {
			continue // an unknown kind
		}
		if r.Kind == Activity {
			t.NoteDay(r.Name, session)
		}
		sum := t.sum(r)
		sum.count(r)
		sum.Sessions++
		if failed := r.Failed > 0; t.hasRoom(sum, failed) {
			sum.Places = append(sum.Places, Place{session, failed, strings.Clone(r.Place)})
		}
	}
}

// AddSum adds a sum of other sessions, in any order. It keeps no memory of it.
func (t *Total) AddSum(s *Sum) {
	if s.Kind >= kinds {
		return // an unknown kind
	}
	sum := t.sum(&s.Row)
	sum.count(&s.Row)
	sum.Sessions += s.Sessions
	all := slices.Grow(sum.Places, len(s.Places))
	for _, p := range s.Places {
		all = append(all, Place{p.Session, p.Failed, strings.Clone(p.At)})
	}
	slices.SortStableFunc(all, func(a, b Place) int { return cmp.Compare(a.Session, b.Session) })
	sum.Places = all[:0]
	for _, p := range all {
		if t.hasRoom(sum, p.Failed) {
			sum.Places = append(sum.Places, p)
		}
	}
}

// NoteDay records that a session has requests or calls on a day. It keeps no memory of the date.
func (t *Total) NoteDay(date string, session int) {
	all := t.OnDay[date]
	if n := len(all); n > 0 && all[n-1] == int32(session) {
		return
	}
	if t.OnDay == nil {
		t.OnDay = make(map[string][]int32)
	}
	if all == nil {
		date = strings.Clone(date)
	}
	t.OnDay[date] = append(all, int32(session))
}

// sum returns the sum that a row belongs to. It shares no memory with the row.
func (t *Total) sum(r *Row) *Sum {
	key := sumKey{r.Name, r.Detail}
	sum := t.sums[r.Kind][key]
	if sum == nil {
		if t.sums[r.Kind] == nil {
			t.sums[r.Kind] = make(map[sumKey]*Sum)
		}
		key.name, key.detail = strings.Clone(key.name), strings.Clone(key.detail)
		sum = &Sum{Row: Row{Kind: r.Kind, Name: key.name, Detail: key.detail}}
		t.sums[r.Kind][key] = sum
	}
	return sum
}

// hasRoom reports whether a place after the others of a sum is one of the first, or one of the first with a failure.
func (t *Total) hasRoom(s *Sum, isFailure bool) bool {
	most := cmp.Or(t.MaxPlaces, MaxPlaces)
	if len(s.Places) < most || !isFailure {
		return len(s.Places) < most
	}
	failed := 0
	for _, p := range s.Places {
		if p.Failed {
			failed++
		}
	}
	return failed < most
}

// Examples returns the first places of a sum, at most the maximum number of its total. Further failures replace the
// first of those that did not fail.
func (s *Sum) Examples(most int) []Place {
	shown := slices.Clone(s.Places[:min(len(s.Places), most)])
	for _, p := range s.Places[len(shown):] {
		if i := slices.IndexFunc(shown, func(q Place) bool { return !q.Failed }); i >= 0 && p.Failed {
			shown[i] = p
		}
	}
	return shown
}

// All returns all sums, sorted by kind, name and detail.
func (t *Total) All() []*Sum {
	var all []*Sum
	for _, sums := range t.sums {
		from := len(all)
		all = slices.AppendSeq(all, maps.Values(sums))
		slices.SortFunc(all[from:], func(a, b *Sum) int { return compareNames(a.Row, b.Row) })
	}
	return all
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
		all.count(&s.Row)
	}
	return all
}
