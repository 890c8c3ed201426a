package inspect

import (
	"cmp"
	"maps"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// empty is the rule that hides messages without content.
const empty = "empty messages"

// A translator turns a sample, or all samples of a log, into records.
type translator struct {
	sources.Builder
	places sources.Places // of the document
	task   string
	run    string // identifies the run in the ids of records
	short  string // the beginning of its id
	agent  string // the version of the program

	about   []any                     // what else the log says of the evaluation, as pairs
	metrics string                    // of the whole evaluation
	reduced map[string]jsontext.Value // see reducedScores

	// Fields of the sample.
	key         string
	attachments map[string]jsontext.Value
	requests    map[string]*request // by the id of their answer, or else by its text
	results     map[string]time.Time
	declined    map[string]bool // the calls that a human rejected
	asked       bool

	// Fields of the message.
	message int
	parts   int
}

// A request is what an event says about a request.
type request struct {
	at    time.Time
	model string
	usage sources.Object
	stop  string
}

// Translate turns a document into records.
func (t *translator) Translate(pos transcript.Pos, v jsontext.Value) ([]transcript.Record, []transcript.Problem) {
	*t = translator{places: sources.Places{Pos: pos, Value: v}}
	t.Complete = t.fill
	t.Begin(pos, v)
	var log, eval sources.Object
	log.Read(v)
	eval.Read(log.Get("eval"))
	t.task, t.Model = eval.Text("task"), eval.Text("model")
	t.run = cmp.Or(eval.Text("eval_id"), eval.Text("run_id")+"."+eval.Text("task_id"))
	t.short = cmp.Or(eval.Text("task_id"), t.run)
	t.short = sources.Beginning(t.short, 8)
	t.agent = transcript.String(transcript.Field(eval.Get("packages"), "inspect_ai"))
	revision := eval.Get("revision")
	t.about = []any{
		"version of the program", t.agent, "file of the task", eval.Text("task_file"),
		"dataset", transcript.String(transcript.Field(eval.Get("dataset"), "name")),
		"repository", sources.RepositoryOf(transcript.String(transcript.Field(revision, "origin"))),
		"commit", transcript.String(transcript.Field(revision, "commit")),
	}
	repeated := sources.Number(transcript.Field(eval.Get("config"), "epochs")) > 1
	if sample := log.Get("sample"); sample != nil {
		t.metrics = resultsOf(log.Get("scores"))
		reduced := log.Get("reduced")
		if id := transcript.TextOf(transcript.Field(sample, "id")); repeated || transcript.Kind(reduced) == '"' {
			t.reduced = map[string]jsontext.Value{id: reduced}
		}
		t.sample(t.places.Of(sample), sample)
		return t.Done("evaluation")
	}
	t.metrics = resultsOf(transcript.Field(log.Get("results"), "scores"))
	if repeated {
		t.reduced = reducedScores(reductionsIn(&log))
	}
	for at, e := range t.places.Elements(log.Get("samples")) {
		t.sample(at, e)
	}
	if t.Added() == 0 {
		t.key = t.run
		status := log.Text("status")
		t.Remark("", "An evaluation of "+cmp.Or(t.task, "a task")+" without samples: "+status)
		failure := transcript.String(transcript.Field(log.Get("error"), "message"))
		t.fail(failure)
	}
	return t.Done("evaluation")
}

// sample translates a sample.
func (t *translator) sample(at transcript.Pos, v jsontext.Value) {
	var s sources.Object
	s.Read(v)
	t.Pos, t.Value, t.Time, t.message, t.parts = at, v, time.Time{}, 0, 0
	id, epoch := transcript.TextOf(s.Get("id")), transcript.TextOf(s.Get("epoch"))
	t.key = sampleName(id, epoch) + "@" + t.run
	t.asked = false
	if t.SessionID = s.Text("uuid"); t.SessionID == "" {
		t.SessionID = t.short + "-" + id + "-" + epoch
	}
	t.attachments = maps.Collect(transcript.Members(s.Get("attachments")))
	t.events(&s)
	head := "Sample " + id + ", epoch " + epoch + ", of " + cmp.Or(t.task, "a task")
	t.Remark("", head, t.about...).Version = t.agent
	t.Add(sources.TitleRecord(t.title(id, epoch, s.Get("scores")), true))
	if target := s.Get("target"); target != nil && transcript.TextOf(target) != "" {
		t.Remark("", "Target: "+strings.TrimSpace(t.words(target)))
	}
	if t.metrics != "" {
		t.Remark("", "Results of the evaluation: "+t.metrics)
	}
	for at, e := range t.places.Elements(s.Get("messages")) {
		t.Pos, t.Value, t.Time, t.parts = at, e, time.Time{}, 0
		t.message++
		before := t.Added()
		t.take(e)
		if t.Added() == before {
			t.Hide("message", empty)
		}
	}
	t.Pos, t.Value, t.Time, t.parts = at, v, time.Time{}, 0
	t.message++
	t.fail(transcript.String(transcript.Field(s.Get("error"), "message")))
	t.end(&s)
}

// title returns a title for a sample with its scores. All samples of a task may have the same prompt.
func (t *translator) title(id, epoch string, scores jsontext.Value) string {
	title := cmp.Or(t.task, "Sample") + " " + id
	if epoch != "" && epoch != "1" {
		title += " (epoch " + epoch + ")"
	}
	var values []string
	for name, score := range transcript.Members(scores) {
		value := transcript.Field(score, "value")
		kind, text := transcript.Kind(value), transcript.TextOf(value)
		if kind != '{' && kind != '[' && len(text) <= longestScore {
			values = append(values, name+" "+text)
		}
	}
	if len(values) > 0 {
		title += ": " + strings.Join(values, ", ")
	}
	return title
}

// longestScore limits the length of a score in a title, in bytes.
const longestScore = 24

// stopReasons are the names that the API of Anthropic has for reasons of an end.
var stopReasons = map[string]string{"model_length": "model_context_window_exceeded", "content_filter": "refusal"}

// events reads the times and tokens of requests and calls from the events of a sample.
func (t *translator) events(s *sources.Object) {
	t.requests, t.results, t.declined = make(map[string]*request), make(map[string]time.Time), make(map[string]bool)
	events := transcript.Or(s.Get("events"), transcript.Field(s.Get("transcript"), "events"))
	for e := range transcript.Elements(events) {
		var event sources.Object
		event.Read(e)
		end, ok := sources.TimeOf(event.Get("completed"))
		if !ok {
			end, _ = sources.TimeOf(event.Get("timestamp"))
		}
		switch event.Text("event") {
		case "tool":
			t.results[event.Text("id")] = end
		case "approval":
			if event.Text("approver") == "human" && event.Text("decision") != "approve" {
				t.declined[transcript.String(transcript.Field(event.Get("call"), "id"))] = true
			}
		case "model":
			var output sources.Object
			output.Read(event.Get("output"))
			r := &request{at: end, model: event.Text("model")}
			r.usage.Read(output.Get("usage"))
			for choice := range transcript.Elements(output.Get("choices")) {
				r.stop = transcript.String(transcript.Field(choice, "stop_reason"))
				r.stop = cmp.Or(stopReasons[r.stop], r.stop)
				message := transcript.Field(choice, "message")
				key := transcript.String(transcript.Field(message, "id"))
				if key == "" {
					key = "text " + t.words(transcript.Field(message, "content"))
				}
				if t.requests[key] == nil {
					t.requests[key] = r
				}
			}
		}
	}
}

// resolved returns a text, or the attachment that it refers to.
func (t *translator) resolved(s string) string {
	if name, ok := strings.CutPrefix(s, "attachment://"); ok {
		if v := t.attachments[name]; v != nil {
			return transcript.TextOf(v)
		}
	}
	return s
}

// words returns the text of content.
func (t *translator) words(content jsontext.Value) string {
	if transcript.Kind(content) != '[' {
		return t.resolved(transcript.TextOf(content))
	}
	var all []string
	for e := range transcript.Elements(content) {
		if text := transcript.Field(e, "text"); text != nil || transcript.Kind(e) == '"' {
			all = append(all, t.resolved(transcript.String(text)+transcript.String(e)))
		}
	}
	return strings.Join(all, "\n")
}

// fill fills in what all records share.
func (t *translator) fill(r *transcript.Record) {
	t.parts++
	r.UUID = "m" + strconv.Itoa(t.message) + "." + strconv.Itoa(t.parts) + "/" + t.key
	if n := t.Added(); n > 1 {
		r.ParentUUID = t.Record(n - 2).UUID
	}
}

// fail adds an error unless it is empty.
func (t *translator) fail(text string) {
	if strings.TrimSpace(text) != "" {
		t.Fail(text)
	}
}

// end translates the scores of a sample and the tokens of its models.
func (t *translator) end(s *sources.Object) {
	var lines []string
	for name, score := range transcript.Members(s.Get("scores")) {
		var o sources.Object
		o.Read(score)
		line := "Score of " + name + ": **" + transcript.TextOf(o.Get("value")) + "**"
		for _, field := range []string{"answer", "explanation"} {
			if text := strings.TrimSpace(t.words(o.Get(field))); text != "" {
				line += "\n\n" + field + ": " + text
			}
		}
		lines = append(lines, line)
	}
	reduced := t.reduced[transcript.TextOf(s.Get("id"))]
	if unread := transcript.String(reduced); unread != "" {
		lines = append(lines, "The scores over all epochs cannot be read: "+unread)
	}
	for score := range transcript.Elements(reduced) {
		var o sources.Object
		o.Read(score)
		value := transcript.TextOf(o.Get("value"))
		lines = append(lines, "Score of "+o.Text("scorer")+", over all epochs: **"+value+"**")
	}
	var limit sources.Object
	limit.Read(s.Get("limit"))
	if kind := limit.Text("type"); kind != "" {
		lines = append(lines, "Ended by its limit: "+kind+" "+transcript.TextOf(limit.Get("limit")))
	}
	var usage []any
	for model, v := range transcript.Members(s.Get("model_usage")) {
		var u sources.Object
		u.Read(v)
		n := usageOf(&u)
		usage = append(usage, model, sources.Make("inputTokens", n.Input, "outputTokens", n.Output,
			"cacheReadInputTokens", n.CacheRead, "cacheCreationInputTokens", n.CacheWrite))
	}
	if lines == nil && usage == nil {
		return
	}
	subtype := "success"
	switch kind := limit.Text("type"); {
	case s.Get("error") != nil:
		subtype = "error_during_execution"
	case kind == "operator": // the human ended it
		t.User(transcript.InterruptionText, t.Text("[Request interrupted by user]"))
		subtype = ""
	case kind != "":
		subtype = "error_" + kind + "_limit_reached"
	}
	raw := sources.Make("type", "result", "subtype", subtype, "result", strings.Join(lines, "\n\n"),
		"duration_ms", int64(min(1e12, max(0, 1000*sources.Fraction(s.Get("total_time"))))),
		"modelUsage", sources.Make(usage...))
	t.Add(transcript.Record{Type: "result", Subtype: subtype, Raw: raw})
}

// usageOf reads tokens. Those of the input exclude cached tokens, unless the total says otherwise.
func usageOf(u *sources.Object) transcript.Usage {
	n := transcript.Usage{
		Input: sources.Number(u.Get("input_tokens")), Output: sources.Number(u.Get("output_tokens")),
		CacheRead:  sources.Number(u.Get("input_tokens_cache_read")),
		CacheWrite: sources.Number(u.Get("input_tokens_cache_write")),
	}
	if total := sources.Number(u.Get("total_tokens")); n.CacheRead > 0 && total == n.Input+n.Output {
		n.Input = max(0, n.Input-n.CacheRead-n.CacheWrite)
	}
	return n
}
