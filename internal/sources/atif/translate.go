package atif

import (
	"cmp"
	"hash/fnv"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// The rules that hide records.
const (
	copied = "copied context"
	empty  = "empty messages"
)

// A translator turns a document into records, one trajectory after the other.
type translator struct {
	places sources.Places // of the document

	session, cwd string
	key          string // identifies the document in the ids of records
	records      []transcript.Record
	problems     []transcript.Problem

	// Fields of the trajectory.
	path   string // "", or "1.2." for the second agent of the first one
	model  string
	branch string
	agent  bool   // the trajectory is inside another one
	caller string // the call that started it
	parent string // the id of the last record
	asked  bool   // there was a prompt
	steps  int

	// Fields of the step.
	at    transcript.Pos
	value jsontext.Value
	stamp time.Time
	id    string // of the step
	parts int    // number of records of the step
}

// Translate turns a trajectory into records.
func (t *translator) Translate(pos transcript.Pos, v jsontext.Value) ([]transcript.Record, []transcript.Problem) {
	*t = translator{places: sources.Places{Pos: pos, Value: v}, records: t.records[:0]}
	t.trajectory(v)
	return t.records, t.problems
}

// trajectory translates a trajectory and the agents in it.
func (t *translator) trajectory(v jsontext.Value) {
	var doc, agent sources.Object
	doc.Read(v)
	agent.Read(doc.Get("agent"))
	if !t.agent {
		t.session = doc.Text("session_id")
		t.key = strings.Trim(t.session+"/"+doc.Text("trajectory_id"), "/")
		if t.key == "" {
			sum := fnv.New64a()
			_, _ = sum.Write(v[:min(len(v), keyLength)])
			t.key = strconv.FormatUint(sum.Sum64(), 36)
		}
	}
	version := strings.TrimSpace(agent.Text("name") + " " + agent.Text("version"))
	t.model = agent.Text("model_name")
	more := agent.Get("extra")
	if cwd := transcript.String(transcript.Field(more, "cwd")); cwd != "" {
		t.cwd = cwd
	}
	t.branch = ""
	for e := range transcript.Elements(transcript.Field(more, "git_branches")) {
		t.branch = transcript.String(e)
	}
	t.at, t.value, t.id, t.stamp = t.places.Pos, v, "head", time.Time{}
	t.parts = 0
	if !t.agent {
		named := sources.SystemRecord("informational", "A trajectory of "+cmp.Or(version, "an agent without a name"))
		t.add(named).Version = version
	}
	t.parent, t.asked, t.steps = "", false, 0

	callers := make(map[string]string) // the call that started an agent, by the id of the agent's trajectory
	counted := false
	for pos, e := range t.places.Elements(doc.Get("steps")) {
		t.at, t.value = pos, e
		var s sources.Object
		s.Read(e)
		counted = t.step(&s, callers) || counted
	}
	t.value, t.id, t.parts = v, "end", 0
	t.remark(doc.Text("notes"))
	if next := doc.Text("continued_trajectory_ref"); next != "" {
		t.remark("The trajectory goes on in " + next)
	}
	if final := doc.Get("final_metrics"); !counted && !t.agent && final != nil {
		t.totals(final)
	}
	n := 0
	for pos, e := range t.places.Elements(doc.Get("subagent_trajectories")) {
		n++
		inner := *t
		inner.at, inner.agent = pos, true
		inner.path += strconv.Itoa(n) + "."
		inner.caller = callers[transcript.String(transcript.Field(e, "trajectory_id"))]
		inner.trajectory(e)
		t.records, t.problems = inner.records, inner.problems
	}
}

// totals adds the tokens of all requests of a trajectory if its steps have none.
func (t *translator) totals(final jsontext.Value) {
	var o sources.Object
	o.Read(final)
	in, cached := sources.Number(o.Get("total_prompt_tokens")), sources.Number(o.Get("total_cached_tokens"))
	out := sources.Number(o.Get("total_completion_tokens"))
	if in+out == 0 {
		return
	}
	usage := sources.Make("input_tokens", max(0, in-cached), "cache_read_input_tokens", cached, "output_tokens", out)
	raw := sources.Make("type", "result", "usage", usage, "total_cost_usd", o.Get("total_cost_usd"))
	t.add(transcript.Record{Type: "result", Raw: raw})
}

// add adds a record of the step and fills in what all records share.
func (t *translator) add(r transcript.Record) *transcript.Record {
	r.Pos = t.at
	if r.Raw == nil {
		r.Raw = t.value
	}
	t.parts++
	r.UUID = t.name(t.id + "-" + strconv.Itoa(t.parts))
	r.ParentUUID, r.SessionID, r.Timestamp = t.parent, t.session, t.stamp
	r.CWD, r.GitBranch = t.cwd, t.branch
	if t.agent {
		r.IsSidechain = true
		sources.Rare(&r).ParentToolUseID = t.caller
	}
	t.parent = r.UUID
	t.records = append(t.records, r)
	return &t.records[len(t.records)-1]
}

// name returns an id for something in the trajectory that is unique among documents.
func (t *translator) name(id string) string { return t.path + id + "@" + t.key }

// keyLength is how many bytes identify a document without an id: its beginning, which stays the same when steps are
// added.
const keyLength = 2048

func (t *translator) problem(text string) {
	t.problems = append(t.problems, transcript.Problem{Pos: t.at, Text: text})
}

// remark adds a line that the program wrote.
func (t *translator) remark(text string) {
	if strings.TrimSpace(text) != "" {
		t.add(sources.SystemRecord("informational", text))
	}
}

// time reads a time. Times without a zone are UTC.
func (t *translator) time(s string) time.Time {
	if s == "" {
		return time.Time{}
	}
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999"} {
		if at, err := time.Parse(layout, s); err == nil {
			return at.UTC()
		}
	}
	t.problem("timestamp: want a time, got " + strconv.Quote(s[:min(len(s), 40)]))
	return time.Time{}
}
