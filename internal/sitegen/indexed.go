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
	at      int             // its index in the store
	summary *render.Summary // nil when there are too many to decode all at once
}

// listSummary returns what lists show of the session.
func (k indexed) listSummary() *render.Summary {
	if k.summary != nil {
		return k.summary
	}
	s := k.Session.Summary()
	return &s
}

// indexedSessions are the sessions of the indexes, the newest first.
type indexedSessions struct {
	*indexpages.List
	sessionStore
}

// A sessionStore holds the sessions of the indexes: in memory, or in a file from which those of a large site are loaded
// when needed. It knows them by their index in the order of adding.
type sessionStore interface {
	get(at int) indexed
	isSegmented(at int) bool         // the session has a segment of the search index
	before(k indexed) *state.Session // its state in the last build, nil if unknown
	forget(k indexed)                // makes the next build draw it again
	failed() error                   // why a session could not be loaded, nil if all could
	// sameFolders reports whether the same sessions as in the last build have the same folders, and none has got its
	// first segment.
	sameFolders() bool
	freeSummaries() // frees their memory; later each is decoded when needed
}

// sessionsInMemory are in memory, except for their details.
type sessionsInMemory struct {
	b    *builder
	list *indexpages.List
	all  []indexed
	old  map[string]*state.Session // of the last build, by folder
}

func (s *sessionsInMemory) get(at int) indexed              { return s.all[at] }
func (s *sessionsInMemory) isSegmented(at int) bool         { return s.all[at].HasSegment() }
func (s *sessionsInMemory) before(k indexed) *state.Session { return s.old[k.Folder] }
func (s *sessionsInMemory) forget(k indexed)                { k.Session.Forget() }
func (s *sessionsInMemory) failed() error                   { return s.b.site.details.Err() }

func (s *sessionsInMemory) freeSummaries() {
	for i := range s.all {
		s.all[i].summary = nil
	}
}

func (s *sessionsInMemory) sameFolders() bool {
	for id, k := range s.b.next.Sessions {
		old := s.b.old.Sessions[id]
		if old == nil || old.Folder != k.Folder || old.HasSegment() != k.HasSegment() {
			return false
		}
	}
	return len(s.b.next.Sessions) == len(s.b.old.Sessions)
}

// indexInMemory returns an empty list of up to n sessions that are in memory.
func (b *builder) indexInMemory(n int) (*indexedSessions, *sessionsInMemory) {
	s := &sessionsInMemory{b: b, all: make([]indexed, 0, n), old: make(map[string]*state.Session, len(b.old.Sessions))}
	for _, k := range b.old.Sessions {
		s.old[k.Folder] = k
	}
	s.list = indexpages.NewList(func(at int) *render.Summary { return s.get(at).listSummary() })
	s.list.Grow(n)
	return &indexedSessions{s.list, s}, s
}

// add adds a session. Its summary is kept if there are few sessions.
func (s *sessionsInMemory) add(k *state.Session, summary *render.Summary, keep bool) {
	one := indexed{Session: k, at: len(s.all)}
	if keep {
		one.summary = summary
	}
	s.list.Add(one.at, summary, indexpages.Key(k.SummaryKey()))
	s.all = append(s.all, one)
}

// session loads the session at an index of the list.
func (l *indexedSessions) session(i int32) indexed { return l.get(l.Listed(int(i)).At) }

// sessions loads the sessions at some indexes.
func (l *indexedSessions) sessions(order []int32) []indexed {
	all := make([]indexed, len(order))
	for n, i := range order {
		all[n] = l.session(i)
	}
	return all
}

// order returns chosen, sorted by by, then by start and by folder.
func (l *indexedSessions) order(chosen []int32, by func(a, b indexpages.Listed) int) []int32 {
	slices.SortFunc(chosen, func(i, j int32) int {
		a, b := l.Listed(int(i)), l.Listed(int(j))
		if c := cmp.Or(by(a, b), a.Start.Compare(b.Start)); c != 0 || i == j {
			return c
		}
		return strings.Compare(l.get(a.At).Folder, l.get(b.At).Folder)
	})
	return chosen
}

// byProject returns the indexes of the sessions of each project, by its path.
func (l *indexedSessions) byProject() map[string][]int32 {
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
func (l *indexedSessions) months() []listedMonth {
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
