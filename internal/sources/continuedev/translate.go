package continuedev

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// The rules that hide records, in addition to those shared by all writers.
const (
	repeated = "repeated results" // messages with results that their calls have
	tokens   = "token counts"     // of the whole session
	empty    = "empty messages"
)

// A translator turns a session into records.
type translator struct {
	sources.Builder
	answered map[string]bool // calls that have a result
}

// Translate turns a session into records.
func (t *translator) Translate(pos transcript.Pos, v jsontext.Value) ([]transcript.Record, []transcript.Problem) {
	t.Begin(pos, v)
	t.answered = make(map[string]bool)
	var p sources.Object
	p.Read(v)
	if p.Get("sessionId") == nil && p.Get("history") == nil {
		return t.Done("session")
	}
	t.SessionID = p.Text("sessionId")
	t.CWD = sources.FilePath(p.Text("workspaceDirectory"))
	t.Value = sources.Make("sessionId", t.SessionID)
	mode, model := p.Text("mode"), p.Text("chatModelTitle")
	t.Remark("", "Session started", "folder", t.CWD, "mode", mode, "model", model)
	if title := p.Text("title"); title != "" {
		t.Add(sources.TitleRecord(title, true))
	}
	for e := range t.Parts(p.Get("history")) {
		t.item(e)
	}
	t.used(p.Get("usage"))
	return t.Done("session")
}

// used reads the tokens and the cost of all requests together.
func (t *translator) used(v jsontext.Value) {
	if v == nil {
		return
	}
	var p, details sources.Object
	p.Read(v)
	details.Read(p.Get("promptTokensDetails"))
	r := t.UsedBySession(transcript.Usage{
		Input: sources.Number(p.Get("promptTokens")), Output: sources.Number(p.Get("completionTokens")),
		CacheRead:  sources.Number(details.Get("cachedTokens")),
		CacheWrite: sources.Number(details.Get("cacheWriteTokens")),
	}, tokens)
	if cost := sources.Dollars(p.Get("totalCost")); cost > 0 {
		sources.Rare(r).CostUSD = cost
	}
}

// item translates a message and the results of its calls.
func (t *translator) item(v jsontext.Value) {
	var item, m sources.Object
	item.Read(v)
	m.Read(item.Get("message"))
	before := t.Added()
	switch role := m.Text("role"); {
	case role == "user":
		t.prompt(item, m)
	case role == "thinking":
		if text := transcript.TextOf(m.Get("content")); text != "" {
			t.Answer(transcript.Block{Type: "thinking", Raw: t.Value, Text: text})
		}
	case role == "tool" && t.answered[m.Text("toolCallId")]:
		t.Hide("message", repeated)
	default:
		t.reasoning(item.Get("reasoning"))
		if !t.Chat(m) {
			t.Add(transcript.Record{Type: role})
		}
	}
	for state := range transcript.Elements(item.Get("toolCallStates")) {
		t.result(state)
	}
	if summary := item.Text("conversationSummary"); summary != "" { // of all up to this message
		t.System("compact_boundary", "")
		t.User(transcript.SummaryText, t.Text(summary)).IsCompactSummary = true
	}
	if t.Added() == before {
		t.Hide("message", empty)
	}
}

func (t *translator) reasoning(v jsontext.Value) {
	if text := transcript.String(transcript.Field(v, "text")); text != "" {
		t.Answer(transcript.Block{Type: "thinking", Raw: t.Value, Text: text})
	}
}

// prompt translates a message of the user and what an editor added to it.
func (t *translator) prompt(item, m sources.Object) {
	blocks := t.ChatBlocks(m.Get("content"))
	var contexts []jsontext.Value
	for e := range transcript.Elements(item.Get("contextItems")) {
		var o sources.Object
		o.Read(e)
		contexts = append(contexts, sources.Make("label", o.Text("name"), "content", o.Text("content")))
	}
	if len(blocks) == 0 && contexts == nil {
		return
	}
	r := t.User(transcript.PromptText, blocks...)
	if contexts != nil {
		sources.Rare(r).Contexts = sources.MakeList(contexts...)
	}
}

// result translates the result of a call.
func (t *translator) result(v jsontext.Value) {
	var o sources.Object
	o.Read(v)
	id, status := o.Text("toolCallId"), o.Text("status")
	var content []transcript.Block
	code := ""
	for e := range transcript.Elements(o.Get("output")) {
		ended := transcript.String(transcript.Field(e, "status")) // of a command
		if after, ok := strings.CutPrefix(ended, "Command failed with exit code "); ok {
			code = after
		}
		content = append(content, t.Text(transcript.String(transcript.Field(e, "content"))))
	}
	switch status {
	case "done", "errored", "canceled":
	default:
		if len(content) == 0 {
			return
		}
	}
	t.answered[id] = true
	r := t.Result(id, status == "errored" || status == "canceled" || code != "", content...)
	r.ToolUseResult = exitCode(code)
	if status == "canceled" {
		sources.Rare(r).ToolDenialKind = "user-rejected"
	}
}

// exitCode returns the structured part of the result of a command that failed, or nil.
func exitCode(code string) jsontext.Value {
	if code == "" {
		return nil
	}
	return sources.Make("exitCode", code)
}
