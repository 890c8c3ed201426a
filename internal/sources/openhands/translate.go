package openhands

import (
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// The rules that hide records, in addition to those shared by all writers.
const (
	tokens = "token counts"
	states = "changes of state"
	empty  = "empty messages"
)

// A translator turns the lines of one conversation into records.
type translator struct {
	sources.Builder
	requests map[string]usage // what requests used that no answer has yet, by the ids of their answers
}

// A usage is what a request used.
type usage struct {
	model  string
	tokens transcript.Usage
}

// Translate turns the state of a conversation or an event into records.
func (t *translator) Translate(pos transcript.Pos, v jsontext.Value) ([]transcript.Record, []transcript.Problem) {
	t.Begin(pos, v)
	var o sources.Object
	o.Read(v)
	if o.Get(headMember) != nil {
		t.head(&o)
		return t.Done("state")
	}
	kind := o.Text("kind")
	t.SetTime(sources.InUTC(o.Get("timestamp"))) // it writes local times
	switch kind {
	case "SystemPromptEvent":
		t.Snapshot(transcript.TextOf(transcript.Field(o.Get("system_prompt"), "text")), o.Get("tools"))
	case "MessageEvent":
		t.message(&o)
	case "ActionEvent":
		t.action(&o)
	case "ObservationEvent", "AgentErrorEvent", "UserRejectObservation":
		t.result(kind, &o)
	case "Condensation", "CondensationSummaryEvent":
		t.System("compact_boundary", "")
		if summary := o.Text("summary"); summary != "" {
			t.User(transcript.SummaryText, t.Text(summary)).IsCompactSummary = true
		}
	case "CondensationRequest":
		t.Remark("", "Asked for a summary", "reason", o.Text("reason"))
	case "PauseEvent", "InterruptEvent":
		t.User(transcript.InterruptionText, t.Text("Paused"))
	case "ConversationErrorEvent":
		t.Fail(strings.TrimPrefix(o.Text("code")+": "+o.Text("detail"), ": "))
	case "ConversationStateUpdateEvent", "LLMCompletionLogEvent", "StreamingDeltaEvent":
		t.Hide(kind, states)
	case "TokenEvent":
		t.Hide(kind, tokens)
	case "DamagedEvent":
		t.Problem("the event " + o.Text("source") + " is not JSON")
	}
	return t.Done(kind)
}

// head translates the state of a conversation.
func (t *translator) head(o *sources.Object) {
	t.SessionID, t.CWD, t.Model = o.Text(headMember), o.Text("folder"), o.Text("model")
	t.Time, t.requests = time.Time{}, make(map[string]usage)
	if o.Get("damaged") != nil {
		t.Problem("the state of the conversation is not JSON")
	}
	whole := t.Value
	t.Value = sources.Make("conversation", t.SessionID)
	t.Remark("", "Session started", "folder", t.CWD, "model", t.Model, "agent", o.Text("agent"),
		"confirmation", o.Text("confirmation"), "state", o.Text("status"))
	if t.Model != "" {
		t.Settings("model", t.Model)
	}
	t.Value = whole
	for name, v := range transcript.Members(o.Get("usage")) {
		t.used(name, v)
	}
}

// used reads what the requests of a model used. Those of the agent are counted with their answers, the rest together.
func (t *translator) used(name string, v jsontext.Value) {
	var o sources.Object
	o.Read(v)
	rest := amount(o.Get("accumulated_token_usage"))
	if name == "agent" || name == "default" {
		for e := range transcript.Elements(o.Get("token_usages")) {
			u := usage{transcript.String(transcript.Field(e, "model")), amount(e)}
			if id := transcript.String(transcript.Field(e, "response_id")); id != "" && t.requests[id] == (usage{}) {
				t.requests[id] = u
				rest.Input, rest.Output = max(0, rest.Input-u.tokens.Input), max(0, rest.Output-u.tokens.Output)
				rest.CacheRead = max(0, rest.CacheRead-u.tokens.CacheRead)
				rest.CacheWrite = max(0, rest.CacheWrite-u.tokens.CacheWrite)
			}
		}
	}
	cost := sources.Dollars(o.Get("accumulated_cost"))
	if rest == (transcript.Usage{}) && cost == 0 {
		return
	}
	model := t.Model
	if m := o.Text("model_name"); m != "" && m != "default" {
		t.Model = m
	}
	sources.Rare(t.UsedBySession(rest, tokens)).CostUSD = cost
	t.Model = model
}

// amount reads tokens. Those of the prompt include those of the cache.
func amount(v jsontext.Value) transcript.Usage {
	var o sources.Object
	o.Read(v)
	n := func(name string) int64 { return max(0, sources.Number(o.Get(name))) }
	read, write := n("cache_read_tokens"), n("cache_write_tokens")
	return transcript.Usage{
		Input: max(0, n("prompt_tokens")-read-write), Output: n("completion_tokens"),
		CacheRead: read, CacheWrite: write,
	}
}

// message translates a message.
func (t *translator) message(o *sources.Object) {
	var m sources.Object
	m.Read(o.Get("llm_message"))
	content := t.content(m.Get("content"))
	if o.Text("source") == "agent" {
		t.answer(o, append(t.thoughts(&m), content...))
	} else {
		is := transcript.PromptText
		if o.Text("source") != "user" {
			is = transcript.InjectedText
		}
		if len(content) > 0 {
			t.User(is, content...)
		}
	}
	if more := t.content(o.Get("extended_content")); len(more) > 0 {
		t.User(transcript.InjectedText, more...)
	}
	if t.Added() == 0 {
		t.Hide("MessageEvent", empty)
	}
}

// content returns the blocks of content. A part may have several pictures.
func (t *translator) content(list jsontext.Value) []transcript.Block {
	if transcript.Kind(list) != '[' {
		return t.ChatBlocks(list)
	}
	var all []transcript.Block
	for e := range transcript.Elements(list) {
		pictures := transcript.Field(e, "image_urls")
		for address := range transcript.Elements(pictures) {
			all = append(all, t.ChatBlocks(sources.Make("type", "image_url", "image_url", address))...)
		}
		if pictures != nil {
			continue
		}
		for _, b := range t.ChatBlocks(e) {
			if b.Type != "text" || strings.TrimSpace(b.Text) != "" {
				all = append(all, b)
			}
		}
	}
	return all
}

// thoughts returns what the model thought.
func (t *translator) thoughts(o *sources.Object) []transcript.Block {
	b := transcript.Block{Type: "thinking", Raw: t.Value, Text: o.Text("reasoning_content")}
	for e := range transcript.Elements(o.Get("thinking_blocks")) {
		if b.Text == "" {
			b.Text = transcript.String(transcript.Field(e, "thinking"))
		}
	}
	if strings.TrimSpace(b.Text) != "" {
		return []transcript.Block{b}
	}
	sealed := transcript.Field(o.Get("responses_reasoning_item"), "encrypted_content")
	if transcript.Kind(sealed) != '"' {
		return nil
	}
	b.Encrypted = sources.SizeOf(sealed)
	return []transcript.Block{b}
}

// answer adds what the model wrote, with what the request used.
func (t *translator) answer(o *sources.Object, blocks []transcript.Block) {
	if len(blocks) == 0 {
		return
	}
	id := o.Text("llm_response_id")
	u, known := t.requests[id]
	delete(t.requests, id)
	model := t.Model
	if u.model != "" {
		t.Model = u.model
	}
	r := t.Answer(blocks...)
	t.Model = model
	if id != "" { // events of one answer have the same id
		r.Message.ID = id
	}
	if known {
		r.Message.Usage, r.Message.HasUsage = u.tokens, true
	}
}

// action translates a call and what the model wrote before it.
func (t *translator) action(o *sources.Object) {
	blocks := append(t.thoughts(o), t.content(o.Get("thought"))...)
	var call sources.Object
	call.Read(o.Get("tool_call"))
	input := sources.Arguments(call.Get("arguments"))
	if input == nil {
		input = o.Get("action")
	}
	id := o.Text("tool_call_id")
	if id == "" {
		id = call.Text("id")
	}
	t.answer(o, append(blocks, t.Call(id, o.Text("tool_name"), input)))
}

// result translates the result of a call.
func (t *translator) result(kind string, o *sources.Object) {
	id, denied := o.Text("tool_call_id"), ""
	var blocks []transcript.Block
	var structured jsontext.Value
	failed := kind != "ObservationEvent"
	switch kind {
	case "AgentErrorEvent":
		blocks = append(blocks, t.Text(o.Text("error")))
	case "UserRejectObservation":
		denied = "user-rejected"
		if o.Text("rejection_source") == "hook" {
			denied = "permission-rule"
		}
		blocks = append(blocks, t.Text(o.Text("rejection_reason")))
	default:
		var seen sources.Object
		seen.Read(o.Get("observation"))
		blocks = t.content(seen.Get("content", "output"))
		failed = string(seen.Get("is_error")) == "true" || string(seen.Get("error")) == "true"
		if text := seen.Text("error"); text != "" {
			blocks, failed = append(blocks, t.Text(text)), true
		}
		code := seen.Get("exit_code")
		if code == nil {
			code = transcript.Field(seen.Get("metadata"), "exit_code")
		}
		if len(blocks) > 0 && seen.Text("command") == "view" {
			blocks[0].Text = withoutIntroduction(blocks[0].Text)
		}
		before, after := seen.Get("old_content"), seen.Get("new_content")
		switch {
		case transcript.Kind(code) == '0' && string(code) != "-1":
			structured = sources.Make("exitCode", code)
			failed = failed || string(code) != "0"
		case failed || seen.Text("command") == "view":
		case string(seen.Get("prev_exist")) == "false":
			structured = sources.Make("type", "create", "content", after)
		case before != nil && after != nil:
			structured = sources.Make("originalFile", before)
		}
	}
	r := t.Result(id, failed, blocks...)
	r.ToolUseResult = structured
	if denied != "" {
		sources.Rare(r).ToolDenialKind = denied
	}
	if more := t.content(o.Get("extended_content")); len(more) > 0 {
		t.User(transcript.InjectedText, more...)
	}
}

// withoutIntroduction cuts the line before the numbered lines of a file.
func withoutIntroduction(text string) string {
	first, rest, ok := strings.Cut(text, "\n")
	if ok && strings.HasPrefix(first, "Here's the result of running `cat -n` on ") {
		return rest
	}
	return text
}
