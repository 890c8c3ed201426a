package opencode

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// The rules that hide records, in addition to those shared by all writers.
const (
	bookkeeping = "bookkeeping"
	steps       = "bounds of requests" // each message is one request and has the same facts
	empty       = "empty messages"
)

// A translator turns the values of one file into records.
type translator struct {
	sources.Builder
	version string
	last    string // the uuid of the last record
	reverts string // the first message that was taken back
	partly  bool   // the beginning of that message was kept
	stopped bool   // the last message of the model says that the human interrupted it
	byUser  bool   // the user ran the command in the next message of the model
	results []result
	changed map[string]bool // files that calls of the message changed
	known   map[string]int  // how often an id occurred: some tools use the same one for all calls
}

// A result waits until the rest of its message is translated.
type result struct {
	record transcript.Record
	uuid   string
}

// Translate turns a document, a message or an event into records.
func (t *translator) Translate(pos transcript.Pos, v jsontext.Value) ([]transcript.Record, []transcript.Problem) {
	t.Begin(pos, v)
	var o sources.Object
	o.Read(v)
	switch info := o.Get("info"); {
	case o.Get("damaged") != nil:
		t.Problem("row " + o.Text("row") + ": its data is not a JSON object")
	case o.Get("unread") != nil:
		t.Problem("its file " + o.Text("row") + ".json cannot be read: permission denied")
	case o.Get("lost") != nil:
		t.lost(o.Get("lost"), o.Text("message"))
	case o.Get("row") != nil:
		t.row(o.Get("row"))
	case info == nil:
		t.event(&o)
	case transcript.Kind(info) != '{':
	case transcript.Field(info, "role") == nil:
		t.head(info)
		for e := range t.Parts(o.Get("messages")) {
			if kind := transcript.Field(e, "type"); kind != nil && transcript.Field(e, "info") == nil {
				t.second(transcript.String(kind), transcript.String(transcript.Field(e, "id")), e, e)
				continue
			}
			t.message(transcript.Field(e, "info"), transcript.Field(e, "parts"))
		}
	default:
		t.message(info, o.Get("parts"))
	}
	return t.Done("opencode")
}

// lost draws a part whose message is gone. Its role is unknown, so it is drawn as JSON.
func (t *translator) lost(part jsontext.Value, message string) {
	var p sources.Object
	p.Read(part)
	t.Value = part
	t.time(transcript.Field(transcript.Or(p.Get("time"), transcript.Field(p.Get("state"), "time")), "start"))
	t.Problem("part " + p.Text("id") + ": the file of its message " + message + " is missing")
	t.add(transcript.Record{Type: "part"}, "")
}

// head translates the description of the session.
func (t *translator) head(info jsontext.Value) {
	var o sources.Object
	o.Read(info)
	t.SessionID, t.CWD, t.version = o.Text("id"), folderOf(&o), o.Text("version")
	t.time(transcript.Field(o.Get("time"), "created"))
	t.reverts = transcript.String(transcript.Field(o.Get("revert"), "messageID"))
	t.partly = transcript.Field(o.Get("revert"), "partID") != nil
	t.Value = sources.Make("type", "session", "id", t.SessionID, "title", o.Text("title"), "version", t.version)
	t.started(&o)
	if from := forkedFrom(&o); from != "" {
		boundary := transcript.Or(o.Get("forkBoundary"), transcript.Field(o.Get("fork"), "boundary"))
		at := cmp.Or(o.Text("forkMessageID"), transcript.String(transcript.Field(boundary, "messageID")),
			transcript.String(boundary))
		said := sources.SystemRecord("informational", "Session forked", "from", from, "at message", at)
		t.add(said, t.SessionID+".fork").LineageID = from
	}
	title := o.Text("title")
	if !strings.HasPrefix(title, "New session - ") && !strings.HasPrefix(title, "Child session - ") && title != "" {
		t.add(sources.TitleRecord(title, true), t.SessionID+".title")
	}
}

// started says where and with what a session began.
func (t *translator) started(o *sources.Object) {
	if t.CWD+t.version == "" {
		t.hide("session", bookkeeping)
		return
	}
	what := "Session started"
	if o.Text("parentID") != "" {
		what = "Agent started"
	}
	model := o.Get("model")
	t.add(sources.SystemRecord("informational", what, "folder", t.CWD, "version of the program", t.version,
		"agent", o.Text("agent"), "provider", transcript.String(transcript.Field(model, "providerID"))),
		t.SessionID+".start")
}

// folderOf returns the working directory of a session, given its description.
func folderOf(o *sources.Object) string {
	return cmp.Or(o.Text("directory"), transcript.String(transcript.Field(o.Get("location"), "directory")))
}

// forkedFrom returns the session from which another was forked, given its description, or "".
func forkedFrom(o *sources.Object) string {
	return cmp.Or(o.Text("forkSessionID"), transcript.String(transcript.Field(o.Get("fork"), "sessionID")))
}

// time sets the time of the records that follow, in milliseconds. A missing value leaves it unchanged.
func (t *translator) time(v jsontext.Value) {
	if v != nil {
		t.SetTime(v)
	}
}

// add adds a record with a uuid, which continues from the last one.
func (t *translator) add(r transcript.Record, uuid string) *transcript.Record {
	added := t.Add(r)
	added.Version = t.version
	if added.Rare != nil && added.Hidden != "" {
		return added
	}
	if uuid == "" || uuid[0] == '.' { // documents that were written by hand may have no ids
		uuid = t.place()
	}
	uuid = t.unique("record", uuid)
	added.UUID, added.ParentUUID = uuid, t.last
	t.last = uuid
	return added
}

// place returns the position of a record, as part of an id for records that have none.
func (t *translator) place() string {
	return "o" + strconv.FormatInt(t.Pos.Offset, 36) + "." + strconv.Itoa(t.Added()) + "@" + t.SessionID
}

// unique returns an id that no other record of that kind has in the file.
func (t *translator) unique(kind, id string) string {
	if t.known == nil {
		t.known = make(map[string]int)
	}
	key := kind + " " + id
	t.known[key]++
	if n := t.known[key]; n > 1 {
		return id + "~" + strconv.Itoa(n)
	}
	return id
}

func (t *translator) hide(kind, rule string) { t.add(sources.HiddenRecord(kind, rule), "") }

// takeBack adds a remark, and marks all records that follow as taken back.
func (t *translator) takeBack(id, text string) {
	t.add(sources.SystemRecord("informational", text), id+".revert")
	t.Complete = func(r *transcript.Record) { sources.Rare(r).TakenBack = true }
}

// message translates a message and its parts.
func (t *translator) message(info, parts jsontext.Value) {
	var o sources.Object
	o.Read(info)
	id := o.Text("id")
	if session := o.Text("sessionID"); session != "" && t.SessionID == "" {
		t.SessionID = session
	}
	if path := transcript.Field(o.Get("path"), "cwd"); t.CWD == "" {
		t.CWD = transcript.String(path)
	}
	t.time(transcript.Field(o.Get("time"), "created"))
	if id != "" && id == t.reverts {
		if t.partly {
			defer t.takeBack(id, "The end of this message and what follows were taken back")
		} else {
			t.takeBack(id, "What follows was taken back")
		}
	}
	added := t.Added()
	switch o.Text("role") {
	case "user":
		t.user(&o, parts)
	case "assistant":
		t.answer(&o, parts)
	default:
		t.add(transcript.Record{Type: "message"}, id)
	}
	if t.Added() == added {
		t.hide("message", empty)
	}
}
