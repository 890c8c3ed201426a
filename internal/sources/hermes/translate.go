package hermes

import (
	"cmp"
	"crypto/sha256"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// The rules that hide records, in addition to those shared by all writers.
const (
	tokens   = "token counts"
	empty    = "empty messages"
	facts    = "facts of the session"
	repeated = "repeated messages" // what the model got again after a compaction
)

// metaRole is the role of what the program noted about a session between its messages.
const metaRole = "session_meta"

// A translator turns the values of one file into records.
type translator struct {
	sources.Builder
	calls    map[string]string          // the tools of calls, by their ids
	replaced map[[sha256.Size]byte]bool // messages that the model no longer got after a compaction
	branch   string
}

// Translate turns a description of a session, a message or a whole session into records.
func (t *translator) Translate(pos transcript.Pos, v jsontext.Value) ([]transcript.Record, []transcript.Problem) {
	t.Begin(pos, v)
	var o sources.Object
	o.Read(v)
	switch {
	case o.Get("role") != nil:
		t.message(v)
		return t.Done("message")
	case transcript.Kind(o.Get("usage")) == '{':
		var used sources.Object
		used.Read(o.Get("usage"))
		t.Time = time.Time{}
		if !t.used(&used) {
			t.Hide("usage", tokens)
		}
		return t.Done("usage")
	case o.Get(rowHead, "session_id", "id") == nil:
		return t.Done("session")
	}
	t.head(&o)
	for e := range t.Parts(o.Get("messages")) {
		t.message(e)
	}
	t.Value, t.Time = sources.Make("type", "usage"), time.Time{}
	t.used(&o)
	return t.Done("session")
}

// head translates the description of a session. Users and chats are left out.
func (t *translator) head(o *sources.Object) {
	t.SessionID, t.calls, t.replaced = o.Text(rowHead, "session_id", "id"), nil, nil
	config := sources.Arguments(o.Get("model_config"))
	t.CWD = cmp.Or(o.Text("cwd"), transcript.String(transcript.Field(config, "cwd")))
	t.branch = o.Text("git_branch")
	t.Complete = func(r *transcript.Record) { r.GitBranch = t.branch }
	text, parent := "Session started", o.Text("parent_session_id")
	if by := o.Text("agent_of"); by != "" && by != t.SessionID {
		t.SessionID, t.AgentID, text, parent = by, t.SessionID, "Agent started", ""
	}
	t.setTime(o.Get("started_at", "session_start"))
	t.Model = o.Text("model")
	whole := t.Value
	t.Value = sources.Make("session", o.Text(rowHead, "session_id", "id"), "title", o.Text("title"))
	t.Remark("", text, "folder", t.CWD, "platform", o.Text("source", "platform"),
		"provider", o.Text("billing_provider"), "model", t.Model, "continues", parent, "ended", o.Text("end_reason"))
	if t.Model != "" {
		t.Settings("model", t.Model)
	}
	if title := o.Text("title"); title != "" {
		t.Add(sources.TitleRecord(title, o.Text("title_source") != "user"))
	}
	if prompt, tools := o.Text("system_prompt"), list(o.Get("tools")); prompt != "" || tools != nil {
		t.Snapshot(prompt, tools)
	}
	t.Value, t.Time = whole, time.Time{}
}

// list returns a list that is not empty.
func list(v jsontext.Value) jsontext.Value {
	for range transcript.Elements(v) {
		return v
	}
	return nil
}

// setTime sets the time of the records that follow, from seconds since 1970 or from a text. Some versions wrote local
// times without their zone, which are taken as UTC.
func (t *translator) setTime(v jsontext.Value) {
	text := transcript.String(v)
	if at := seconds(sources.Fraction(jsontext.Value(cmp.Or(text, string(v))))); !at.IsZero() {
		t.Time = at
		return
	}
	t.SetTime(sources.InUTC(v))
}

// message translates a message.
func (t *translator) message(v jsontext.Value) {
	var m sources.Object
	m.Read(v)
	before := t.Added()
	t.setTime(m.Get("timestamp"))
	compacted, active := isSet(m.Get("compacted")), m.Get("active") == nil || isSet(m.Get("active"))
	if !t.isRepeated(&m, compacted) {
		t.say(&m)
	} else {
		t.Hide("message", repeated)
	}
	if t.Added() == before {
		t.Hide("message", empty)
	}
	if !active && !compacted {
		for i := before; i < t.Added(); i++ {
			sources.Rare(t.Record(i)).TakenBack = true
		}
	}
}

// isSet reports whether a mark is set. SQLite has numbers.
func isSet(v jsontext.Value) bool { return string(v) == "true" || string(v) == "1" }

// isRepeated reports whether a message has been in the log before: a compaction marks all messages, and writes those
// that the model gets again after its summary.
func (t *translator) isRepeated(m *sources.Object, compacted bool) bool {
	if !compacted && len(t.replaced) == 0 {
		return false
	}
	h := sha256.New()
	for _, name := range []string{"role", "timestamp", "tool_call_id", "tool_calls", "content"} {
		h.Write(m.Get(name))
		h.Write([]byte{0})
	}
	key := [sha256.Size]byte(h.Sum(nil))
	if t.replaced[key] {
		return true
	}
	if compacted {
		if t.replaced == nil {
			t.replaced = make(map[[sha256.Size]byte]bool)
		}
		t.replaced[key] = true
	}
	return false
}

// say translates what somebody said.
func (t *translator) say(m *sources.Object) {
	content := t.ChatBlocks(m.Get("content"))
	role := m.Text("role")
	if (role == "user" || role == "assistant") && t.summarized(m, content) {
		return
	}
	switch role {
	case "user":
		is := transcript.PromptText
		if m.Text("display_kind") != "" || isSet(m.Get("observed")) || isOfProgram(sources.JoinTexts(content)) {
			is = transcript.InjectedText
		}
		if len(content) > 0 {
			t.User(is, content...)
		}
	case "assistant":
		t.answer(m, content)
	case "tool":
		t.result(m, content)
	case metaRole:
		tools := list(m.Get("tools"))
		if t.Model = cmp.Or(m.Text("model"), t.Model); m.Text("model", "platform") == "" && tools == nil {
			t.Hide("message", facts)
			return
		}
		t.Remark("", "Session started", "platform", m.Text("platform"), "model", t.Model)
		if tools != nil {
			t.Snapshot("", tools)
		}
	default:
		if !t.Chat(*m) {
			t.Add(transcript.Record{Type: "message"})
		}
	}
}

// Texts of compactions, in all versions.
var summaryPrefixes = []string{"[CONTEXT COMPACTION", "[CONTEXT SUMMARY]:"}

const summaryEnd = "--- END OF CONTEXT SUMMARY"

// summarized translates the summary of a compaction, and reports whether the message is one. A prompt may follow it in
// the same message.
func (t *translator) summarized(m *sources.Object, content []transcript.Block) bool {
	text := sources.JoinTexts(content)
	begins := false
	for _, prefix := range summaryPrefixes {
		begins = begins || strings.HasPrefix(strings.TrimSpace(text), prefix)
	}
	if !begins && (!isSet(m.Get("_compressed_summary")) || text == "") || m.Get("tool_calls") != nil {
		return false
	}
	summary, rest, _ := strings.Cut(text, summaryEnd)
	_, rest, _ = strings.Cut(rest, "---")
	t.System("compact_boundary", "")
	t.User(transcript.SummaryText, t.Text(strings.TrimSpace(summary))).IsCompactSummary = true
	if rest = strings.TrimSpace(rest); rest != "" && m.Text("role") == "user" {
		t.User(transcript.PromptText, t.Text(rest))
	}
	return true
}

// isOfProgram reports whether the program wrote a text in the name of the human: all of it is in brackets.
func isOfProgram(text string) bool {
	for _, prefix := range []string{"[System", "[SYSTEM", "[IMPORTANT: Background process", "[Background process"} {
		if strings.HasPrefix(text, prefix) && strings.HasSuffix(text, "]") {
			return true
		}
	}
	return false
}

// interrupted begins the text that stands for an answer if the human stopped the model.
const interrupted = "Operation interrupted: "

// answer translates what the model wrote in one request.
func (t *translator) answer(m *sources.Object, content []transcript.Block) {
	calls := m.Get("tool_calls")
	if transcript.Kind(calls) == '"' {
		inner := jsontext.Value(transcript.String(calls))
		if !transcript.Valid(inner) {
			t.Problem("row " + string(m.Get("row", "id")) + ": its calls are not JSON")
		}
		calls = inner
	}
	if len(content) == 1 && strings.HasPrefix(content[0].Text, interrupted) && list(calls) == nil {
		t.User(transcript.InterruptionText, content...)
		return
	}
	blocks := t.thoughts(m)
	if len(content) > 0 {
		if thought, rest, ok := cutThought(content[0].Text); ok {
			if len(blocks) == 0 {
				blocks = append(blocks, transcript.Block{Type: "thinking", Raw: t.Value, Text: thought})
			}
			if content[0].Text = rest; rest == "" {
				content = content[1:]
			}
		}
	}
	blocks = append(blocks, content...)
	for c := range transcript.Elements(calls) {
		b := t.ChatCall(c)
		if t.calls == nil {
			t.calls = make(map[string]string)
		}
		t.calls[b.ID] = b.Name
		blocks = append(blocks, b)
	}
	if len(blocks) > 0 {
		t.Answer(blocks...)
	}
}

// thoughts returns what the model thought, as text or encrypted.
func (t *translator) thoughts(m *sources.Object) []transcript.Block {
	b := transcript.Block{Type: "thinking", Raw: t.Value, Text: m.Text("reasoning_content", "reasoning")}
	var o sources.Object
	for _, name := range []string{"reasoning_details", "codex_reasoning_items"} {
		for e := range transcript.Elements(m.Get(name)) {
			o.Read(e)
			if text := o.Text("thinking", "text", "summary"); b.Text == "" && text != "" {
				b.Text = text
			}
			if sealed := o.Get("encrypted_content", "data"); transcript.Kind(sealed) == '"' {
				b.Encrypted += sources.SizeOf(sealed)
			}
		}
	}
	switch {
	case strings.TrimSpace(b.Text) != "":
		b.Encrypted = 0
	case b.Encrypted == 0:
		return nil
	}
	return []transcript.Block{b}
}

// cutThought cuts a thought from the beginning of an answer.
func cutThought(text string) (thought, rest string, ok bool) {
	inner, ok := strings.CutPrefix(strings.TrimSpace(text), "<think>")
	if !ok {
		return "", text, false
	}
	thought, rest, ok = strings.Cut(inner, "</think>")
	return strings.TrimSpace(thought), strings.TrimSpace(rest), ok
}
