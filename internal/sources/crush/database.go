package crush

import (
	"bytes"
	"cmp"
	"io"
	"path"
	"slices"
	"strconv"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/sources"
	"viewer/internal/sqlite"
	"viewer/internal/transcript"
)

// MayHold accepts the database.
func (Source) MayHold(p string) bool { return path.Base(p) == "crush.db" }

// Split finds the sessions in a database. The program changes rows in place, while an answer comes.
func (Source) Split(data io.ReaderAt, size int64) ([]sources.Part, error) {
	file, err := sqlite.Open(data, size)
	if file == nil || !file.Has("sessions", "messages") || !file.Table("messages").Has("parts") ||
		!file.Table("sessions").Has("prompt_tokens") {
		return nil, err
	}
	db := &sessionsDB{file: file, sessions: sources.Index[session]{New: newSession}}
	db.damage.Add(err)
	db.readSessions()
	db.readMessages()
	parts := make([]sources.Part, 0, len(db.sessions.Values))
	for _, s := range db.sessions.Values {
		if len(s.messages) == 0 { // opened and never used
			continue
		}
		if p := db.sessions.Find(s.parent); p != nil && p != s {
			p.agents = append(p.agents, sources.Quote(s.id))
			p.Note(0, "agent", s.id)
		}
	}
	for _, s := range db.sessions.Values {
		if len(s.messages) == 0 {
			continue
		}
		p := sources.Part{Name: s.id, Size: s.Size, Version: s.Version(), Changed: timeOf(s.changed)}
		p.Read = func() ([]byte, error) { return db.read(s) }
		parts = append(parts, p)
	}
	return parts, db.damage.Err()
}

// A sessionsDB is a database of Crush.
type sessionsDB struct {
	file     *sqlite.Database
	sessions sources.Index[session]
	damage   sqlite.Damage
}

// A session has the places of the rows of a session.
type session struct {
	id, parent string
	place      sqlite.Place     // of its description
	has        bool             // there is one
	agents     []jsontext.Value // the ids of sessions that it started
	messages   []row            // in the order in which they were added
	sources.RowSum
	changed int64
}

func newSession(id string) *session { return &session{id: id} }

// A row is a message.
type row struct {
	place   sqlite.Place
	created int64
}

func (db *sessionsDB) readSessions() {
	table := db.file.Table("sessions")
	for r := range db.damage.Rows(table, "id", "parent_session_id", "title", "cost", "updated_at") {
		id, parent, title, cost, changed := r.Text(0), r.Text(1), r.Text(2), r.Text(3), r.Int(4)
		place := r.Place()
		if r.Err() != nil {
			continue
		}
		s := db.sessions.Of(id)
		s.parent, s.place, s.has, s.changed = parent, place, true, max(s.changed, changed)
		s.Note(len(title), parent+"\x00"+title+"\x00"+cost)
	}
}

func (db *sessionsDB) readMessages() {
	for r := range db.damage.Rows(db.file.Table("messages"), "session_id", "created_at", "updated_at", "parts") {
		id, made, changed, size := r.Text(0), row{r.Place(), r.Int(1)}, r.Int(2), r.Size(3)
		if r.Err() != nil {
			continue
		}
		s := db.sessions.Of(id)
		s.messages = append(s.messages, made)
		s.changed = max(s.changed, changed)
		s.Note(size, "message", len(s.messages), made.created, changed, size)
	}
}

// timeOf returns a time that the program wrote, in seconds since 1970. Comments in its tables speak of milliseconds.
func timeOf(at int64) time.Time {
	const firstMilliseconds = 100_000_000_000
	if at < firstMilliseconds {
		at *= 1000
	}
	return sources.Milliseconds(jsontext.Value(strconv.FormatInt(at, 10)))
}

// read writes a session as lines: its description, its messages, and its cost.
func (db *sessionsDB) read(s *session) ([]byte, error) {
	lines := bytes.NewBuffer(make([]byte, 0, s.Size+s.Size/8))
	folder := ""
	inOrder := func(a, b row) int { return cmp.Compare(a.created, b.created) }
	for _, m := range slices.SortedStableFunc(slices.Values(s.messages), inOrder) {
		parts, err := db.writeMessage(lines, m)
		if err != nil {
			return nil, err
		}
		if folder == "" {
			folder = folderIn(parts)
		}
	}
	out := new(bytes.Buffer)
	pairs, cost := []any{rowHead, s.id}, 0.0
	if s.has {
		r, err := db.file.Table("sessions").Row(s.place, "title", "created_at", "cost")
		if err != nil {
			return nil, err
		}
		pairs = append(pairs, "title", r.Text(0), "created_at", r.Int(1))
		if db.sessions.Find(s.parent) != nil {
			pairs = append(pairs, "parent_session_id", s.parent)
		} else { // the cost of an agent is part of that of its session
			cost = max(0, r.Float(2))
		}
		if err := r.Err(); err != nil {
			return nil, err
		}
	}
	pairs = append(pairs, "cwd", folder)
	if s.agents != nil {
		pairs = append(pairs, "agents", sources.MakeList(s.agents...))
	}
	sources.WriteLine(out, sources.Make(pairs...))
	out.Write(lines.Bytes())
	if cost > 0 {
		sources.WriteLine(out, sources.Make("cost", cost))
	}
	return out.Bytes(), nil
}

// writeMessage writes a message, and returns its parts, nil if they are damaged.
func (db *sessionsDB) writeMessage(out *bytes.Buffer, m row) (parts jsontext.Value, err error) {
	r, err := db.file.Table("messages").Row(m.place,
		"id", "role", "parts", "model", "provider", "created_at", "is_summary_message")
	if err != nil {
		return nil, err
	}
	text := r.Text(2)
	if v := jsontext.Value(text); transcript.Kind(v) == '[' && transcript.Valid(v) {
		parts = v
	}
	line := sources.Make("id", r.Text(0), "role", r.Text(1), "created_at", r.Int(5), "model", r.Text(3),
		"provider", r.Text(4), "summary", r.Int(6) != 0, "damaged", parts == nil,
		"parts", transcript.Or(parts, sources.Quote(text)))
	if err := r.Err(); err != nil {
		return nil, err
	}
	sources.WriteLine(out, line)
	return parts, nil
}

// folderIn returns the folder in which a command ran, if a message has its result. The tables do not have the folder of
// the project.
func folderIn(parts jsontext.Value) string {
	if !bytes.Contains(parts, []byte("working_directory")) {
		return ""
	}
	for e := range transcript.Elements(parts) {
		metadata := transcript.String(transcript.Field(transcript.Field(e, "data"), "metadata"))
		if dir := sources.FirstText([]byte(metadata), []string{"working_directory"}); transcript.IsAbsolute(dir) {
			return dir
		}
	}
	return ""
}
