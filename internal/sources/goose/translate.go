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
)

// A translator turns the values of one file into records.
type translator struct {
	sources.Builder
	calls map[string]string // the tools of calls, by their ids
}

// Translate turns a description of a session, a message or a whole session into records.
func (t *translator) Translate(pos transcript.Pos, v jsontext.Value) ([]transcript.Record, []transcript.Problem) {
	t.Begin(pos, v)
	var o sources.Object
	o.Read(v)
	conversation := o.Get("conversation")
	switch {
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
	t.head(&o)
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
	t.totals(&o)
	return t.Done("session")
}

// unnamed are the names of sessions that nobody has named.
var unnamed = map[string]bool{
	"": true, "acp session": true, "cli session": true, "delegated task": true, "new chat": true, "new session": true,
	"new session 1": true, "subagent task": true, "terminal session": true,
}

// head translates the description of a session. Settings of extensions, which may have keys, are left out.
func (t *translator) head(o *sources.Object) {
	t.SessionID, t.CWD = o.Text(rowHead, "id"), o.Text("working_dir")
	kind, parent := o.Text("session_type"), o.Text("parent_session_id")
	isAgent := kind == "sub_agent" && parent != "" && parent != t.SessionID
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
	byUser := o.Text("user_set_name") == "1" || string(o.Get("user_set_name")) == "true"
	if title := cmp.Or(o.Text("name"), o.Text("description")); byUser || !unnamed[strings.ToLower(title)] {
		t.Add(sources.TitleRecord(title, !byUser))
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

// totals adds the tokens of all requests of a session whose requests are not listed.
func (t *translator) totals(o *sources.Object) {
	var used sources.Object
	used.Read(o.Get("accumulated_usage"))
	names := []string{"input_tokens", "output_tokens", "cache_read_input_tokens", "cache_write_input_tokens"}
	var all [4]int64
	for i, c := range totals {
		all[i] = sources.Number(transcript.Or(o.Get(c.session), used.Get(names[i])))
	}
	t.spend(all, o.Get("accumulated_cost"), true)
}

// used translates what a request used.
func (t *translator) used(v jsontext.Value) {
	var o sources.Object
	o.Read(v)
	var all [4]int64
	for i, c := range totals {
		all[i] = sources.Number(o.Get(c.request))
	}
	if at := o.Get("created"); at != nil {
		t.setTime(at)
	}
	t.Model = cmp.Or(o.Text("model"), t.Model)
	before := t.Added()
	if t.spend(all, o.Get("cost"), string(o.Get("together")) == "true"); t.Added() == before {
		t.Hide("usage", tokens)
	}
}

// spend adds tokens of one request, or of several together. Those of the input include those of the cache.
func (t *translator) spend(all [4]int64, cost jsontext.Value, together bool) {
	u := transcript.Usage{
		Input: max(0, all[0]-all[2]-all[3]), Output: all[1], CacheRead: all[2], CacheWrite: all[3],
	}
	dollars := sources.Dollars(cost)
	if u == (transcript.Usage{}) && dollars == 0 {
		return
	}
	r := t.Used(u, tokens)
	r.Message.Several = together
	sources.Rare(r).CostUSD = dollars
}
