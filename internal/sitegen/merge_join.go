package sitegen

import (
	"slices"
	"strings"

	"viewer/internal/codec"
	"viewer/internal/fingerprint"
	"viewer/internal/sitegen/output"
	"viewer/internal/sitegen/state"
	"viewer/render"
	"viewer/render/indexpages"
)

// A joinedSession is a session of this build.
type joinedSession struct {
	id      fingerprint.Digest
	marks   sessionMarks
	encoded string
}

// A sessionJoin merges the sessions of the parts with those of the last build. Both are sorted by id.
type sessionJoin struct {
	*largeMerge
	list    *indexedSessions
	known   *state.StoredSession // the next one of the last build, nil after the last
	kept    []fingerprint.Digest // those of the plan that are left, and their folders
	folders []string
}

// joinSessions merges the sessions with those of the last build.
func (m *largeMerge) joinSessions() (*indexedSessions, error) {
	j := &sessionJoin{largeMerge: m, list: m.newIndexed(), kept: m.plan.Kept, folders: m.plan.Taken}
	if err := j.readKnown(); err != nil {
		return nil, err
	}
	for i := range output.NumPartitions {
		sessions, err := m.partition(i)
		if err != nil {
			return nil, err
		}
		for _, k := range sessions {
			if err := j.join(k); err != nil {
				return nil, err
			}
		}
	}
	for j.known != nil {
		if err := j.gone(); err != nil {
			return nil, err
		}
	}
	if len(j.kept) > 0 {
		return nil, errStalePlan
	}
	m.sessions.Close()
	m.sessions = new(output.Partitions)
	return j.list, m.all.Flush()
}

// readKnown reads the next session of the last build.
func (j *sessionJoin) readKnown() (err error) {
	j.known, err = j.stored.NextSession()
	return err
}

// join adds a session of a part, and before it those of the last build with smaller ids.
func (j *sessionJoin) join(k joinedSession) error {
	for j.known != nil && slices.Compare(j.known.ID[:], k.id[:]) < 0 {
		if err := j.gone(); err != nil {
			return err
		}
	}
	if j.known == nil || j.known.ID != k.id {
		return j.addSession(j.list, k, nil)
	}
	was := j.known
	if err := j.readKnown(); err != nil {
		return err
	}
	return j.addSession(j.list, k, was)
}

// gone handles a session of the last build that is in no part, and goes on to the next.
func (j *sessionJoin) gone() error {
	old := j.known
	switch {
	case len(j.kept) == 0 || j.kept[0] != old.ID:
		j.others = true
		j.change(old.ID, nil)
		invented := old.Session.Source == fingerprint.Of([]byte(sampleID))
		if !j.movedSessions[old.ID] && !old.Session.Empty && !invented && !j.Prune {
			j.report.Removed++
		}
	case j.folders[0] != old.Session.Folder:
		return errStalePlan
	default:
		j.kept, j.folders = j.kept[1:], j.folders[1:]
		if err := j.addKept(j.list, old); err != nil {
			return err
		}
	}
	return j.readKnown()
}

// partition returns the sessions of a partition, sorted by id.
func (m *largeMerge) partition(i int) ([]joinedSession, error) {
	data, err := m.sessions.Get(i)
	if err != nil {
		return nil, err
	}
	var all []joinedSession
	for d := (codec.Decoder{Rest: data}); d.Rest != ""; {
		all = append(all, joinedSession{d.Digest(), sessionMarks(d.Int()), d.Text()})
	}
	slices.SortFunc(all, func(a, b joinedSession) int { return slices.Compare(a.id[:], b.id[:]) })
	return all, nil
}

// addSession adds a session of a part. was is its state in the last build, nil for a new one.
func (m *largeMerge) addSession(l *indexedSessions, k joinedSession, was *state.StoredSession) error {
	isSame := was != nil && was.Encoded == k.encoded
	session := state.DecodeSession(k.encoded, isSame)
	switch {
	case isSame:
		k.marks |= markStored
	case k.marks&markKept != 0:
		m.change(k.id, session)
	case was != nil:
		m.change(k.id, nil)
	}
	if was == nil || k.marks&markKept == 0 || was.Session.Folder != session.Folder ||
		was.Session.HasSegment() != session.HasSegment() {
		m.others = true
	}
	if was != nil && !isSame && len(m.changed) < maxChanges {
		before := state.DecodeSession(strings.Clone(was.Encoded), true)
		m.changed[before.Folder] = before
	}
	return m.add(l, k, session)
}

// addKept adds a session of the last build whose files are missing.
func (m *largeMerge) addKept(l *indexedSessions, old *state.StoredSession) error {
	k := joinedSession{old.ID, markKept | markStored, old.Encoded}
	was := old.Session.Kept
	old.Session.SetKept(true)
	if !was || !old.Session.IsStored() {
		k.encoded = old.Session.Encode()
		k.marks = markKept
		m.change(k.id, old.Session)
	}
	m.report.Kept++
	r := result{Session: old.Session}
	summary := r.summary()
	m.report.add(r, summary)
	m.report.ownProblems(len(summary.Problems))
	m.out.Keep(old.Session.Outputs()...)
	return m.add(l, k, old.Session)
}

// change records that the state of a session has changed. It is nil for a removed session.
func (m *largeMerge) change(id fingerprint.Digest, k *state.Session) {
	if len(m.changes.Sessions) == maxChanges {
		m.tooMany = true
		return
	}
	if k != nil {
		k = state.DecodeSession(k.Encode(), false) // so that it has its own memory
	}
	m.changes.Sessions[id] = k
}

func (m *largeMerge) add(l *indexedSessions, k joinedSession, session *state.Session) error {
	var r codec.Encoder
	r.Digest(k.id)
	r = append(r, k.encoded...)
	end, err := m.all.Add(r)
	if err != nil {
		return err
	}
	if session.HasSegment() {
		k.marks |= markSegmented
	}
	at := len(m.ends)
	m.ends, m.marks = append(m.ends, end), append(m.marks, k.marks)
	if k.marks&markKept != 0 {
		m.number++
	}
	if !session.Empty {
		summary := session.Summary()
		l.Add(at, &summary, indexpages.Key(session.SummaryKey()))
	}
	return nil
}

// newIndexed returns an empty list of sessions.
func (m *largeMerge) newIndexed() *indexedSessions {
	list := indexpages.NewList(func(at int) *render.Summary {
		s := m.load(at).Summary()
		return &s
	})
	n := m.plan.Sessions + len(m.plan.Kept)
	list.Grow(n)
	m.ends, m.marks = make([]int64, 0, n), make([]sessionMarks, 0, n)
	return &indexedSessions{list, sessionsInFile{m}}
}

// sessionsInFile are loaded from the file of all when needed.
type sessionsInFile struct{ m *largeMerge }

func (s sessionsInFile) get(at int) indexed { return indexed{Session: s.m.load(at), at: at} }

func (s sessionsInFile) isSegmented(at int) bool { return s.m.marks[at]&markSegmented != 0 }

func (s sessionsInFile) before(k indexed) *state.Session {
	if k.IsStored() {
		return k.Session
	}
	return s.m.changed[k.Folder]
}

func (s sessionsInFile) failed() error {
	s.m.mu.Lock()
	defer s.m.mu.Unlock()
	return s.m.loading
}

func (s sessionsInFile) sameFolders() bool { return !s.m.others }
func (s sessionsInFile) freeSummaries()    {} // none are kept

func (s sessionsInFile) forget(k indexed) {
	s.m.mu.Lock()
	defer s.m.mu.Unlock()
	s.m.forgotten[k.at] = true
}

// load reads a session.
func (m *largeMerge) load(at int) *state.Session {
	_, encoded, err := m.encoded(at)
	if err != nil {
		m.mu.Lock()
		m.loading = err
		m.mu.Unlock()
		return new(state.Session)
	}
	return state.DecodeSession(encoded, m.marks[at]&markStored != 0)
}

func (m *largeMerge) encoded(at int) (id fingerprint.Digest, encoded string, err error) {
	start := int64(0)
	if at > 0 {
		start = m.ends[at-1]
	}
	data, err := m.all.Get(start, m.ends[at])
	if err == nil {
		copy(id[:], data)
		encoded = data[len(id):]
	}
	return id, encoded, err
}
