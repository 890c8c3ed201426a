package goose

import (
	"bytes"
	"cmp"
	"io"
	"math"
	"path"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/sources"
	"viewer/internal/sqlite"
	"viewer/internal/transcript"
)

// MayHold accepts the database.
func (Source) MayHold(p string) bool { return path.Base(p) == database }

// Split finds the sessions in a database. The program changes rows in place: a compaction hides earlier messages from
// the model. Older databases have fewer columns and tables.
func (Source) Split(data io.ReaderAt, size int64) ([]sources.Part, error) {
	file, err := sqlite.Open(data, size)
	if file == nil || !file.Has("sessions", "messages") || !file.Table("messages").Has("content_json") {
		return nil, err
	}
	db := &sessionsDB{file: file, sessions: sources.Index[session]{New: newSession}}
	db.damage.Add(err)
	db.readSessions()
	db.readMessages()
	db.readUsage()
	db.findParents()
	parts := make([]sources.Part, 0, len(db.sessions.Values))
	for _, s := range db.sessions.Values {
		if len(s.messages)+len(s.usage) == 0 { // opened and never used; the program does not list it either
			continue
		}
		p := sources.Part{Name: s.id, Size: s.Size, Version: s.Version()}
		p.Changed, _ = timeOf(s.changed)
		p.Read = func() ([]byte, error) { return db.read(s) }
		parts = append(parts, p)
	}
	return parts, db.damage.Err()
}

// A sessionsDB is a database of Goose.
type sessionsDB struct {
	file     *sqlite.Database
	sessions sources.Index[session]
	damage   sqlite.Damage
}

// A session has the places of the rows of a session.
type session struct {
	id       string
	place    sqlite.Place // of its description
	has      bool         // there is one
	orphan   bool         // of an agent, and it does not name the session that started it
	parent   string       // found otherwise
	messages []row
	usage    []row
	sources.RowSum
	changed jsontext.Value
}

func newSession(id string) *session { return &session{id: id} }

// A row is a message, or the tokens of a request.
type row struct {
	place       sqlite.Place
	id, created int64
}

// columns are the columns that describe a session, with their names in the first line. Those with JSON have their names
// in exports. Extensions are left out: their settings may have keys.
var columns = []struct{ column, name string }{
	{"working_dir", "working_dir"}, {"name", "name"}, {"description", "description"},
	{"user_set_name", "user_set_name"}, {"session_type", "session_type"}, {"created_at", "created_at"},
	{"updated_at", "updated_at"}, {"schedule_id", "schedule_id"}, {"recipe_json", "recipe"},
	{"user_recipe_values_json", "user_recipe_values"}, {"provider_name", "provider_name"},
	{"model_config_json", "model_config"}, {"goose_mode", "goose_mode"}, {"archived_at", "archived_at"},
	{"parent_session_id", "parent_session_id"},
}

func (db *sessionsDB) readSessions() {
	names := []string{"id", "updated_at"}
	for _, c := range columns {
		names = append(names, c.column)
	}
	for _, c := range totals {
		names = append(names, c.session)
	}
	names = append(names, "accumulated_cost")
	for r := range db.damage.Rows(db.file.Table("sessions"), append(names, "session_type", "parent_session_id")...) {
		size, values := 0, make([]any, len(names))
		for i := range values {
			values[i] = r.Text(i) + "\x00"
			size += r.Size(i)
		}
		id, place, changed := r.Text(0), r.Place(), sources.Quote(r.Text(1))
		kind, parent := r.Text(len(names)), r.Text(len(names)+1)
		if r.Err() != nil {
			continue
		}
		s := db.sessions.Of(id)
		s.place, s.has, s.changed = place, true, changed
		s.orphan = kind == agentType && parent == ""
		s.Note(size, values...)
	}
}

func (db *sessionsDB) readMessages() {
	table := db.file.Table("messages")
	for r := range db.damage.Rows(table, "id", "session_id", "created_timestamp", "content_json", "metadata_json") {
		made, id, size := row{r.Place(), r.Int(0), seconds(r.Int(2))}, r.Text(1), r.Size(3)+r.Size(4)
		metadata := r.Text(4)
		if r.Err() != nil {
			continue
		}
		s := db.sessions.Of(id)
		s.messages = append(s.messages, made)
		s.Note(size, "message", made.id, made.created, size, metadata)
	}
}

// readUsage finds the tokens of requests, which are in the database since the summer of 2026.
func (db *sessionsDB) readUsage() {
	for r := range db.damage.Rows(db.file.Table("usage_ledger"), "id", "session_id", "created_timestamp") {
		made, id := row{r.Place(), r.Int(0), seconds(r.Int(2))}, r.Text(1)
		if r.Err() != nil {
			continue
		}
		s := db.sessions.Of(id)
		s.usage = append(s.usage, made)
		s.Note(0, "usage", made.id, made.created)
	}
}

// findParents finds the sessions that started agents, for databases that do not name them: the results of calls in
// those sessions name the agents.
func (db *sessionsDB) findParents() {
	if !slices.ContainsFunc(db.sessions.Values, func(s *session) bool { return s.orphan }) {
		return
	}
	for r, err := range db.file.Table("messages").Rows("session_id", "content_json") {
		if err != nil {
			continue // reported before
		}
		content := jsontext.Value(r.Bytes(1))
		if !bytes.Contains(content, []byte(agentMember)) || !transcript.Valid(content) {
			continue
		}
		for id := range agentsOf(content) {
			by, agent := db.sessions.Find(r.Text(0)), db.sessions.Find(id)
			if by != nil && !by.orphan && agent != nil && agent.orphan && agent.parent == "" {
				agent.parent = by.id
				agent.Note(0, "parent", by.id)
			}
		}
	}
}

// seconds returns a time in seconds since 1970. Some versions wrote milliseconds.
func seconds(at int64) int64 {
	if at > firstMilliseconds {
		return at / 1000
	}
	return at
}

// firstMilliseconds is the least number that is a time in milliseconds, not in seconds, for the program.
const firstMilliseconds = 10_000_000_000

// read writes a session as lines: its description, its messages, and the tokens of requests where they were made.
func (db *sessionsDB) read(s *session) ([]byte, error) {
	out := bytes.NewBuffer(make([]byte, 0, s.Size+s.Size/8))
	rest, err := db.writeHead(out, s)
	if err != nil {
		return nil, err
	}
	order := func(a, b row) int { return cmp.Or(cmp.Compare(a.created, b.created), cmp.Compare(a.id, b.id)) }
	usage := slices.SortedStableFunc(slices.Values(s.usage), order)
	spend := func(until int64) error {
		for len(usage) > 0 && usage[0].created < until {
			if err := db.writeUsage(out, usage[0], &rest); err != nil {
				return err
			}
			usage = usage[1:]
		}
		return nil
	}
	messages, err := db.messages(slices.SortedStableFunc(slices.Values(s.messages), order))
	if err != nil {
		return nil, err
	}
	markCompactions(messages)
	for _, m := range messages {
		if err := spend(m.at); err != nil {
			return nil, err
		}
		sources.WriteLine(out, m.value())
		if len(s.usage) == 0 {
			rest.take(m.used())
		}
	}
	if err := spend(math.MaxInt64); err != nil {
		return nil, err
	}
	if rest != (spent{}) {
		rest.together = true
		sources.WriteLine(out, sources.Make("usage", rest.value()))
	}
	return out.Bytes(), nil
}

// writeHead writes the description of a session, and returns what all its requests used.
func (db *sessionsDB) writeHead(out *bytes.Buffer, s *session) (used spent, err error) {
	pairs := []any{rowHead, s.id}
	if s.has {
		var names []string
		for _, c := range columns {
			names = append(names, c.column)
		}
		first := len(names)
		for _, c := range totals {
			names = append(names, c.session)
		}
		r, err := db.file.Table("sessions").Row(s.place, append(names, "accumulated_cost")...)
		if err != nil {
			return used, err
		}
		for i, c := range columns {
			pairs = append(pairs, c.name, textOrJSON(r.Text(i), c.column != c.name))
		}
		if s.parent != "" {
			pairs = append(pairs, "parent_session_id", s.parent)
		}
		for i := range totals {
			used.tokens[i] = max(0, r.Int(first+i))
		}
		used.cost = max(0, r.Float(first+len(totals)))
		if err := r.Err(); err != nil {
			return used, err
		}
	}
	sources.WriteLine(out, sources.Make(append(pairs, "lists_requests", len(s.usage) > 0)...))
	return used, nil
}

// textOrJSON returns the text of a column: JSON if it should be an object and is one.
func textOrJSON(text string, object bool) jsontext.Value {
	v := jsontext.Value(text)
	switch {
	case text == "":
		return nil
	case object && transcript.Kind(v) == '{' && transcript.Valid(v):
		return v
	}
	return sources.Quote(text)
}

// messages reads messages.
func (db *sessionsDB) messages(rows []row) ([]message, error) {
	all := make([]message, len(rows))
	for i, m := range rows {
		r, err := db.file.Table("messages").Row(m.place,
			"message_id", "role", "created_timestamp", "content_json", "metadata_json")
		if err != nil {
			return nil, err
		}
		created := jsontext.Value(strconv.FormatInt(r.Int(2), 10))
		if text := r.Text(2); text != string(created) {
			created = sources.Quote(text)
		}
		content := jsontext.Value(r.Text(3))
		damaged := !transcript.Valid(content)
		if damaged {
			content = sources.Quote(r.Text(3))
		}
		all[i] = message{
			row: strconv.FormatInt(m.id, 10), id: r.Text(0), role: r.Text(1), at: m.created, created: created,
			content: content, damaged: damaged, metadata: textOrJSON(r.Text(4), true),
		}
		if err := r.Err(); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// writeUsage writes what a request used, and takes it off the rest.
func (db *sessionsDB) writeUsage(out *bytes.Buffer, u row, rest *spent) error {
	names := []string{"model"}
	for _, c := range totals {
		names = append(names, c.request)
	}
	r, err := db.file.Table("usage_ledger").Row(u.place, append(names, "cost", "cost_source")...)
	if err != nil {
		return err
	}
	used := spent{model: r.Text(0), created: u.created, cost: max(0, r.Float(len(names)))}
	used.together = r.Text(len(names)+1) == "carried_forward" // from before there was a list
	for i := range totals {
		used.tokens[i] = max(0, r.Int(1+i))
	}
	rest.take(used)
	sources.WriteLine(out, sources.Make("usage", used.value()))
	return r.Err()
}
