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
	sources.Builder
	trajectory
	places sources.Places // of the document
	key    string         // identifies the document in the ids of records

	// Fields of the step.
	id    string
	parts int // number of records

	denied map[string]string // why calls did not run, by id
}

// A trajectory is the one that is translated, which may be inside another one.
type trajectory struct {
	path   string // "", or "1.2." for the second agent of the first one
	branch string
	agent  bool   // the trajectory is inside another one
	caller string // the call that started it
	parent string // the id of the last record
	asked  bool   // there was a prompt
	priced bool   // a step has a cost
	steps  int
}

// Translate turns a trajectory into records.
func (t *translator) Translate(pos transcript.Pos, v jsontext.Value) ([]transcript.Record, []transcript.Problem) {
	*t = translator{Builder: t.Builder, places: sources.Places{Pos: pos, Value: v}}
	t.CWD, t.Complete = "", t.fill
	t.Begin(pos, v)
	t.document(v)
	return t.Done("")
}

// document translates a trajectory and the agents in it.
func (t *translator) document(v jsontext.Value) {
	var doc, agent sources.Object
	doc.Read(v)
	agent.Read(doc.Get("agent"))
	if !t.agent {
		t.SessionID = doc.Text("session_id")
		t.key = strings.Trim(t.SessionID+"/"+doc.Text("trajectory_id"), "/")
		if t.key == "" {
			sum := fnv.New64a()
			_, _ = sum.Write(v[:min(len(v), keyLength)])
			t.key = strconv.FormatUint(sum.Sum64(), 36)
		}
	}
	version := strings.TrimSpace(agent.Text("name") + " " + agent.Text("version"))
	t.Model = agent.Text("model_name")
	more := agent.Get("extra")
	if cwd := transcript.String(transcript.Field(more, "cwd")); cwd != "" {
		t.CWD = cwd
	}
	t.branch = ""
	for e := range transcript.Elements(transcript.Field(more, "git_branches")) {
		t.branch = transcript.String(e)
	}
	t.Pos, t.Value, t.Time = t.places.Pos, v, time.Time{}
	t.id, t.parts = "head", 0
	if !t.agent {
		t.Remark("", "A trajectory of "+cmp.Or(version, "an agent without a name")).Version = version
	}
	t.parent, t.asked, t.priced, t.steps = "", false, false, 0

	callers := make(map[string]string) // the call that started an agent, by the id of the agent's trajectory
	counted := false
	for pos, e := range t.places.Elements(doc.Get("steps")) {
		t.Pos, t.Value = pos, e
		var s sources.Object
		s.Read(e)
		counted = t.step(&s, callers) || counted
	}
	t.Value, t.id, t.parts = v, "end", 0
	t.remark(doc.Text("notes"))
	if next := doc.Text("continued_trajectory_ref"); next != "" {
		t.System("continued", "The trajectory goes on in "+next, "file", next)
	}
	n := 0
	for e := range transcript.Elements(doc.Get("subagent_trajectories")) {
		n++
		outer, cwd := t.trajectory, t.CWD
		t.agent = true
		t.path += strconv.Itoa(n) + "."
		t.caller = callers[transcript.String(transcript.Field(e, "trajectory_id"))]
		t.document(e)
		t.trajectory, t.CWD = outer, cwd
	}
	if final := doc.Get("final_metrics"); !t.agent && final != nil { // after all that its cost includes
		t.Value, t.id, t.parts = v, "total", 0
		t.totals(final, counted)
	}
}

// totals adds the tokens of all requests of a trajectory if its steps have none, and its cost if no step has one.
func (t *translator) totals(final jsontext.Value, counted bool) {
	var o sources.Object
	o.Read(final)
	all := []any{"type", "result"}
	in, cached := sources.Number(o.Get("total_prompt_tokens")), sources.Number(o.Get("total_cached_tokens"))
	out := sources.Number(o.Get("total_completion_tokens"))
	if !counted && in+out > 0 {
		written := sources.Number(transcript.Field(o.Get("extra"), "cache_creation_tokens"))
		all = append(all, "usage", sources.Make("input_tokens", max(0, in-cached-written), "output_tokens", out,
			"cache_read_input_tokens", cached, "cache_creation_input_tokens", written))
	}
	if !t.priced && stated(&o, "total_cost_usd") > 0 {
		all = append(all, "total_cost_usd", o.Get("total_cost_usd"))
	}
	if len(all) > 2 {
		t.Add(transcript.Record{Type: "result", Raw: sources.Make(all...)})
	}
}

// fill completes a record.
func (t *translator) fill(r *transcript.Record) {
	t.parts++
	r.UUID = t.name(t.id + "-" + strconv.Itoa(t.parts))
	r.ParentUUID, t.parent = t.parent, r.UUID
	r.GitBranch = t.branch
	if t.agent {
		r.IsSidechain = true
		sources.Rare(r).ParentToolUseID = t.caller
	}
}

// name returns an id for something in the trajectory that is unique among documents.
func (t *translator) name(id string) string { return t.path + id + "@" + t.key }

// keyLength is how many bytes identify a document without an id: its beginning, which stays the same when steps are
// added.
const keyLength = 2048

// remark adds a line that the program wrote.
func (t *translator) remark(text string) {
	if strings.TrimSpace(text) != "" {
		t.Remark("", text)
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
	t.Problem("timestamp: want a time, got " + strconv.Quote(sources.Beginning(s, 40)))
	return time.Time{}
}
