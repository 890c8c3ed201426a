package sitegen

import (
	"cmp"
	"slices"
	"strings"

	"viewer/internal/sitedata"
	"viewer/internal/sitegen/state"
	"viewer/render"
	"viewer/render/indexpages"
)

// An indexed is a session that the indexes show.
type indexed struct {
	*state.Session
	summary *render.Summary // nil when there are too many to decode all at once
	forget  func()          // makes the next build draw it again; nil: set in the session
}

// listSummary returns what lists show of the session.
func (k indexed) listSummary() *render.Summary {
	if k.summary != nil {
		return k.summary
	}
	s := k.Session.Summary()
	return &s
}

// A listing contains the sessions of the indexes, the newest first. Those of a large site are loaded when needed.
type listing struct {
	*indexpages.List
	get         func(at int) indexed           // returns the session at an index of the order of adding
	isSegmented func(at int) bool              // the session has a segment of the search index
	before      func(k indexed) *state.Session // its state in the last build; nil: see builder.oldSession
	failed      func() error                   // why a session could not be loaded, nil if all could
	sameFolders func() bool                    // see builder.sameFolders
}

// listingOf lists sessions that are in memory, except for their details.
func listingOf(sessions []indexed, failed func() error) *listing {
	l := &listing{
		get:         func(at int) indexed { return sessions[at] },
		isSegmented: func(at int) bool { return sessions[at].HasSegment() },
		failed:      failed,
	}
	l.List = indexpages.NewList(func(at int) *render.Summary { return sessions[at].listSummary() })
	l.Grow(len(sessions))
	for at, k := range sessions {
		l.Add(at, k.listSummary(), indexpages.Key(k.SummaryKey()))
	}
	return l
}

// session loads the session at an index of the list.
func (l *listing) session(i int32) indexed { return l.get(l.Listed(int(i)).At) }

// sessions loads the sessions at some indexes.
func (l *listing) sessions(order []int32) []indexed {
	all := make([]indexed, len(order))
	for n, i := range order {
		all[n] = l.session(i)
	}
	return all
}

// order returns chosen, sorted by by, then by start and by folder.
func (l *listing) order(chosen []int32, by func(a, b *indexpages.Listed) int) []int32 {
	slices.SortFunc(chosen, func(i, j int32) int {
		a, b := l.Listed(int(i)), l.Listed(int(j))
		if c := cmp.Or(by(&a, &b), a.Start.Compare(b.Start)); c != 0 || i == j {
			return c
		}
		return strings.Compare(l.get(a.At).Folder, l.get(b.At).Folder)
	})
	return chosen
}

// byProject returns the indexes of the sessions of each project, by its path.
func (l *listing) byProject() map[string][]int32 {
	all := make(map[string][]int32)
	for i := range l.Len() {
		path := l.Listed(i).Project.Path
		all[path] = append(all[path], int32(i))
	}
	return all
}

// A listedMonth is the sessions that began in a month.
type listedMonth struct {
	name     string // "2026-03"
	sessions []int32
}

// months returns the sessions by month, sorted by name.
func (l *listing) months() []listedMonth {
	var all []listedMonth
	for i := range l.Len() {
		name := sitedata.Undated
		if start := l.Listed(i).Start; !start.IsZero() {
			name = start.UTC().Format("2006-01")
		}
		if n := len(all); n == 0 || all[n-1].name != name {
			all = append(all, listedMonth{name: name})
		}
		month := &all[len(all)-1]
		month.sessions = append(month.sessions, int32(i))
	}
	slices.SortFunc(all, func(a, b listedMonth) int { return strings.Compare(a.name, b.name) })
	return all
}
