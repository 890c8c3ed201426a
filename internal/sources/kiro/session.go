package kiro

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// A session is what the document beside a log says.
type session struct {
	turns   map[string]turn // by the id of the last message
	credits float64         // that events have so far
	copied  time.Time       // what came before is a copy of another session, zero if nothing is
}

// A turn is what a document says of a prompt and all that the model did for it.
type turn struct {
	value   jsontext.Value
	credits float64 // up to its end
}

// begin translates what the document beside a log says of the session. prompt is the first prompt.
func (t *translator) begin(v jsontext.Value, prompt string) {
	var p sources.Object
	p.Read(v)
	if p.Get("unread") != nil {
		t.Problem("the document next to the log cannot be read")
	}
	t.CWD, t.Model = p.Text("cwd"), p.Text("model")
	t.SessionID = p.Text("id")
	what := "Session started"
	parent := p.Text("parent_session_id")
	if parent == t.SessionID {
		parent = ""
	}
	if parent != "" {
		t.SessionID, t.AgentID, what = parent, t.SessionID, "Agent started"
	}
	t.turns = make(map[string]turn)
	sum := 0.0
	for e := range transcript.Elements(p.Get("turns")) {
		sum += sources.Dollars(transcript.Field(e, "credits"))
		if id := transcript.String(transcript.Field(e, "last")); id != "" {
			t.turns[id] = turn{slices.Clone(e), sum}
		}
	}
	t.SetTime(p.Get("created"))
	if p.Get("copied_from") != nil {
		t.copied = t.Time
	}
	t.Value = sources.Make(sessionMember, t.SessionID)
	from := p.Text("copied_from")
	t.Remark("", what, "folder", t.CWD, "agent", p.Text("agent"), "started by", parent, "copied from", from).
		LineageID = from
	if title := p.Text("title"); title != "" && !strings.HasPrefix(strings.TrimSpace(prompt), title) {
		t.Add(sources.TitleRecord(title, true))
	}
	if t.Model != "" || p.Text("effort") != "" {
		t.Settings("model", t.Model, "effort", p.Text("effort"))
	}
	t.Time = time.Time{}
}

// ends sets the time of a message with which a turn ends, and its model. It returns that turn.
func (t *translator) ends(id string) (turn, bool) {
	u, ok := t.turns[id]
	if !ok || id == "" {
		return u, false
	}
	delete(t.turns, id) // a later copy of the message ends nothing
	t.SetTime(transcript.Field(u.value, "ended"))
	t.Model = cmp.Or(transcript.String(transcript.Field(u.value, "model")), t.Model)
	return u, true
}

// ended adds what the document says of a turn.
func (t *translator) ended(u turn) {
	var p sources.Object
	p.Read(u.value)
	used := transcript.Usage{
		Input: sources.Number(p.Get("input")), Output: sources.Number(p.Get("output")),
		CacheRead: sources.Number(p.Get("cacheRead")), CacheWrite: sources.Number(p.Get("cacheWrite")),
	}
	if used != (transcript.Usage{}) {
		t.Used(used, tokens)
	}
	if text := p.Text("error"); text != "" {
		t.Fail("The turn failed: " + text)
	} else if reason := p.Text("reason"); reason != "" && reason != "UserTurnEnd" {
		t.Remark("", "Turn ended: "+reason)
	}
	t.duration(sources.Number(p.Get("ms")), u.credits)
}

// duration adds how long a turn took, and the credits that the session has used by then.
func (t *translator) duration(ms int64, credits float64) {
	r := t.System("turn_duration", "", "durationMs", ms)
	sources.Rare(r).Credits = []transcript.Credit{{Unit: "credits", Used: credits}}
}
