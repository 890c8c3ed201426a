package codex

import (
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// The rules that hide records, in addition to those shared by all writers.
const (
	mirrored    = "mirrored texts"   // an event that repeats an item
	merged      = "details of calls" // an event that is drawn with the result of its call
	bookkeeping = "bookkeeping"      // turn ids, settings that are the same, counters
	tokens      = "token counts"     // drawn with the answers
	inherited   = "history of another session"
)

// A translator turns the lines of one file into records. It remembers what earlier lines said.
type translator struct {
	sources.Builder
	head   head
	heads  int // number of session heads so far
	replay replay
	now    settings // of the current turn
	told   settings // settings that were drawn last

	parent   string   // the id of the last record
	anchors  []string // the id of the record before each prompt that was not rolled back
	requests int      // number of requests so far
	answered bool     // something was sent to the model since its last answer
	counted  bool     // the tokens of the last request are known, or it belongs to an earlier turn
	usage    usage

	calls      map[string]*call // by id: calls without result, and what events said about them
	duplicates duplicates

	reviewing     bool // between the beginning and the end of a review
	commandsApart bool // commands of the last script are calls of their own

	line, payload, part sources.Object // reused by each line
}

// A head is what the first line says about its session.
type head struct {
	id, parent, forked string
	from               string // the session that it continues or was forked from
	cwd, branch        string
	version, program   string
	start              int64 // the number of the first line that an agent wrote itself, 0 if the file does not say
}

// Translate turns a line into records.
func (t *translator) Translate(pos transcript.Pos, v jsontext.Value) ([]transcript.Record, []transcript.Problem) {
	t.Begin(pos, v)
	t.line.ReadWith(v, "payload", &t.payload)
	t.SetTime(t.line.Get("timestamp"))
	payload := t.line.Get("payload")
	if transcript.Kind(payload) != '{' {
		t.bare()
		return t.Done("")
	}
	kind := t.line.Text("type")
	t.replay.see(t, kind)
	switch kind {
	case "session_meta":
		t.sessionMeta()
	case "turn_context":
		t.turnContext()
	case "response_item":
		t.item()
	case "event_msg":
		t.event()
	case "compacted":
		t.compacted()
	case "realtime_item":
		t.spoken()
	case "token_usage_record":
		t.usageRecord()
	case "world_state", "inter_agent_communication_metadata", "inter_agent_communication", "retained_context",
		"security_risk_score":
		t.Hide(kind, bookkeeping)
	default:
		t.Add(transcript.Record{Type: kind})
	}
	return t.Done(kind)
}

// fill fills in what all records of the file share.
func (t *translator) fill(r *transcript.Record) {
	h := &t.head
	r.UUID = "o" + strconv.FormatInt(t.Pos.Offset, 36) + "." + strconv.Itoa(t.Added()-1) + "@" + h.id
	r.ParentUUID = t.parent
	r.SessionID, r.CWD, r.GitBranch, r.Version = h.id, h.cwd, h.branch, h.version
	if h.parent != "" {
		r.SessionID, r.AgentID, r.IsSidechain = h.parent, h.id, true
	}
	if t.replay.on && t.head.parent != "" {
		sources.Rare(r).Hidden = inherited
	}
	t.parent = r.UUID
}

// leave returns what is kept of a value that is not read.
func leave(kind string) jsontext.Value { return sources.Make("type", kind) }

// user adds a record with the role of the user.
func (t *translator) user(is transcript.TextKind, blocks ...transcript.Block) *transcript.Record {
	if len(blocks) == 0 {
		blocks = []transcript.Block{t.Text("")}
	}
	if is == transcript.PromptText && !t.replay.hides(t) {
		t.anchors = append(t.anchors, t.parent)
	}
	t.answered = true
	t.counted = t.counted || is == transcript.PromptText
	return t.User(is, blocks...)
}

// assistant adds a block that the model wrote.
func (t *translator) assistant(block transcript.Block) *transcript.Record {
	if t.requests == 0 || t.answered {
		t.requests++
		t.answered, t.counted = false, false
	}
	m := &transcript.Message{ID: t.request(), Role: "assistant", Model: t.now.model, Content: []transcript.Block{block}}
	return t.Add(transcript.Record{Type: "assistant", Message: m})
}

// request returns the id of the request that is being answered.
func (t *translator) request() string { return "r" + strconv.Itoa(t.requests) + "@" + t.head.id }
