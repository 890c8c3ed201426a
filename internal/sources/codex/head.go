package codex

import (
	"cmp"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// readHead reads the payload of a session_meta line.
func readHead(p sources.Object) head {
	h := head{
		id: p.Text("id"), cwd: p.Text("cwd"), version: p.Text("cli_version"), program: p.Text("originator"),
		parent: p.Text("parent_thread_id"), forked: p.Text("forked_from_id"),
		branch: transcript.String(transcript.Field(p.Get("git"), "branch")),
	}
	if h.parent == "" {
		spawn := transcript.Field(transcript.Field(p.Get("source"), "subagent"), "thread_spawn")
		h.parent = transcript.String(transcript.Field(spawn, "parent_thread_id"))
	}
	h.start = sources.Number(p.Get("subagent_history_start_ordinal"))
	if h.parent == h.id {
		h.parent = ""
	}
	if h.from = transcript.String(transcript.Field(p.Get("history_base"), "thread_id")); h.from == "" {
		h.from = h.forked
	}
	if h.parent != "" || h.from == h.id {
		h.from = ""
	}
	return h
}

// sessionMeta translates the head of a session. The first one belongs to the file. Later ones are written when the
// session is resumed, and for the session whose history was copied.
func (t *translator) sessionMeta() {
	h := readHead(t.payload)
	t.heads++
	if t.heads > 1 {
		switch {
		case h.id != t.head.id && h.id != "":
			t.replay.begin(t)
			if t.head.parent == "" {
				t.Remark("", "The history of another session follows", "session", h.id)
				return
			}
		case h.version != "" && h.version != t.head.version:
			t.head.version = h.version
		}
		t.Hide("session_meta", bookkeeping)
		return
	}
	t.head = h
	p := t.payload
	what := "Session started"
	if agent := transcript.Field(p.Get("source"), "subagent"); agent != nil || h.parent != "" {
		what = "Agent started"
	}
	base := p.Get("history_base")
	from := transcript.String(transcript.Field(base, "thread_id"))
	git := p.Get("git")
	pairs := []any{
		"folder", h.cwd, "program", h.program, "version of the program", h.version,
		"started from", sourceName(p.Get("source")), "provider", p.Text("model_provider"),
		"repository", sources.RepositoryOf(transcript.String(transcript.Field(git, "repository_url"))),
		"commit", transcript.String(transcript.Field(git, "commit_hash")),
		"agent", p.Text("agent_nickname"), "role", p.Text("agent_role"), "path", p.Text("agent_path"),
		"forked from", h.forked, "history in", from,
	}
	t.Remark("", what, pairs...).LineageID = h.from
	if from != "" {
		t.Remark("warning", "What was said before is in session "+from+": this file only points to it",
			"bytes", transcript.TextOf(transcript.Field(base, "end_byte_offset")))
	}
	prompt := cmp.Or(p.Text("instructions"), transcript.String(transcript.Field(p.Get("base_instructions"), "text")))
	if prompt != "" || p.Get("dynamic_tools") != nil {
		t.Snapshot(prompt, p.Get("dynamic_tools"))
	}
}

// sourceName returns what started a session.
func sourceName(v jsontext.Value) string {
	if transcript.Kind(v) == '"' {
		return transcript.String(v)
	}
	for name, value := range transcript.Members(v) {
		if transcript.Kind(value) == '"' {
			return name + ": " + transcript.String(value)
		}
		for inner := range transcript.Members(value) {
			return name + ": " + strings.ReplaceAll(inner, "_", " ")
		}
		return name
	}
	return ""
}

// bare translates a line without envelope: the head or an item of a session of 2025.
func (t *translator) bare() {
	kind := t.line.Text("type")
	switch {
	case kind == "" && transcript.Kind(t.line.Get("items")) == '[':
		t.document()
	case kind == "" && t.line.Get("record_type") != nil:
		t.Hide("state", bookkeeping)
	case kind == "" && t.line.Get("id") != nil && t.heads == 0:
		t.payload = append(t.payload[:0], t.line...)
		t.sessionMeta()
	case execTypes[kind], kind == "error" && t.line.Get("message") != nil:
		t.execEvent(kind)
	case kind == "session_meta", kind == "event_msg", kind == "response_item", kind == "":
		t.Add(transcript.Record{Type: kind})
	case itemTypes[kind]:
		t.payload = append(t.payload[:0], t.line...)
		t.item()
	default:
		t.Add(transcript.Record{Type: kind})
	}
}

// document translates a session that is one value with its head and all items.
func (t *translator) document() {
	session, items := t.line.Get("session"), t.line.Get("items")
	whole, pos := t.Value, t.Pos
	part := func(at transcript.Pos, v jsontext.Value) {
		t.Value, t.Pos = v, at
		t.payload.Read(v)
	}
	if session != nil {
		part(sources.PlaceIn(pos, whole, session), session)
		t.SetTime(t.payload.Get("timestamp"))
		t.sessionMeta()
	}
	t.Time = time.Time{} // items have no time
	for at, e := range sources.ElementsIn(pos, whole, items) {
		part(at, e)
		t.item()
	}
}
