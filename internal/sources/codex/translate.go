package codex

import (
	"strconv"
	"time"

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
	head    head
	heads   int // number of session heads so far
	replay  replay
	now     settings // of the current turn
	told    settings // settings that were drawn last
	stamp   time.Time
	pos     transcript.Pos
	value   jsontext.Value
	records []transcript.Record

	parent   string   // the id of the last record
	anchors  []string // the id of the record before each prompt that was not rolled back
	requests int      // number of requests so far
	answered bool     // something was sent to the model since its last answer
	counted  bool     // the tokens of the last request are known, or it belongs to an earlier turn
	usage    usage

	calls      map[string]*call // by id: calls without result, and what events said about them
	duplicates duplicates

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
	t.pos, t.value, t.records = pos, v, t.records[:0]
	t.line.ReadWith(v, "payload", &t.payload)
	t.stamp = time.Time{}
	var problems []transcript.Problem
	if s := t.line.Text("timestamp"); s != "" {
		at, err := time.Parse(time.RFC3339Nano, s)
		if err != nil {
			text := "timestamp: cannot read the time " + strconv.Quote(cut(s))
			problems = append(problems, transcript.Problem{Text: text})
		} else {
			t.stamp = at.UTC()
		}
	}
	payload := t.line.Get("payload")
	if transcript.Kind(payload) != '{' {
		t.bare()
		return t.records, problems
	}
	kind := t.line.Text("type")
	t.replay.see(t, kind)
	switch kind {
	case "session_meta":
		t.sessionMeta(payload)
	case "turn_context":
		t.turnContext()
	case "response_item":
		t.item(payload)
	case "event_msg":
		t.event(payload)
	case "compacted":
		t.compacted()
	case "realtime_item":
		t.spoken()
	case "token_usage_record":
		t.usageRecord()
	case "world_state", "inter_agent_communication_metadata", "inter_agent_communication", "retained_context",
		"security_risk_score":
		t.hide(kind, bookkeeping)
	default:
		t.add(transcript.Record{Type: kind})
	}
	return t.records, problems
}

func cut(s string) string { return s[:min(len(s), 40)] }

// add adds a record and fills in what all records of the file share.
func (t *translator) add(r transcript.Record) *transcript.Record {
	h := &t.head
	r.UUID = "o" + strconv.FormatInt(t.pos.Offset, 36) + "." + strconv.Itoa(len(t.records)) + "@" + h.id
	r.ParentUUID = t.parent
	r.SessionID, r.CWD, r.GitBranch, r.Version = h.id, h.cwd, h.branch, h.version
	if h.parent != "" {
		r.SessionID, r.AgentID, r.IsSidechain = h.parent, h.id, true
	}
	r.Timestamp = t.stamp
	if t.replay.on && t.head.parent != "" {
		sources.Rare(&r).Hidden = inherited
	}
	t.parent = r.UUID
	t.records = append(t.records, r)
	return &t.records[len(t.records)-1]
}

// hide adds a record that is hidden by the named rule.
func (t *translator) hide(kind, rule string) {
	t.add(sources.HiddenRecord(kind, rule))
}

// leave returns what is kept of a value that is not read.
func leave(kind string) jsontext.Value { return sources.Make("type", kind) }

// user adds a record with the role of the user.
func (t *translator) user(is transcript.TextKind, blocks ...transcript.Block) *transcript.Record {
	if len(blocks) == 0 {
		blocks = []transcript.Block{t.text("")}
	}
	if is == transcript.PromptText && !t.replay.hides(t) {
		t.anchors = append(t.anchors, t.parent)
	}
	t.answered = true
	t.counted = t.counted || is == transcript.PromptText
	return t.add(sources.UserRecord(is, blocks...))
}

// assistant adds a block that the model wrote.
func (t *translator) assistant(block transcript.Block) *transcript.Record {
	if t.requests == 0 || t.answered {
		t.requests++
		t.answered, t.counted = false, false
	}
	m := &transcript.Message{ID: t.request(), Role: "assistant", Model: t.now.model, Content: []transcript.Block{block}}
	return t.add(transcript.Record{Type: "assistant", Message: m})
}

// request returns the id of the request that is being answered.
func (t *translator) request() string { return "r" + strconv.Itoa(t.requests) + "@" + t.head.id }

func (t *translator) text(s string) transcript.Block {
	return transcript.Block{Type: "text", Raw: t.value, Text: s}
}

// system adds a remark of the program. The pairs are the members of its raw value that pages show.
func (t *translator) system(subtype, text string, pairs ...any) *transcript.Record {
	return t.add(sources.SystemRecord(subtype, text, pairs...))
}

// remark adds a line that the program wrote. level is "", "warning" or "error".
func (t *translator) remark(level, text string, pairs ...any) *transcript.Record {
	r := t.system("informational", text, pairs...)
	if level != "" {
		sources.Rare(r).Level = level
	}
	return r
}

// failed adds a record of a request that failed.
func (t *translator) failed(text string) {
	t.add(sources.FailureRecord(t.text(text)))
}
