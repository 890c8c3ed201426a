package sweagent

import (
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
	demonstrations = "demonstrations" // of another task, as examples for the model
	empty          = "empty messages"
)

// A translator turns a document into records.
type translator struct {
	sources.Builder
	key     string // identifies the document in the ids of records
	message int    // the number of the message, from 1
	parts   int    // number of its records
	added   string // the id of the last record

	asked bool     // the task was drawn
	open  []string // the ids of the calls without result, in order
	calls int

	skipped []int // the records of results that say that a command did not run, since the last answer
}

// keyLength is how many bytes of a document identify it.
const keyLength = 4096

// Translate turns a trajectory into records, or one message of a list, as old versions of mini-swe-agent write.
func (t *translator) Translate(pos transcript.Pos, v jsontext.Value) ([]transcript.Record, []transcript.Problem) {
	var doc, info sources.Object
	doc.Read(v)
	if doc.Get("role") != nil {
		t.begin(pos, v)
		t.element(v)
		return t.Done("message")
	}
	*t = translator{}
	t.begin(pos, v)
	info.Read(doc.Get("info"))
	t.Model = modelOf(&doc, &info)
	t.CWD = firstFolder(doc.Get("trajectory"))
	t.Remark("", headWords(&doc, &info))
	list := doc.Get("history", "messages")
	for at, e := range sources.ElementsIn(pos, v, list) {
		t.Pos, t.Value, t.Time = at, e, time.Time{}
		t.element(e)
	}
	t.last(doc.Get("trajectory"))
	t.message, t.parts, t.Value = t.message+1, 0, doc.Get("info")
	t.end(&info)
	return t.Done("trajectory")
}

// begin begins with a value of the file, whose first value identifies it.
func (t *translator) begin(pos transcript.Pos, v jsontext.Value) {
	t.Complete = t.fill
	t.Begin(pos, v)
	if t.key == "" {
		sum := fnv.New64a()
		_, _ = sum.Write(v[:min(len(v), keyLength)])
		t.key = strconv.FormatUint(sum.Sum64(), 36)
	}
}

// element translates a message of a list.
func (t *translator) element(e jsontext.Value) {
	t.message, t.parts = t.message+1, 0
	before := t.Added()
	t.take(e)
	if t.Added() == before {
		t.Hide("message", empty)
	}
}

// headWords returns a line that says what wrote a trajectory, and where it ran.
func headWords(doc, info *sources.Object) string {
	if version := info.Text("mini_version"); version != "" || doc.Get("trajectory_format") != nil {
		return strings.TrimSpace("A trajectory of mini-swe-agent " + version)
	}
	if env := doc.Text("environment"); env != "" {
		return "A trajectory of SWE-agent in the environment " + env
	}
	return "A trajectory of SWE-agent"
}

// modelOf returns the configured model, which older trajectories do not name.
func modelOf(doc, info *sources.Object) string {
	replay := doc.Get("replay_config")
	if transcript.Kind(replay) == '"' { // as JSON in a text
		replay = jsontext.Value(transcript.String(replay))
	}
	name := transcript.String(transcript.Field(transcript.Field(transcript.Field(replay, "agent"), "model"), "name"))
	if name == "" {
		model := transcript.Field(transcript.Field(info.Get("config"), "model"), "model_name")
		name = transcript.String(model)
	}
	return name
}

// firstFolder returns the working directory after the first command of a trajectory.
func firstFolder(trajectory jsontext.Value) string {
	for step := range transcript.Elements(trajectory) {
		state := transcript.Field(step, "state")
		if transcript.Kind(state) == '"' {
			state = jsontext.Value(transcript.String(state))
		}
		if dir := transcript.String(transcript.Field(state, "working_dir")); dir != "" {
			return dir
		}
	}
	return ""
}

// fill fills in what all records share.
func (t *translator) fill(r *transcript.Record) {
	t.parts++
	r.UUID = "m" + strconv.Itoa(t.message) + "." + strconv.Itoa(t.parts) + "@" + t.key
	r.ParentUUID, t.added = t.added, r.UUID
}

// end translates how the run ended, its cost, and the patch that was submitted.
func (t *translator) end(info *sources.Object) {
	var took sources.Object
	took.Read(info.Get("model_stats"))
	status, patch := info.Text("exit_status"), strings.TrimSpace(info.Text("submission"))
	if status == "" && patch == "" && len(took) == 0 {
		return
	}
	subtype := "error_" + status
	if strings.EqualFold(status, "submitted") {
		subtype = "success"
	} else if inner, ok := strings.CutPrefix(status, "submitted ("); ok { // by the program, after an error
		subtype = "error_" + strings.TrimSuffix(inner, ")")
	}
	if status == "" {
		subtype = ""
	}
	answer := ""
	if patch != "" {
		fence := "```"
		for strings.Contains(patch, fence) {
			fence += fence
		}
		answer = fence + "diff\n" + patch + "\n" + fence
	}
	usage := sources.Make(
		"input_tokens", sources.Number(took.Get("tokens_sent")),
		"output_tokens", sources.Number(took.Get("tokens_received")),
	)
	cost := took.Get("instance_cost")
	raw := sources.Make("type", "result", "subtype", subtype, "result", answer,
		"num_turns", sources.Number(took.Get("api_calls")), "usage", usage, "total_cost_usd", cost)
	t.Add(transcript.Record{Type: "result", Subtype: subtype, Raw: raw})
}
