package indexpages

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"viewer/render"
)

// A List contains the sessions of a site, with the few facts that index pages need of all at once. Summaries are loaded
// when they are drawn, so that memory grows little with the number of sessions.
type List struct {
	load     func(at int) *render.Summary
	sessions []indexed
	sorted   bool
	days     values[string]
	projects values[render.Project]
	sums     []ProjectSum // of the projects
	agents   values[string]
	models   values[string] // all models of a session as one text, see modelsID
	modelsOf [][]string     // the same, by number
}

// NewList returns an empty list. load returns the summary of a session by the number given to Add. It is called from
// several goroutines.
func NewList(load func(at int) *render.Summary) *List { return &List{load: load} }

// listOf lists the sessions of a site that are in memory.
func listOf(s *Site) *List {
	if s.List != nil {
		s.List.sort()
		return s.List
	}
	l := NewList(func(at int) *render.Summary { return &s.Sessions[at] })
	l.Grow(len(s.Sessions))
	var key Key
	var buffer Fingerprint
	for i := range s.Sessions {
		key, buffer = summaryKey(&s.Sessions[i], buffer)
		l.Add(i, &s.Sessions[i], key)
	}
	l.sort()
	return l
}

// Grow allocates space for so many sessions.
func (l *List) Grow(n int) { l.sessions = slices.Grow(l.sessions, n) }

// Add adds a session with its number and the key of its summary.
func (l *List) Add(at int, s *render.Summary, key Key) {
	l.sorted = false
	project := l.project(s.Project)
	l.sums[project].add(s.Totals)
	l.sessions = append(l.sessions, indexed{
		key: key, start: s.Start.Unix(), nanosecond: int32(s.Start.Nanosecond()), at: int32(at),
		day: l.days.id(dayKey(s)), project: project, agent: idOf(&l.agents, s.Agent().String()),
		models: l.modelsID(s.Models), weight: int32(rowWeight(s)), isMinor: isMinor(s),
		hasFiles: s.Outcome.Files > 0, hasFailed: s.Totals.Failed > 0, hasAgents: s.Totals.Agents > 0,
		isKept: s.Kept,
	})
}

// project returns the number of a project. It shares no memory with the summary.
func (l *List) project(p render.Project) int32 {
	if id, ok := l.projects.ids[p]; ok {
		return id
	}
	own := render.Project{Name: strings.Clone(p.Name), Path: strings.Clone(p.Path)}
	l.sums = append(l.sums, ProjectSum{Project: own})
	return l.projects.id(own)
}

// idOf returns the number of a text. It shares no memory with the text.
func idOf(v *values[string], text string) int32 {
	if id, ok := v.ids[text]; ok {
		return id
	}
	return v.id(strings.Clone(text))
}

// modelsID returns the number of the models of a session. It shares no memory with them. Names are from logs, so no
// character can separate them.
func (l *List) modelsID(names []string) int32 {
	id := idOf(&l.models, fmt.Sprintf("%q", names))
	if int(id) == len(l.modelsOf) {
		own := make([]string, len(names))
		for i, name := range names {
			own[i] = strings.Clone(name)
		}
		l.modelsOf = append(l.modelsOf, own)
	}
	return id
}

// sort sorts the newest session first, and those without a time last.
func (l *List) sort() {
	if l.sorted {
		return
	}
	l.sorted = true
	slices.SortFunc(l.sessions, func(a, b indexed) int {
		if c := cmp.Or(cmp.Compare(b.start, a.start), cmp.Compare(b.nanosecond, a.nanosecond)); c != 0 {
			return c
		}
		one, other := l.load(int(a.at)), l.load(int(b.at))
		return cmp.Or(cmp.Compare(one.ID, other.ID), cmp.Compare(one.Folder, other.Folder))
	})
}

// Len returns the number of sessions.
func (l *List) Len() int { return len(l.sessions) }

// A Listed is the entry of a session in a List.
type Listed struct {
	At       int // the number given to Add
	Start    time.Time
	Project  render.Project
	HasFiles bool // it changed files
	Key      Key
}

// Listed returns the entry of a session. The newest session is the first; those without a time are the last.
func (l *List) Listed(i int) Listed {
	l.sort()
	s := &l.sessions[i]
	return Listed{int(s.at), s.time(), l.projects.all[s.project], s.hasFiles, s.key}
}

// all returns pointers to all sessions.
func (l *List) all() []*indexed {
	all := make([]*indexed, len(l.sessions))
	for i := range l.sessions {
		all[i] = &l.sessions[i]
	}
	return all
}

// An indexed is a session of a list. There may be a million.
type indexed struct {
	key                 Key
	start               int64 // seconds since 1970
	nanosecond          int32
	at                  int32 // given to Add
	day, project, agent int32 // see List
	models              int32
	weight              int32 // see rowWeight
	isMinor, isKept     bool

	hasFiles, hasFailed, hasAgents bool
}

func (s *indexed) time() time.Time {
	t := time.Unix(s.start, int64(s.nanosecond)).UTC()
	if t.IsZero() {
		return time.Time{}
	}
	return t
}

func (l *List) summary(s *indexed) *render.Summary { return l.load(int(s.at)) }

// day returns the UTC day of the start of a session, "" when the log has no time.
func (l *List) day(s *indexed) string { return l.days.all[s.day] }

// month returns the month of its start: "2026-03".
func (l *List) month(s *indexed) string {
	day := l.day(s)
	return day[:min(7, len(day))]
}

// agent returns the coding agent of a session, "" on a site of one.
func (l *List) agent(s *indexed) string {
	if len(l.agents.all) == 1 {
		return ""
	}
	return l.agents.all[s.agent]
}

// values numbers distinct values, of which there are few.
type values[V comparable] struct {
	all []V
	ids map[V]int32
}

func (v *values[V]) id(value V) int32 {
	id, ok := v.ids[value]
	if !ok {
		if v.ids == nil {
			v.ids = make(map[V]int32)
		}
		id = int32(len(v.all))
		v.ids[value] = id
		v.all = append(v.all, value)
	}
	return id
}
