package gemini

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// The rules that hide records, in addition to those shared by all writers.
const (
	repeated    = "repeated messages" // a repeated message without anything new
	sentBack    = "results sent back" // what the model was sent of results that their calls have
	bookkeeping = "bookkeeping"
	empty       = "empty messages"
)

// A translator turns the values of one file into records. It remembers what earlier values said.
type translator struct {
	sources.Builder
	agent  bool  // the file is the log of an agent
	offset int64 // of the value

	parent string // the id of the last record
	known  map[string]*message
	now    *message            // the current message
	made   map[string]*call    // by id
	said   string              // the id of the last answer
	order  []*message          // the messages that were not taken back, in order
	open   map[string][]string // the ids of calls of a saved history that may have no result, by tool
}

// A message is a message of the log, which may be repeated.
type message struct {
	id       string
	before   string // the parent of its first record
	asks     bool   // it is a prompt
	answers  bool   // it is of the model
	records  int    // number of records made of it
	thoughts int    // number of thoughts drawn
	text     string // text that was drawn
}

// A call is a call and how much of it was added.
type call struct {
	by       string // the id of its message
	answered bool
}

// Translate turns a line or a document into records.
func (t *translator) Translate(pos transcript.Pos, v jsontext.Value) ([]transcript.Record, []transcript.Problem) {
	t.Begin(pos, v)
	t.offset = pos.Offset
	t.now = nil
	var line sources.Object
	line.Read(v)
	messages := line.Get("messages")
	switch {
	case transcript.Kind(v) == '[', line.Get("history") != nil && messages == nil:
		for e := range t.Parts(transcript.Or(line.Get("history"), v)) {
			t.content(e)
		}
	case line.Get("role") != nil && line.Get("parts") != nil:
		t.content(v)
	case line.Get("$set") != nil:
		t.set(line.Get("$set"))
	case line.Get("$patch") != nil:
		t.patch(line.Get("$patch"))
	case line.Get("$rewindTo") != nil:
		t.rewind(line.Text("$rewindTo"))
	case messages != nil:
		t.document(&line, messages)
	case line.Get("type") == nil && line.Get("id") == nil && line.Get("sessionId") != nil:
		t.head(&line)
		t.Hide("head", bookkeeping)
	default:
		t.message(v)
	}
	return t.Done("message")
}

// document translates a whole session.
func (t *translator) document(line *sources.Object, messages jsontext.Value) {
	t.head(line)
	if t.CWD == "" {
		t.CWD = folderOf(messages)
	}
	t.Value = sources.Make("sessionId", line.Get("sessionId"), "kind", line.Get("kind"))
	t.Hide("head", bookkeeping)
	t.title(line.Text("summary"))
	t.each(messages)
}

// each translates the messages of a list.
func (t *translator) each(messages jsontext.Value) {
	for e := range t.Parts(messages) {
		t.message(e)
	}
}

// head translates what describes the session.
func (t *translator) head(line *sources.Object) {
	if id := line.Text("sessionId"); id != "" {
		t.SessionID = id
	}
	t.agent = t.agent || line.Text("kind") == "subagent"
	for e := range transcript.Elements(line.Get("directories")) {
		t.CWD = cmp.Or(t.CWD, transcript.String(e))
	}
	t.SetTime(line.Get("startTime"))
}

// title adds the title of the session.
func (t *translator) title(s string) {
	if s != "" {
		t.Add(sources.TitleRecord(s, true))
	}
}

// set translates a change of the head, or a list of messages that replaces all earlier ones.
func (t *translator) set(v jsontext.Value) {
	var line sources.Object
	line.Read(v)
	t.head(&line)
	t.SetTime(line.Get("lastUpdated"))
	messages := line.Get("messages")
	if s := line.Text("summary"); s != "" {
		t.title(s)
		if messages == nil {
			return
		}
	}
	if transcript.Kind(messages) != '[' {
		t.Hide("$set", bookkeeping)
		return
	}
	if len(t.order) > 0 && !t.keeps(messages) {
		t.System("compact_boundary", "", "messages before", len(t.order))
	}
	t.order = t.order[:0]
	before := t.Added()
	t.each(messages)
	if t.Added() == before {
		t.Hide("$set", bookkeeping)
	}
}

// keeps reports whether a list contains all messages that count now.
func (t *translator) keeps(messages jsontext.Value) bool {
	has := make(map[string]bool)
	for e := range transcript.Elements(messages) {
		has[transcript.String(transcript.Field(e, "id"))] = true
	}
	return !slices.ContainsFunc(t.order, func(m *message) bool { return !has[m.id] })
}

// patch translates changes of earlier messages. What is drawn stays as it was: the model may be sent less of it now.
func (t *translator) patch(v jsontext.Value) {
	var line sources.Object
	line.Read(v)
	gone := make(map[string]bool)
	for e := range transcript.Elements(line.Get("removeIds")) {
		gone[transcript.String(e)] = true
	}
	kept := slices.DeleteFunc(slices.Clone(t.order), func(m *message) bool { return gone[m.id] })
	first := slices.IndexFunc(t.order, func(m *message) bool { return gone[m.id] })
	switch {
	case first < 0:
	case line.Get("orderIds") != nil: // a summary takes their place
		t.System("compact_boundary", "", "messages before", len(t.order))
		t.order = kept
	case first == len(kept): // all after it, too
		t.rewind(t.order[first].id)
	default:
		t.order = kept
	}
	t.update(v)
	for e := range transcript.Elements(line.Get("updates")) {
		t.update(e)
	}
	if t.Added() == 0 {
		t.Hide("$patch", bookkeeping)
	}
}

// update adds what a message did not have before: the text of an answer, and results of its calls.
func (t *translator) update(v jsontext.Value) {
	var line sources.Object
	line.Read(v)
	m := t.known[line.Text("id")]
	if m == nil {
		return
	}
	t.now = m
	if m.answers && m.text == "" {
		t.answer(m, new(sources.Object), line.Get("content"))
	}
	for call := range transcript.Elements(line.Get("toolCalls")) {
		for part := range transcript.Elements(transcript.Field(call, "result")) {
			t.sentBack(part)
		}
	}
}

// rewind takes back a message and all after it: the session continues from the record before the first prompt among
// them. If the message is not known, all messages are taken back.
func (t *translator) rewind(id string) {
	at := 0
	for i, m := range t.order {
		if m.id == id {
			at = i
		}
	}
	if len(t.order) == 0 {
		t.Hide("$rewindTo", bookkeeping)
		return
	}
	taken := t.order[at:]
	first := max(0, slices.IndexFunc(taken, func(m *message) bool { return m.asks }))
	t.parent = taken[first].before
	for _, m := range taken {
		delete(t.known, m.id)
	}
	t.order = t.order[:at]
	sources.Rare(t.Remark("", sources.TakenBack(len(taken), "message"))).Rewind = true
}

// fill fills in what all records of the file share.
func (t *translator) fill(r *transcript.Record) {
	switch { // a session that continues in another file repeats the ids of its messages there
	case t.now != nil && t.now.id != "":
		r.UUID = t.now.id + "." + strconv.Itoa(t.now.records) + "@" + t.SessionID
		t.now.records++
	case t.SessionID != "":
		r.UUID = "o" + strconv.FormatInt(t.offset, 36) + "." + strconv.Itoa(t.Added()-1) + "@" + t.SessionID
	}
	r.ParentUUID = t.parent
	if t.agent {
		r.AgentID, r.IsSidechain = t.SessionID, true
	}
	if r.UUID != "" {
		t.parent = r.UUID
	}
}

// folderOf returns the folder that the program named to the model.
func folderOf(messages jsontext.Value) string {
	n := 0
	for e := range transcript.Elements(messages) {
		if folder := (Source{}).FolderOf(e); folder != "" {
			return folder
		}
		if n++; n > 5 {
			break
		}
	}
	return commonFolder(messages)
}

// commonFolder returns the folder that contains all files that calls name by an absolute path.
func commonFolder(messages jsontext.Value) string {
	common := ""
	for e := range transcript.Elements(messages) {
		for c := range transcript.Elements(transcript.Field(e, "toolCalls")) {
			args := transcript.Field(c, "args")
			for _, name := range []string{"file_path", "absolute_path"} {
				p := transcript.String(transcript.Field(args, name))
				at := strings.LastIndexAny(p, `/\`)
				if at <= 0 || !transcript.IsAbsolute(p) {
					continue
				}
				common = shared(common, p[:at])
			}
		}
	}
	if !strings.HasPrefix(common, "~") && strings.Count(strings.ReplaceAll(common, `\`, "/"), "/") < 2 {
		return "" // it may contain anything
	}
	return common
}

// shared returns the common parent of two folders, where "" is a folder that is not known yet.
func shared(a, b string) string {
	if a == "" {
		return b
	}
	end := 0
	for i := 0; i <= min(len(a), len(b)); i++ {
		atEnd := func(s string) bool { return i == len(s) || s[i] == '/' || s[i] == '\\' }
		if atEnd(a) && atEnd(b) {
			end = i
		}
		if i < len(a) && i < len(b) && a[i] != b[i] {
			break
		}
	}
	if end == 0 {
		return "/"
	}
	return a[:end]
}
