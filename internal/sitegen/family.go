package sitegen

import (
	"cmp"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"viewer/internal/codec"
	"viewer/internal/failure"
	"viewer/internal/fingerprint"
	"viewer/internal/outcome"
	"viewer/internal/sitegen/redaction"
	"viewer/internal/sources"
	"viewer/internal/transcript"
	"viewer/normalize"
)

// A family is a set of sessions that begin with the same record. The program copies the history into a new file when a
// session is forked, and until 2.0.x also when one was resumed. The copied records keep their uuid. The original
// session draws them, the copies link to it.
type family struct {
	members []*session
	hashing sync.Once
	digest  fingerprint.Digest // see key
	begin   sync.Once
	next    atomic.Int64   // the next member to read
	left    sync.WaitGroup // members that are not read yet
	read    []memberRead
	once    sync.Once
	err     error

	incomplete bool // a member could not be read, and the others were compared without it

	shared  map[*session]map[string]bool // uuids of records that another member draws
	begun   map[*session]time.Time       // of those that share records: see history.begun
	related map[*session][]relation

	mu   sync.Mutex
	kept map[*session]keptTranscript // until the session is drawn
}

// A memberRead is what reading a member found.
type memberRead struct {
	history history
	ok      bool
	err     error
}

// A keptTranscript is the main transcript of a member, read to compare it with the others, and the redactor that read
// it.
type keptTranscript struct {
	file     *transcript.File
	redactor *redaction.Redactor
	restarts int
	size     int64 // bytes that were read
}

// maxKept limits the size of all kept transcripts in bytes. Those that are not kept are read again to be drawn.
const maxKept = 4 << 20

func (p *project) findFamilies(all []*sources.Facts) {
	first := make(map[string]*session, len(all))
	for i, s := range p.sessions {
		id := all[i].FirstUUID
		if id == "" {
			continue
		}
		one := first[id]
		if one == nil {
			first[id] = s
			continue
		}
		if one.family == nil {
			one.family = &family{members: []*session{one}}
		}
		s.family = one.family
		s.family.members = append(s.family.members, s)
	}
}

// key returns a hash of all that the pages of a member take from the others: records and titles. A title is redacted
// with the secrets that agents reveal.
func (f *family) key(r *reader) fingerprint.Digest {
	f.hashing.Do(func() {
		var e codec.Encoder
		for _, s := range f.members {
			e.Digest(s.main.scanned.content)
			e.Text(s.folder, s.title)
			for _, a := range s.agents {
				e.Digest(r.contentOf(a.file))
			}
			for _, b := range s.beside {
				if b.role == sources.RoleTitle {
					e.Digest(r.contentOf(b.file))
				}
			}
		}
		f.digest = fingerprint.Of(e)
	})
	return f.digest
}

// readAll reads all members once. Members are mostly drawn next to each other, so the goroutines that draw them share
// the reading.
func (f *family) readAll(r *reader) error {
	f.begin.Do(func() {
		f.read = make([]memberRead, len(f.members))
		f.left.Add(len(f.members))
	})
	for i := int(f.next.Add(1)) - 1; i < len(f.members); i = int(f.next.Add(1)) - 1 {
		f.readMember(i, r)
	}
	f.left.Wait()
	f.once.Do(func() { f.err = f.relate() })
	return f.err
}

// readMember reads one member. An error is reported when that member is drawn, and the others are compared without it.
func (f *family) readMember(i int, r *reader) {
	defer f.left.Done()
	member, read := f.members[i], &f.read[i]
	err := r.contain(func() error {
		r.probeStage(StageRead, member.folder)
		h, main, err := readHistory(member, r.Options)
		if err == nil {
			read.history, read.ok = h, true
			f.keep(member, main, r)
		}
		return err
	})
	if asFault(err) == nil {
		read.err = err
	}
}

// keep keeps a transcript whose redactor was used for nothing else.
func (f *family) keep(s *session, t keptTranscript, r *reader) {
	if len(s.agents) > 0 || s.title != "" || t.redactor.Text(s.id) != s.id ||
		slices.ContainsFunc(s.beside, func(b besideFile) bool { return b.role == sources.RoleTitle }) {
		return
	}
	if r.kept.Add(t.size) > maxKept {
		r.kept.Add(-t.size)
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.kept == nil {
		f.kept = make(map[*session]keptTranscript)
	}
	f.kept[s] = t
}

// take returns the kept transcript of a session. It may be altered.
func (f *family) take(s *session, r *reader) (keptTranscript, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	t, ok := f.kept[s]
	if ok {
		delete(f.kept, s)
		r.kept.Add(-t.size)
	}
	return t, ok
}

// relate compares the members.
func (f *family) relate() error {
	f.shared, f.related = make(map[*session]map[string]bool), make(map[*session][]relation)
	f.begun = make(map[*session]time.Time)
	histories := make([]history, 0, len(f.members))
	for _, read := range f.read {
		if failure.Exhausted(read.err) {
			return read.err
		}
		f.incomplete = f.incomplete || read.err != nil
		if read.ok {
			histories = append(histories, read.history)
		}
	}
	f.read = nil
	arrange(histories)
	drawn := make(map[string]*history) // uuid -> the history that draws it
	for i := range histories {
		h := &histories[i]
		from := make(map[*history]int)
		shared := make(map[string]bool)
		for _, id := range h.uuids {
			if first := drawn[id]; first == nil {
				drawn[id] = h
				h.begun = earliest(h.begun, h.times[id])
			} else if first != h && first.said[id] == h.said[id] {
				shared[id] = true
				from[first]++
			}
		}
		if len(shared) < fewest {
			continue
		}
		f.shared[h.session], f.begun[h.session] = shared, h.begun
		for j := range histories[:i] {
			original := &histories[j]
			if n := from[original]; n > 0 {
				f.related[h.session] = append(f.related[h.session], relation{
					"begins with " + recordsOf(n), original.session, original.title, original.begun,
				})
				f.related[original.session] = append(f.related[original.session], relation{
					"goes on in", h.session, h.title, h.begun,
				})
			}
		}
	}
	return nil
}

// recordsOf returns a number of records in words.
func recordsOf(n int) string {
	if n == 1 {
		return "1 record of"
	}
	return fmt.Sprintf("%d records of", n)
}

// fewest is the minimum number of shared records of a copied history. New sessions of 1.0.x repeat the remark before
// the commands of the previous session.
const fewest = 3

// A history contains facts about the records of a session, to find copies.
type history struct {
	session *session
	title   string
	uuids   []string
	times   map[string]time.Time
	// said is the content that must also be equal if ids are not UUIDs: many files have "1" or "msg-001".
	said  map[string]string
	own   time.Time // of the first record that no other member has; zero if none
	end   time.Time // of the last record
	begun time.Time // of the first record that it draws itself
}

func readHistory(s *session, o Options) (history, keptTranscript, error) {
	main, title, err := o.readMain(s)
	if err != nil {
		return history{}, keptTranscript{}, err
	}
	f := main.file
	h := history{session: s, times: make(map[string]time.Time), said: make(map[string]string)}
	for i := range f.Records {
		r := &f.Records[i]
		if _, again := h.times[r.UUID]; r.UUID != "" && !again {
			h.uuids = append(h.uuids, r.UUID)
			h.times[r.UUID] = r.Timestamp
			if len(r.UUID) != 36 {
				h.said[r.UUID] = r.Timestamp.String() + r.Type
				if r.Message != nil && len(r.Message.Content) > 0 {
					h.said[r.UUID] += r.Message.Content[0].Text
				}
			}
			if r.Timestamp.After(h.end) {
				h.end = r.Timestamp
			}
		}
	}
	h.title = outcome.Title(normalize.Build(normalize.Input{ID: main.redactor.Text(s.id), Main: f, Title: title}))
	return h, main, nil
}

// readMain reads the main transcript of a session and its title. The redactor reads the files in the same order as for
// drawing the whole session, and learns the secrets that its agents reveal.
func (o Options) readMain(s *session) (main keptTranscript, title string, err error) {
	for c := (*redaction.Redactor)(nil); ; main.restarts++ {
		main.file, main.size, err = o.readTranscript(s.main, func(head []byte, by sources.Source) *redaction.Redactor {
			if c == nil {
				c = o.newRedactor()
				c.LearnFolder(s.given)
				c.LearnHome(head, by)
			}
			return c
		})
		if err != nil {
			return keptTranscript{}, "", err
		}
		for _, f := range s.beside {
			if f.role != sources.RoleTitle {
				continue
			}
			if data, err := f.read(); err == nil {
				title = s.writer.Title(c.ValueOrText(data))
			}
		}
		for _, a := range s.agents {
			if c == nil {
				break
			}
			// Errors are reported when the session is drawn.
			_, _, _ = o.readTranscript(a.file, func([]byte, sources.Source) *redaction.Redactor { return c })
		}
		next := c.Restarted()
		if next == nil || main.restarts >= redaction.MaxRestarts || o.confirmed(c, s.main) {
			main.redactor = c
			return main, cmp.Or(title, c.Text(s.title)), nil
		}
		c = next
	}
}

// arrange sorts the original first: the session with the earliest record of its own, or with none. In a chain of
// copies, only the last has records of its own. Of the rest, the one that ended first is the original, and the
// shortest.
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
			if count[id] == 1 {
				h.own = earliest(h.own, h.times[id])
			}
		}
	}
	slices.SortStableFunc(family, func(a, b history) int {
		return cmp.Or(a.own.Compare(b.own), a.end.Compare(b.end), cmp.Compare(len(a.uuids), len(b.uuids)),
			cmp.Compare(a.session.main.path, b.session.main.path))
	})
}

// earliest returns the earlier of two times; zero counts as none.
func earliest(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}
