package hermes

import (
	"bytes"
	"cmp"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/sources"
	"viewer/internal/sqlite"
	"viewer/internal/transcript"
)

// MayHold accepts the database.
func (Source) MayHold(p string) bool { return path.Base(p) == database }

// Split finds the sessions in a database. The program changes rows in place: compactions and rewinds mark messages.
func (Source) Split(data io.ReaderAt, size int64) ([]sources.Part, error) {
	file, err := sqlite.Open(data, size)
	if file == nil || !file.Has("sessions", "messages") || !file.Table("messages").Has("tool_call_id") ||
		!file.Table("sessions").Has("started_at") {
		return nil, err
	}
	db := &sessionsDB{file: file, prompts: make(map[string]sqlite.Place)}
	db.sessions.New = newSession
	db.damage.Add(err)
	db.readSessions()
	db.readMessages()
	db.readUsage()
	db.readPrompts()
	parts := make([]sources.Part, 0, len(db.sessions.Values))
	for _, s := range db.sessions.Values {
		if len(s.messages) == 0 { // opened and never used
			continue
		}
		p := sources.Part{Name: s.id, Size: s.Size, Version: s.Version(), Changed: s.changed}
		p.Read = func() ([]byte, error) { return db.read(s) }
		parts = append(parts, p)
	}
	return parts, db.damage.Err()
}

// A sessionsDB is a database of Hermes Agent.
type sessionsDB struct {
	file     *sqlite.Database
	sessions sources.Index[session]
	prompts  map[string]sqlite.Place // of system prompts, by hash
	damage   sqlite.Damage
}

// A session has the places of the rows of a session.
type session struct {
	id       string
	place    sqlite.Place // of its description
	has      bool         // there is one
	parent   string
	forks    string // the sessions that it was branched, delegated or reset from, as JSON
	key      string // of the conversation in a chat
	ended    string // why
	messages []row
	usage    []sqlite.Place
	sources.RowSum
	changed time.Time
}

func newSession(id string) *session { return &session{id: id} }

// A row is a message.
type row struct {
	place sqlite.Place
	id    int64
}

// columns are the columns that describe a session. Users and chats are left out.
var columns = []string{
	"source", "model", "model_config", "system_prompt", "parent_session_id", "started_at", "ended_at", "end_reason",
	"cwd", "git_branch", "billing_provider", "title", "title_source",
}

// hashColumn has the hash of a system prompt that several sessions share.
const hashColumn = "system_prompt_hash"

// amounts are the columns with what requests used, of sessions and of the list of models.
var amounts = []string{"input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens"}

// costs are the columns with costs. The first that is known counts.
var costs = []string{"actual_cost_usd", "estimated_cost_usd"}

func (db *sessionsDB) readSessions() {
	names := slices.Concat([]string{"id", "session_key", "last_activity_at", hashColumn}, columns, amounts, costs)
	at := func(name string) int { return slices.Index(names, name) }
	for r := range db.damage.Rows(db.file.Table("sessions"), names...) {
		size, values := 0, make([]any, len(names))
		for i := range values {
			values[i] = r.Text(i) + "\x00"
			size += r.Size(i)
		}
		found := session{
			id: r.Text(0), key: r.Text(1), place: r.Place(), has: true, parent: r.Text(at("parent_session_id")),
			forks: r.Text(at("model_config")), ended: r.Text(at("end_reason")),
		}
		found.changed = seconds(max(r.Float(2), r.Float(at("started_at")), r.Float(at("ended_at"))))
		if r.Err() != nil {
			continue
		}
		s := db.sessions.Of(found.id)
		if s.has {
			continue
		}
		*s = found
		s.Note(size, values...)
	}
}

func (db *sessionsDB) readMessages() {
	const flags = 3 // the first of the columns that change
	for r := range db.damage.Rows(db.file.Table("messages"), "id", "session_id", "timestamp",
		"active", "compacted", "display_kind", "content", "tool_calls", "reasoning", "reasoning_content") {
		made, id, at, size := row{r.Place(), r.Int(0)}, r.Text(1), r.Float(2), 0
		for i := flags; i < flags+7; i++ {
			size += r.Size(i)
		}
		marks := r.Text(flags) + "," + r.Text(flags+1) + "," + r.Text(flags+2)
		if r.Err() != nil {
			continue
		}
		s := db.sessions.Of(id)
		s.messages = append(s.messages, made)
		if now := seconds(at); now.After(s.changed) {
			s.changed = now
		}
		s.Note(size, "message", made.id, size, marks)
	}
}

// readUsage finds what each model used, which is in the database since the summer of 2026.
func (db *sessionsDB) readUsage() {
	names := slices.Concat([]string{"session_id", "model", "task"}, amounts, costs)
	for r := range db.damage.Rows(db.file.Table("session_model_usage"), names...) {
		place, id := r.Place(), r.Text(0)
		values := make([]any, len(names)-1)
		for i := range values {
			values[i] = r.Text(1+i) + "\x00"
		}
		if r.Err() != nil {
			continue
		}
		s := db.sessions.Of(id)
		s.usage = append(s.usage, place)
		s.Note(0, append(values, "usage")...)
	}
}

// readPrompts finds the system prompts that sessions share.
func (db *sessionsDB) readPrompts() {
	for r := range db.damage.Rows(db.file.Table("system_prompts"), "hash") {
		if hash := r.Text(0); r.Err() == nil {
			db.prompts[hash] = r.Place()
		}
	}
}

// resets are the ends of sessions after which a chat continues in a new one.
var resets = []string{"session_reset", "session_switch", "idle", "daily", "suspended", "resume_pending_expired"}

// agentOf returns the session that started an agent, "" for other sessions: those that continue their parent after a
// compaction, or that the human branched off or began anew, have a parent, too.
func (db *sessionsDB) agentOf(s *session) string {
	if s.parent == "" || s.parent == s.id {
		return ""
	}
	var forks sources.Object
	if v := jsontext.Value(s.forks); transcript.Valid(v) {
		forks.Read(v)
	}
	if forks.Text("_delegate_from") == s.parent {
		return s.parent
	}
	if forks.Text("_branched_from") != "" || forks.Text("_reset_from") != "" {
		return ""
	}
	if p := db.sessions.Find(s.parent); p == nil || p.ended == "compression" || p.ended == "branched" ||
		slices.Contains(resets, p.ended) && s.key != "" && s.key == p.key {
		return ""
	}
	return s.parent
}

// read writes a session as lines: its description, its messages, and what its requests used.
func (db *sessionsDB) read(s *session) ([]byte, error) {
	out := bytes.NewBuffer(make([]byte, 0, s.Size+s.Size/8))
	rest, err := db.writeHead(out, s)
	if err != nil {
		return nil, err
	}
	byID := func(a, b row) int { return cmp.Compare(a.id, b.id) }
	for _, m := range slices.SortedStableFunc(slices.Values(s.messages), byID) {
		if err := db.writeMessage(out, m); err != nil {
			return nil, err
		}
	}
	for _, place := range s.usage {
		if err := db.writeUsage(out, place, &rest); err != nil {
			return nil, err
		}
	}
	if rest.isSome() {
		sources.WriteLine(out, rest.value())
	}
	return out.Bytes(), nil
}

// writeHead writes the description of a session, and returns what all its requests used.
func (db *sessionsDB) writeHead(out *bytes.Buffer, s *session) (used spent, err error) {
	pairs := []any{rowHead, s.id}
	if s.has {
		names := slices.Concat(columns, amounts, costs, []string{hashColumn})
		r, err := db.file.Table("sessions").Row(s.place, names...)
		if err != nil {
			return used, err
		}
		hash := r.Text(len(names) - 1)
		for i, name := range columns {
			text := r.Text(i)
			if place, ok := db.prompts[hash]; name == "system_prompt" && text == "" && ok && hash != "" {
				if text, err = db.prompt(place); err != nil {
					return used, err
				}
			}
			pairs = append(pairs, name, valueOf(text, name == "model_config"))
		}
		used = spentIn(r, len(columns))
		if err := r.Err(); err != nil {
			return used, err
		}
		pairs = append(pairs, "agent_of", db.agentOf(s))
	}
	sources.WriteLine(out, sources.Make(pairs...))
	return used, nil
}

func (db *sessionsDB) prompt(place sqlite.Place) (string, error) {
	r, err := db.file.Table("system_prompts").Row(place, "prompt")
	if err != nil {
		return "", err
	}
	text := r.Text(0)
	return text, r.Err()
}

// texts and lists are the columns of a message with texts and with JSON.
var (
	texts = []string{
		"role", "tool_call_id", "tool_name", "timestamp", "finish_reason", "reasoning", "reasoning_content",
		"display_kind",
	}
	lists = []string{"tool_calls", "reasoning_details", "codex_reasoning_items"}
)

// contentMark is before JSON in the column of contents. Other contents are texts.
const contentMark = "json:"

func (db *sessionsDB) writeMessage(out *bytes.Buffer, m row) error {
	names := slices.Concat([]string{"content", "active", "compacted", "observed", "_compressed_summary"}, texts, lists)
	r, err := db.file.Table("messages").Row(m.place, names...)
	if err != nil {
		return err
	}
	first := len(names) - len(texts) - len(lists)
	pairs := []any{"row", m.id}
	for i, name := range slices.Concat(texts, lists) {
		text := r.Text(first + i)
		pairs = append(pairs, name, valueOf(text, i >= len(texts)))
	}
	content := r.Text(0)
	value := sources.Quote(content)
	if rest, marked := strings.CutPrefix(strings.TrimLeft(content, "\x00\x01"), contentMark); marked &&
		len(rest)+len(contentMark) < len(content) && transcript.Valid(jsontext.Value(rest)) {
		value = jsontext.Value(rest)
	}
	if content != "" {
		pairs = append(pairs, "content", value)
	}
	if r.Text(1) == "0" {
		pairs = append(pairs, "active", jsontext.Value("false"))
	}
	pairs = append(pairs, "compacted", r.Int(2) != 0, "observed", r.Int(3) != 0, "_compressed_summary", r.Int(4) != 0)
	if err := r.Err(); err != nil {
		return err
	}
	sources.WriteLine(out, sources.Make(pairs...))
	return nil
}

// writeUsage writes what a model used, and takes it off the rest. The rest counts no requests for titles and summaries.
func (db *sessionsDB) writeUsage(out *bytes.Buffer, place sqlite.Place, rest *spent) error {
	names := slices.Concat(amounts, costs, []string{"model", "task"})
	r, err := db.file.Table("session_model_usage").Row(place, names...)
	if err != nil {
		return err
	}
	used := spentIn(r, 0)
	used.model = r.Text(len(amounts) + len(costs))
	if r.Text(len(names)-1) == "" {
		rest.take(used)
	}
	if err := r.Err(); err != nil {
		return err
	}
	if used.isSome() {
		sources.WriteLine(out, used.value())
	}
	return nil
}

// spentIn reads amounts and costs from the columns of a row, from number first on.
func spentIn(r *sqlite.Row, first int) (s spent) {
	for i := range amounts {
		s.tokens[i] = max(0, r.Int(first+i))
	}
	for i := range costs {
		s.cost = cmp.Or(s.cost, max(0, r.Float(first+len(amounts)+i)))
	}
	return s
}

// valueOf returns the text of a column: JSON if it should be that and is.
func valueOf(text string, isJSON bool) jsontext.Value {
	v := jsontext.Value(text)
	switch {
	case text == "":
		return nil
	case isJSON && transcript.Valid(v):
		return v
	}
	return sources.Quote(text)
}

// seconds returns a time in seconds since 1970, the zero time for what cannot be one.
func seconds(at float64) time.Time {
	return sources.Milliseconds(jsontext.Value(strconv.FormatFloat(at*1000, 'f', 0, 64)))
}
