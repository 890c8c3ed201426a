package sitegen

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"viewer/internal/sitegen/decode"
	"viewer/internal/sitegen/state"
	"viewer/internal/sources"
	"viewer/render"
)

// relate finds how the sessions of a project are related: copied history (resume and fork), the session that one was
// resumed from or planned in, compactions that continue from another file, and teams. It runs before anything is
// drawn, because both sides link to each other. Only copied history requires reading sessions, and only when a session
// with such history is drawn: see family.
func relate(p *project, s *state.State) error {
	all := make([]*sources.Facts, len(p.sessions))
	for i, one := range p.sessions {
		all[i] = one.main.facts()
		one.family, one.related = nil, nil
	}
	p.findFamilies(all)
	p.relateLineage(all)
	p.relateTeams(all)
	return p.relateCompactions(s, all)
}

// relateLineage links a session to the one that it was first resumed from, and to the one whose plan it carries out.
func (p *project) relateLineage(all []*sources.Facts) {
	if !slices.ContainsFunc(all, func(sc *sources.Facts) bool {
		return sc.Lineage != "" && sc.Lineage != sc.SessionID || sc.Plan != ""
	}) {
		return
	}
	byID := make(map[string]*session, len(all))
	for _, s := range p.sessions {
		byID[s.id] = s
	}
	link := func(s *session, sc *sources.Facts, id, how, back string) {
		from := byID[id]
		if id == "" || id == sc.SessionID || from == nil || from == s || s.relatedTo(from) {
			return
		}
		s.related = append(s.related, relation{how, from, "session " + short(id), from.main.facts().Start})
		from.related = append(from.related, relation{back, s, "session " + short(s.id), sc.Start})
	}
	for i, s := range p.sessions {
		link(s, all[i], all[i].Lineage, "resumed from", "resumed as")
		link(s, all[i], all[i].Plan, "planned in", "carried out in")
	}
}

func short(id string) string { return sources.Beginning(id, 8) }

// relateTeams links the sessions of a team. Each member has its own session.
func (p *project) relateTeams(all []*sources.Facts) {
	type member struct {
		*session
		name string
	}
	teams := make(map[string][]member)
	for i, s := range p.sessions {
		if facts := all[i]; facts.Team != "" {
			name := cmp.Or(strings.TrimSpace(facts.Member), "the leader")
			teams[facts.Team] = append(teams[facts.Team], member{s, name})
		}
	}
	for team, members := range teams {
		for _, one := range members {
			for _, other := range members {
				if other.session != one.session {
					one.related = append(one.related, relation{"team " + team, other.session, other.name, time.Time{}})
				}
			}
		}
	}
}

// relateCompactions links a session whose compaction continues from a record of another file to that file. Unchanged
// files, whose records are in the state, are not searched again.
func (p *project) relateCompactions(st *state.State, all []*sources.Facts) error {
	wanted := make(map[string]*session)
	for i, s := range p.sessions {
		for _, id := range all[i].Elsewhere {
			wanted[id] = s
		}
	}
	if len(wanted) == 0 {
		return nil
	}
	ids := slices.Sorted(maps.Keys(wanted))
	for at, s := range p.sessions {
		has, err := s.holds(st, ids)
		if err != nil {
			return err
		}
		for i, id := range ids {
			by := wanted[id]
			if by == s || by.relatedTo(s) || !has[i] {
				continue
			}
			by.related = append(by.related, relation{"goes on from", s, "session " + short(s.id), all[at].Start})
			s.related = append(s.related, relation{"goes on in", by, "session " + short(by.id), by.main.facts().Start})
		}
	}
	return nil
}

// holds reports for each id whether the log of a session has a record with it. ids must be sorted.
func (s *session) holds(st *state.State, ids []string) ([]bool, error) {
	id, f := s.main.id, s.main
	has := make([]bool, len(ids))
	var old state.Lookup // from the last build
	if _, same := st.Unchanged(f.id, f.Stamp); same {
		old = st.Lookups[id]
	}
	var unknown []string
	for i, wanted := range ids {
		found, cached := old.Find(wanted)
		if has[i] = found; !cached {
			unknown = append(unknown, wanted)
		}
	}
	if len(unknown) > 0 {
		there := make(map[string]bool)
		if err := f.lines(decode.MaxRead, s.writer.FindRecords(unknown, there)); err != nil {
			return nil, err
		}
		for i, wanted := range ids {
			has[i] = has[i] || there[wanted]
		}
	}
	st.NewLookups[id] = state.Lookup{IDs: ids, Has: has}
	return has, nil
}

// A relation is a link to a related session.
type relation struct {
	how     string
	session *session
	title   string
	at      time.Time
}

func (s *session) relatedTo(other *session) bool {
	return slices.ContainsFunc(s.related, func(r relation) bool { return r.session == other })
}

// relations returns the links to related sessions, in a stable order. It must be called after plan.
func (s *session) relations() []render.Relation {
	var all []render.Relation
	close := make(map[*session]bool)
	if s.family != nil {
		for _, k := range s.family.related[s] {
			close[k.session] = true
			all = append(all, render.Relation{How: k.how, Folder: k.session.folder, Title: k.title, At: k.at})
		}
	}
	for _, k := range s.related {
		// Copied history is more specific. Teams are always shown.
		if !close[k.session] || strings.HasPrefix(k.how, "team ") {
			all = append(all, render.Relation{How: k.how, Folder: k.session.folder, Title: k.title, At: k.at})
		}
	}
	slices.SortStableFunc(all, func(a, b render.Relation) int {
		return cmp.Or(strings.Compare(a.How, b.How), a.At.Compare(b.At), strings.Compare(a.Folder, b.Folder))
	})
	return all
}
