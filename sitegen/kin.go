package sitegen

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"viewer/normalize"
	"viewer/render"
)

// relate finds how the sessions of a project belong together: copied history
// (resume and fork), the session that one was resumed from, compactions that
// go on from another file, teams. It runs before anything is drawn, since each
// side links to the other.
func relate(p *project) error {
	if err := p.relateCopies(); err != nil {
		return err
	}
	p.relateLineage()
	p.relateTeams()
	return p.relateCompactions()
}

// relateCopies finds sessions that begin with the same record. The program
// copies the history into a new file when a session is forked, and did so until
// 2.0.x when one was resumed: the records keep their uuid (format, section
// 15). The original draws them, the copies say where they are.
func (p *project) relateCopies() error {
	byFirst := make(map[string][]*session)
	for _, s := range p.sessions {
		if id := s.main.seen.firstUUID; id != "" {
			byFirst[id] = append(byFirst[id], s)
		}
	}
	for _, s := range p.sessions {
		family := byFirst[s.main.seen.firstUUID]
		if len(family) < 2 || family[0] != s {
			continue
		}
		histories := make([]history, len(family))
		for i, member := range family {
			h, err := readHistory(member)
			if err != nil {
				return err
			}
			histories[i] = h
		}
		arrange(histories)
		drawn := make(map[string]*history) // uuid -> where it is drawn
		for i := range histories {
			h := &histories[i]
			shared := make(map[*history]int)
			h.session.shared = make(map[string]bool)
			for _, id := range h.uuids {
				if first := drawn[id]; first == nil {
					drawn[id] = h
				} else if first != h {
					h.session.shared[id] = true
					shared[first]++
				}
			}
			if len(h.session.shared) < fewest {
				h.session.shared = nil
				continue
			}
			for j := range histories[:i] {
				original := &histories[j]
				if n := shared[original]; n > 0 {
					h.session.kin = append(h.session.kin, kin{fmt.Sprintf("begins with %d records of", n), original.session, original.title})
					original.session.kin = append(original.session.kin, kin{"goes on in", h.session, h.title})
				}
			}
		}
	}
	return nil
}

// fewest is how many records make a history: new sessions of 1.0.x repeat the
// remark that stood before the commands of the one before.
const fewest = 3

// A history is the records of a session as far as copies are concerned.
type history struct {
	session *session
	title   string
	uuids   []string
	times   map[string]time.Time
	own     time.Time // of the first record that no other member of the family has; zero when there is none
}

func readHistory(s *session) (history, error) {
	f, err := readFile(s.main)
	if err != nil {
		return history{}, err
	}
	h := history{session: s, times: make(map[string]time.Time)}
	for i := range f.Records {
		r := &f.Records[i]
		if _, again := h.times[r.UUID]; r.UUID != "" && !again {
			h.uuids = append(h.uuids, r.UUID)
			h.times[r.UUID] = r.Timestamp
		}
	}
	h.title = render.Title(normalize.Build(normalize.Input{ID: s.main.stem(), Main: f, Title: s.title()}))
	return h, nil
}

// arrange puts the original first: the one that went on by itself earliest, or
// did not go on at all.
func arrange(family []history) {
	count := make(map[string]int)
	for _, h := range family {
		for _, id := range h.uuids {
			count[id]++
		}
	}
	for i := range family {
		h := &family[i]
		for _, id := range h.uuids {
			if at := h.times[id]; count[id] == 1 && (h.own.IsZero() || at.Before(h.own)) {
				h.own = at
			}
		}
	}
	slices.SortStableFunc(family, func(a, b history) int {
		return cmp.Or(a.own.Compare(b.own), cmp.Compare(a.session.main.name, b.session.main.name))
	})
}

// relateLineage links a session with the one that it was first resumed from.
func (p *project) relateLineage() {
	byID := make(map[string]*session)
	for _, s := range p.sessions {
		byID[s.main.stem()] = s
	}
	for _, s := range p.sessions {
		sc := s.main.seen
		from := byID[sc.lineage]
		if sc.lineage == "" || sc.lineage == sc.sessionID || from == nil || from == s || s.knows(from) {
			continue
		}
		s.kin = append(s.kin, kin{"resumed from", from, "session " + short(sc.lineage)})
		from.kin = append(from.kin, kin{"resumed as", s, "session " + short(s.main.stem())})
	}
}

func short(id string) string { return id[:min(8, len(id))] }

// relateTeams links the sessions of a team: each member is a session of its own.
func (p *project) relateTeams() {
	teams := make(map[string][]*session)
	for _, s := range p.sessions {
		if t := s.main.seen.team; t != "" {
			teams[t] = append(teams[t], s)
		}
	}
	for _, s := range p.sessions {
		sc := s.main.seen
		for _, member := range teams[sc.team] {
			if member == s || sc.team == "" {
				continue
			}
			name := member.main.seen.member
			if name == "" {
				name = "the leader"
			}
			s.kin = append(s.kin, kin{"team " + sc.team, member, name})
		}
	}
}

// relateCompactions links a session whose compaction goes on from a record of
// another file with that file.
func (p *project) relateCompactions() error {
	wanted := make(map[string]*session)
	for _, s := range p.sessions {
		for _, id := range s.main.seen.elsewhere {
			wanted[id] = s
		}
	}
	if len(wanted) == 0 {
		return nil
	}
	for _, s := range p.sessions {
		data, err := s.main.read()
		if err != nil {
			return err
		}
		for id, by := range wanted {
			if by == s || by.knows(s) || !bytes.Contains(data, []byte(`"uuid":"`+id+`"`)) {
				continue
			}
			by.kin = append(by.kin, kin{"goes on from", s, "session " + short(s.main.stem())})
			s.kin = append(s.kin, kin{"goes on in", by, "session " + short(by.main.stem())})
		}
	}
	return nil
}

// A kin is another session that a session belongs to.
type kin struct {
	how     string
	session *session
	title   string
}

func (s *session) knows(other *session) bool {
	return slices.ContainsFunc(s.kin, func(k kin) bool { return k.session == other })
}

// relations are what a page says of the kin, once the folders have names; in a
// stable order, whatever was found first.
func (s *session) relations() []render.Relation {
	var all []render.Relation
	for _, k := range s.kin {
		all = append(all, render.Relation{How: k.how, Folder: k.session.folder, Title: k.title})
	}
	slices.SortStableFunc(all, func(a, b render.Relation) int {
		return cmp.Or(strings.Compare(a.How, b.How), strings.Compare(a.Folder, b.Folder))
	})
	return all
}

// leavesElsewhere are the records that compactions of a file go on from and
// that are not in it.
func leavesElsewhere(data []byte) []string {
	var all []string
	mark := []byte(`"logicalParentUuid":"`)
	for rest := data; ; {
		at := bytes.Index(rest, mark)
		if at < 0 {
			return all
		}
		rest = rest[at+len(mark):]
		id, _, ok := bytes.Cut(rest, []byte(`"`))
		if ok && len(id) > 0 && len(id) < 80 && !bytes.Contains(data, append(append([]byte(`"uuid":"`), id...), '"')) {
			all = append(all, string(id))
		}
	}
}
