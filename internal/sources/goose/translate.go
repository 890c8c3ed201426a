package goose

import (
	"cmp"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// The rules that hide records, in addition to those shared by all writers.
const (
	tokens        = "token counts"
	empty         = "empty messages"
	repeatedCalls = "repeated calls"
	repeatedText  = "repeated texts" // the last prompt, after a compaction
	progress      = "progress"
	streamed      = "parts of texts" // the line after the last part has the whole text
)

// A translator turns the values of one file into records.
type translator struct {
	sources.Builder
	calls   map[string]string // the tools of calls, by their ids
	listed  bool              // the file lists what each request used
	counted spent             // by answers so far
	begun   message           // of a stream: the answer that the last lines have parts of
	texts   []string          // its parts
}

// Translate turns a description of a session, a message or a whole session into records.
func (t *translator) Translate(pos transcript.Pos, v jsontext.Value) ([]transcript.Record, []transcript.Problem) {
	t.Begin(pos, v)
	var o sources.Object
	o.Read(v)
	conversation := o.Get("conversation", "messages")
	switch {
	case o.Get("type") != nil && o.Get("role") == nil:
		t.event(&o)
		return t.Done(o.Text("type"))
	case o.Get("damaged") != nil:
		t.Problem("row " + o.Text("row") + ": its content is not JSON")
		return t.Done("message")
	case transcript.Kind(o.Get("usage")) == '{' && o.Get("role") == nil && o.Get("working_dir") == nil:
		t.used(o.Get("usage"))
		return t.Done("usage")
	case o.Get("role") != nil:
		t.message(newMessage(v))
		return t.Done("message")
	case o.Get(rowHead, "working_dir", "message_count") == nil && conversation == nil:
		return t.Done("message")
	}
	run := o.Get("metadata") // of the output of a run, which has no description
	if run == nil {
		t.head(&o)
	}
	var all []message
	for e := range transcript.Elements(conversation) {
		all = append(all, newMessage(e))
	}
	markCompactions(all)
	i := 0
	for range t.Parts(conversation) {
		t.message(all[i])
		i++
	}
	t.all(&o)
	if run != nil {
		t.Value = run
		t.Remark("", "Run ended", "status", transcript.String(transcript.Field(run, "status")),
			"tokens", transcript.Field(run, "total_tokens"))
	}
	return t.Done("session")
}

// unnamed are the names of sessions that nobody has named.
var unnamed = map[string]bool{
	"": true, "acp session": true, "cli session": true, "delegated task": true, "new chat": true, "new session": true,
	"new session 1": true, "subagent task": true, "terminal session": true,
}

// agentType is the type of a session that another one delegated a task to.
const agentType = "sub_agent"

// head translates the description of a session. Settings of extensions, which may have keys, are left out.
func (t *translator) head(o *sources.Object) {
	t.SessionID, t.CWD = o.Text(rowHead, "id"), o.Text("working_dir")
	t.listed, t.counted = o.Get("lists_requests") != nil, spent{}
	kind, parent := o.Text("session_type"), o.Text("parent_session_id")
	isAgent := kind == agentType && parent != "" && parent != t.SessionID
	if isAgent {
		t.SessionID, t.AgentID = parent, t.SessionID
	}
	t.setTime(o.Get("created_at"))
	t.Model = transcript.String(transcript.Field(o.Get("model_config"), "model_name"))
	whole := t.Value
	t.Value = sources.Make("session", o.Text(rowHead, "id"), "name", o.Text("name"))
	text := "Session started"
	if isAgent {
		text = "Agent started"
	}
	mode := o.Text("goose_mode")
	t.Remark("", text, "folder", t.CWD, "kind", strings.ReplaceAll(kind, "_", " "), "provider", o.Text("provider_name"),
		"model", t.Model, "schedule", o.Text("schedule_id"))
	if t.Model != "" || mode != "" {
		t.Settings("model", t.Model, "mode", mode)
	}
	if recipe := o.Get("recipe"); transcript.Kind(recipe) == '{' {
		t.Remark("", sources.About("Recipe", transcript.String(transcript.Field(recipe, "title"))),
			"recipe", recipe, "values", o.Get("user_recipe_values"))
	}
	named := o.Text("user_set_name") == "1" || string(o.Get("user_set_name")) == "true"
	if title := cmp.Or(o.Text("name"), o.Text("description")); named || !unnamed[strings.ToLower(title)] {
		t.Add(sources.TitleRecord(title, !named))
	}
	t.Value = whole
	t.Time = time.Time{}
}

// setTime sets the time of the records that follow, from seconds or milliseconds since 1970 or from a text of SQLite.
func (t *translator) setTime(v jsontext.Value) {
	if n := sources.Number(v); transcript.Kind(v) == '0' && n > 0 && n <= firstMilliseconds {
		v = jsontext.Value(strconv.FormatInt(n*1000, 10))
	}
	at, ok := timeOf(v)
	if ok {
		v = sources.Quote(at.Format(time.RFC3339Nano))
	}
	t.SetTime(v)
}

// timeOf reads a time as SQLite writes it, in UTC: "2026-05-01 08:00:00".
func timeOf(v jsontext.Value) (time.Time, bool) {
	at, err := time.Parse("2006-01-02 15:04:05", transcript.String(v))
	return at, err == nil
}
