package opencode

import (
	"bytes"
	"cmp"
	"fmt"
	"hash/fnv"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/sources"
	"viewer/internal/sqlite"
	"viewer/internal/transcript"
)

// MayHold accepts databases.
func (Source) MayHold(p string) bool { return path.Ext(p) == ".db" }

// Split finds the sessions in a database. The program changes rows in place. The times and the number of its rows tell
// whether a session has changed.
func (Source) Split(data io.ReaderAt, size int64) ([]sources.Part, error) {
	file, err := sqlite.Open(data, size)
	if file == nil || !file.Has("session") && !file.Has(secondSessions) ||
		!file.Has("message", "part") && !file.Has("session_message") {
		return nil, err
	}
	db := &database{file: file, sessions: sources.Index[session]{New: newSession}}
	db.damage.Add(err)
	db.readSessions("session")
	db.readSessions(secondSessions)
	for _, table := range []string{"message", "part", "session_message"} {
		db.readRows(table)
	}
	for _, table := range waitingTables {
		db.readWaiting(table)
	}
	parts := make([]sources.Part, 0, len(db.sessions.Values))
	for _, s := range db.sessions.Values {
		p := sources.Part{Name: s.id, Size: s.size, Version: s.version()}
		p.Changed = sources.Milliseconds(jsontext.Value(strconv.FormatInt(s.changed, 10)))
		p.Read = func() ([]byte, error) { return db.read(s) }
		parts = append(parts, p)
	}
	return parts, db.damage.Err()
}

// A database is a database of OpenCode.
type database struct {
	file     *sqlite.Database
	sessions sources.Index[session]
	damage   sqlite.Damage
}

// waitingTables have the prompts that wait until the model is sent them, in OpenCode 2 and in test versions before it.
var waitingTables = [...]string{"session_inbox", "session_pending", "session_input"}

// secondSessions is the table of sessions of OpenCode 2, which keeps that of earlier versions beside it.
const secondSessions = "session_v2"

// A session has the places of the rows of a session.
type session struct {
	id       string
	infos    map[string]sqlite.Place // of its description, by the name of the table
	messages []row
	parts    []row
	second   []row // of the second version, in order
	waiting  [len(waitingTables)][]row
	latest   [2]int64 // when the last message was made, in each version, in milliseconds since 1970
	rows     int
	size     int64
	changed  int64 // when its last row was changed, in milliseconds since 1970
	sum      uint64
}

func newSession(id string) *session { return &session{id: id, infos: make(map[string]sqlite.Place)} }

// A row is a message or a part of one.
type row struct {
	place sqlite.Place
	id    string
	of    string // the message, for a part
	at    int64  // when it was made, in milliseconds since 1970; in the second version, its number in the order
}

func (s *session) note(changed int64, size int) {
	s.rows++
	s.size += int64(size)
	s.changed = max(s.changed, changed)
	s.sum += uint64(changed) + uint64(size)*2654435761 // independent of the order
}

// version differs when a row was added, changed or deleted.
func (s *session) version() uint64 {
	h := fnv.New64a()
	fmt.Fprint(h, s.rows, s.size, s.changed, s.sum)
	return max(h.Sum64(), 1)
}

// isSecond reports whether the rows of the second version count. OpenCode 2 copies the messages of earlier sessions
// once, and continues the copies. If an earlier version continued a session after that, its messages are later.
func (s *session) isSecond() bool {
	if len(s.second) == 0 || len(s.messages)+len(s.parts) == 0 {
		return len(s.second) > 0
	}
	_, known := s.infos[secondSessions]
	return known && s.latest[1] >= s.latest[0]
}

func (db *database) readSessions(name string) {
	for r := range db.damage.Rows(db.file.Table(name), "id", "time_updated", "title", "revert") {
		id, changed := r.Text(0), r.Int(1)
		if r.Err() != nil {
			continue
		}
		s := db.sessions.Of(id)
		s.infos[name] = r.Place()
		s.note(changed, r.Size(2)+r.Size(3))
	}
}

// readRows finds the rows of a table that belong to a session.
func (db *database) readRows(name string) {
	for r := range db.damage.Rows(db.file.Table(name), "id", "session_id", "time_created", "time_updated", "data",
		"message_id", "seq") {
		made := row{place: r.Place(), id: r.Text(0), at: r.Int(2)}
		session, changed, size := r.Text(1), r.Int(3), r.Size(4)
		if name == "part" {
			made.of = r.Text(5)
		}
		if r.Err() != nil {
			continue
		}
		s := db.sessions.Of(session)
		s.note(max(changed, made.at), size+256)
		switch name {
		case "message":
			s.messages = append(s.messages, made)
			s.latest[0] = max(s.latest[0], made.at)
		case "part":
			s.parts = append(s.parts, made)
		default:
			s.latest[1] = max(s.latest[1], made.at)
			made.at = r.Int(6)
			s.second = append(s.second, made)
		}
	}
}

// readWaiting finds the rows of a table with prompts that wait. Test versions kept those that had been sent.
func (db *database) readWaiting(name string) {
	at := slices.Index(waitingTables[:], name)
	for r := range db.damage.Rows(db.file.Table(name), "id", "session_id", "time_created", "payload", "data",
		"promoted_seq", "delivery", "enqueued_seq", "admitted_seq", "order_seq") {
		made := row{place: r.Place(), id: r.Text(0), at: r.Int(7) + r.Int(8)}
		session, changed := r.Text(1), r.Int(2)+r.Int(9)
		if !r.IsNull(9) { // its place in the order was changed
			made.at = r.Int(9)
		}
		if !r.IsNull(5) || r.Err() != nil {
			continue
		}
		s := db.sessions.Of(session)
		s.note(changed, r.Size(3)+r.Size(4)+r.Size(6)+256)
		s.waiting[at] = append(s.waiting[at], made)
	}
}

// read writes a session as lines: its description, each message with its parts, and what waits.
func (db *database) read(s *session) ([]byte, error) {
	out := bytes.NewBuffer(make([]byte, 0, s.size+s.size/8))
	if err := db.writeInfo(out, s); err != nil {
		return nil, err
	}
	write := db.writeFirst
	if s.isSecond() {
		write = db.writeSecond
	}
	if err := write(out, s); err != nil {
		return nil, err
	}
	err := db.writeWaiting(out, s)
	return out.Bytes(), err
}

// writeFirst writes rows of the first version.
func (db *database) writeFirst(out *bytes.Buffer, s *session) error {
	order := func(a, b row) int { return cmp.Or(cmp.Compare(a.at, b.at), strings.Compare(a.id, b.id)) }
	parts := make(map[string][]row)
	for _, p := range slices.SortedStableFunc(slices.Values(s.parts), order) {
		parts[p.of] = append(parts[p.of], p)
	}
	for _, m := range slices.SortedStableFunc(slices.Values(s.messages), order) {
		if err := db.writeMessage(out, "message", m, parts[m.id]); err != nil {
			return err
		}
		delete(parts, m.id)
	}
	for _, p := range slices.SortedStableFunc(slices.Values(s.parts), order) { // whose messages are missing
		if rest := parts[p.of]; rest != nil {
			delete(parts, p.of)
			fmt.Fprintf(out, `{"info":{"id":%s,"role":"assistant"},"parts":`, sources.Quote(p.of))
			if err := db.writeParts(out, rest); err != nil {
				return err
			}
		}
	}
	return nil
}

// infoColumns are the columns that describe a session, with their names in exports.
var infoColumns = []struct{ column, name string }{
	{"id", "id"}, {"slug", "slug"}, {"project_id", "projectID"}, {"directory", "directory"}, {"parent_id", "parentID"},
	{"title", "title"}, {"version", "version"}, {"revert", "revert"}, {"agent", "agent"}, {"model", "model"},
	{"fork_session_id", "forkSessionID"}, {"fork_message_id", "forkMessageID"}, {"fork_boundary", "forkBoundary"},
}

func (db *database) writeInfo(out *bytes.Buffer, s *session) error {
	tables := []string{"session", secondSessions}
	if s.isSecond() {
		slices.Reverse(tables)
	}
	at := slices.IndexFunc(tables, func(table string) bool { _, ok := s.infos[table]; return ok })
	if at < 0 {
		writeNameless(out, s.id)
		return nil
	}
	columns := []string{"time_created", "time_updated"}
	for _, c := range infoColumns {
		columns = append(columns, c.column)
	}
	row, err := db.file.Table(tables[at]).Row(s.infos[tables[at]], columns...)
	if err != nil {
		return err
	}
	pairs := []any{"time", sources.Make("created", row.Int(0), "updated", row.Int(1))}
	for i, c := range infoColumns {
		text := row.Text(i + 2)
		if json := jsontext.Value(text); transcript.Kind(json) == '{' && transcript.Valid(json) && c.name != "title" {
			pairs = append(pairs, c.name, json)
			continue
		}
		pairs = append(pairs, c.name, text)
	}
	if row.IsNull(5) || row.Text(5) == "" { // which identifies an info
		pairs = append(pairs, "directory", sources.Quote(""))
	}
	sources.WriteLine(out, sources.Make("info", sources.Make(pairs...)))
	return row.Err()
}

// writeMessage writes a message and its parts on one line.
func (db *database) writeMessage(out *bytes.Buffer, table string, m row, parts []row) error {
	start := out.Len()
	out.WriteString(`{"info":`)
	ok, err := db.writeData(out, table, m)
	if err != nil {
		return err
	}
	if !ok {
		out.Truncate(start)
		sources.WriteLine(out, sources.Make("row", m.id, "damaged", true))
		fmt.Fprintf(out, `{"info":{"id":%s,"role":"assistant"}`, sources.Quote(m.id))
	}
	out.WriteString(`,"parts":`)
	return db.writeParts(out, parts)
}

func (db *database) writeParts(out *bytes.Buffer, parts []row) error {
	out.WriteByte('[')
	var damaged []string
	n := 0
	for _, p := range parts {
		start := out.Len()
		if n > 0 {
			out.WriteByte(',')
		}
		ok, err := db.writeData(out, "part", p)
		if err != nil {
			return err
		}
		if !ok {
			out.Truncate(start)
			damaged = append(damaged, p.id)
			continue
		}
		n++
	}
	out.WriteString("]}\n")
	for _, id := range damaged {
		sources.WriteLine(out, sources.Make("row", id, "damaged", true))
	}
	return nil
}

// writeData writes the data of a row with its id. ok is false if the data is not a JSON object.
func (db *database) writeData(out *bytes.Buffer, table string, r row) (ok bool, err error) {
	row, err := db.file.Table(table).Row(r.place, "data")
	if err != nil {
		return false, err
	}
	data := bytes.TrimSpace(row.Bytes(0))
	if err := row.Err(); err != nil {
		return false, err
	}
	if transcript.Kind(data) != '{' || !transcript.Valid(data) {
		return false, nil
	}
	out.WriteString(`{"id":`)
	out.Write(sources.Quote(r.id))
	if rest := bytes.TrimSpace(data[1:]); rest[0] != '}' {
		out.WriteByte(',')
	}
	sources.WriteLine(out, data[1:])
	out.Truncate(out.Len() - 1)
	return true, nil
}

// writeSecond writes rows of the second version.
func (db *database) writeSecond(out *bytes.Buffer, s *session) error {
	order := func(a, b row) int { return cmp.Compare(a.at, b.at) }
	for _, r := range slices.SortedStableFunc(slices.Values(s.second), order) {
		row, err := db.file.Table("session_message").Row(r.place, "type", "time_created", "data")
		if err != nil {
			return err
		}
		data := jsontext.Value(row.Text(2))
		if !transcript.Valid(data) || transcript.Kind(data) != '{' {
			sources.WriteLine(out, sources.Make("row", r.id, "damaged", true))
			continue
		}
		value := sources.Make("id", r.id, "type", row.Text(0), "created", row.Int(1), "data", data)
		sources.WriteLine(out, sources.Make("row", value))
		if err := row.Err(); err != nil {
			return err
		}
	}
	return nil
}

// writeWaiting writes rows of prompts that wait, in the order in which the program sends them.
func (db *database) writeWaiting(out *bytes.Buffer, s *session) error {
	order := func(a, b row) int { return cmp.Compare(a.at, b.at) }
	for i, rows := range s.waiting {
		for _, r := range slices.SortedStableFunc(slices.Values(rows), order) {
			table := db.file.Table(waitingTables[i])
			row, err := table.Row(r.place, "type", "time_created", "payload", "data", "delivery")
			if err != nil {
				return err
			}
			data := jsontext.Value(cmp.Or(row.Text(2), row.Text(3)))
			if err := row.Err(); err != nil {
				return err
			}
			if !transcript.Valid(data) || transcript.Kind(data) != '{' {
				sources.WriteLine(out, sources.Make("row", r.id, "damaged", true))
				continue
			}
			data = sources.Make("kind", row.Text(0), "delivery", row.Text(4), "payload", data)
			value := sources.Make("id", r.id, "type", waiting, "created", row.Int(1), "data", data)
			sources.WriteLine(out, sources.Make("row", value))
		}
	}
	return nil
}
