package kiro

import (
	"cmp"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// events are the types of events of the third engine.
var events = map[string]bool{
	"user": true, "assistant": true, "tool_call": true, "tool_result": true, "turn_start": true, "turn_end": true,
	"session_start": true, "session_metadata": true, "session_event": true, "usage_summary": true,
	"steering_inclusion": true, "tombstone": true, "ContextualHookInvoked": true, "pending_interaction": true,
	"interaction_resolved": true, "sub_agent_start": true, "sub_agent_progress": true, "sub_agent_complete": true,
	"system": true, "agent_note": true, "tool_revert": true, "error": true, "mode_change": true,
}

// repeatedCalls is the rule that hides the further states of a call.
const repeatedCalls = "repeated calls"

// A log has what earlier events of a log said.
type log struct {
	called    map[string]string // names of the tools of calls, by id
	compacted bool              // the last event was that earlier messages were summarized
	prompts   []string          // ids of the prompts
	promptAt  map[string]int    // their indexes
	starting  []agentCall       // calls for agents that have not started yet
	agents    map[string]bool   // ids of agents whose calls are known
	denied    []string          // ids of denied calls that have no result yet
}

// Limits of calls that wait for something, because each event is compared with all of them.
const (
	maxStarting = 100 // for their agents
	maxDenied   = 100 // for results
)

// An agentCall is a call that starts an agent.
type agentCall struct {
	id   string
	args jsontext.Value
}

// event translates an event of the third engine.
func (t *translator) event(line *sources.Object, payload jsontext.Value) (
	[]transcript.Record, []transcript.Problem) {
	var p sources.Object
	p.Read(payload)
	t.SetTime(line.Get("timestamp"))
	kind, before := p.Text("type"), t.Added()
	compacted := t.compacted
	t.compacted = false
	switch kind {
	case "user", "assistant", "turn_end":
		t.denials()
		before = t.Added()
	}
	switch kind {
	case "user":
		t.typed(&p, line.Text("id"))
	case "assistant":
		t.assistant(&p, compacted)
	case "tool_call":
		t.toolCall(&p)
	case "tool_result":
		t.toolResult(&p)
	case "turn_start", "session_event", "pending_interaction", "sub_agent_progress":
		t.Hide(kind, bookkeeping)
	case "turn_end":
		t.turnEnd(&p)
	case "session_start":
		if prompt := p.Text("content"); prompt != "" { // written at the end of the first turn
			t.Snapshot(prompt, nil)
		}
	case "usage_summary":
		t.usage(&p)
	case "session_metadata":
		t.metadata(&p)
	case "steering_inclusion":
		t.included(p.Get("documents"))
	case "tombstone":
		t.tombstone(&p)
	case "interaction_resolved":
		t.Attach("hook_permission_decision", "PermissionRequest", p.Text("toolCallId"),
			"hookName", t.called[p.Text("toolCallId")], "decision", p.Text("selectedOption", "outcome"))
	case "ContextualHookInvoked":
		t.Remark("", sources.About("Hook", p.Text("name", "hookId")), "action", p.Text("hookActionType"),
			"state", p.Text("status"), "command", p.Text("command"), "output", p.Text("output"),
			"exit code", transcript.TextOf(p.Get("exitCode")))
	case "sub_agent_start":
		t.agentStarted(&p)
	case "sub_agent_complete":
		t.agentEnded(&p)
	case "system", "agent_note":
		t.User(transcript.InjectedText, t.ChatBlocks(p.Get("content"))...)
	case "tool_revert":
		t.Remark("", "The change of a call was taken back", "call", p.Text("toolCallId"))
	case "error":
		t.Fail(cmp.Or(p.Text("message"), p.Text("code")))
	case "mode_change":
		t.Settings("mode", p.Text("toMode"), "reason", p.Text("reason"))
	}
	if t.Added() == before {
		t.Add(transcript.Record{Type: cmp.Or(kind, "event")})
	}
	return t.Done(kind)
}

// tombstone translates that earlier messages are not sent any more: the human took the last ones back, or they were
// summarized.
func (t *translator) tombstone(p *sources.Object) {
	if p.Text("kind") != "checkpoint_revert" {
		t.System("compact_boundary", "")
		t.compacted = true
		return
	}
	words := "The conversation went back to an earlier message"
	id := p.Text("effectiveFromMessageId")
	if at, ok := t.promptAt[id]; ok && at < len(t.prompts) && t.prompts[at] == id {
		words = sources.TakenBack(len(t.prompts)-at, "prompt")
		t.prompts = t.prompts[:at]
	}
	t.Remark("", words, "files", transcript.TextOf(transcript.Field(p.Get("metadata"), "totalFiles")))
}

// agentStarted links an agent to its call: the one with the same task, or the only one.
func (t *translator) agentStarted(p *sources.Object) {
	id, task := p.Text("subSessionId"), p.Text("prompt")
	at := slices.IndexFunc(t.starting, func(c agentCall) bool {
		for _, value := range transcript.Members(c.args) {
			if task != "" && transcript.String(value) == task {
				return true
			}
		}
		return false
	})
	if at < 0 && len(t.starting) == 1 {
		at = 0
	}
	if at < 0 || id == "" {
		t.Remark("", sources.About("Agent started", p.Text("subAgentName")), "task", task,
			"why", p.Text("explanation"), "session", id)
		return
	}
	r := transcript.Record{Type: "progress", Raw: sources.Make("type", "agent_progress", "agentId", id)}
	r.Rare = &transcript.Rare{
		ParentToolUseID: t.starting[at].id, DataType: "agent_progress", Data: sources.Make("agentId", id),
	}
	t.Add(r)
	if t.agents == nil {
		t.agents = make(map[string]bool)
	}
	t.agents[id] = true
	t.starting = slices.Delete(t.starting, at, at+1)
}

// agentEnded translates the end of an agent. What it answered is the result of its call.
func (t *translator) agentEnded(p *sources.Object) {
	id, state := p.Text("subSessionId"), p.Text("status")
	switch {
	case state == "error":
		t.Remark("error", sources.About("Agent failed", p.Text("errorMessage")), "answer", p.Text("response"),
			"session", id)
	case state == "cancelled":
		t.Remark("", "Agent was cancelled", "answer", p.Text("response"), "session", id)
	case t.agents[id]:
		t.Hide("sub_agent_complete", bookkeeping)
	default:
		t.Remark("", "Agent ended", "answer", p.Text("response"), "session", id)
	}
}

// typed translates a prompt with its pictures and documents, and what the program added to it.
func (t *translator) typed(p *sources.Object, id string) {
	blocks := t.ChatBlocks(p.Get("content"))
	for e := range transcript.Elements(p.Get("images")) {
		blocks = append(blocks, t.attached(e, "image"))
	}
	for e := range transcript.Elements(p.Get("documents")) {
		blocks = append(blocks, t.attached(e, "document"))
	}
	switch {
	case len(blocks) == 0:
		t.Hide("user", empty)
	case p.Text("source") == "hook":
		t.User(transcript.InjectedText, blocks...)
	default:
		if t.promptAt == nil {
			t.promptAt = make(map[string]int)
		}
		t.promptAt[id] = len(t.prompts)
		t.prompts = append(t.prompts, id)
		t.User(transcript.PromptText, blocks...)
	}
	if items := p.Get("contextItems"); items != nil {
		t.included(items)
	}
}

// attached returns a picture or a document of a prompt.
func (t *translator) attached(v jsontext.Value, kind string) transcript.Block {
	var o sources.Object
	o.Read(v)
	if data := o.Get("data"); kind == "image" && transcript.Kind(data) == '"' {
		return transcript.Block{Type: kind, Raw: sources.Make("type", kind),
			Source: transcript.Source{Kind: "base64", MediaType: o.Text("mimeType"), Data: data}}
	}
	name := cmp.Or(o.Text("displayName", "name", "path", "uri", "url", "id"), transcript.String(v))
	if text := o.Text("content"); text != "" {
		name = strings.TrimPrefix(name+"\n\n"+text, "\n\n")
	}
	if name == "" {
		return transcript.Block{Type: kind, Raw: v}
	}
	return transcript.Block{Type: "text", Raw: v, Text: name}
}

// assistant translates what the model said or thought, or a summary of earlier messages.
func (t *translator) assistant(p *sources.Object, compacted bool) {
	if model := p.Text("reasoningModelId"); model != "" {
		t.Model = model[strings.LastIndex(model, ":")+1:] // "qdev::auto"
	}
	content := p.Get("content")
	switch p.Text("operationType") {
	case "Reasoning":
		text := transcript.TextOf(content)
		if text == "..." { // the text is only in the signature
			text = ""
		}
		t.Answer(transcript.Block{
			Type: "thinking", Raw: sources.Make("type", "thinking", "thinking", text), Text: text,
			Encrypted: int64(len(p.Text("reasoningSignature"))),
		})
	case "Summary":
		if !compacted {
			t.System("compact_boundary", "")
		}
		t.User(transcript.SummaryText, t.ChatBlocks(content)...).IsCompactSummary = true
	default:
		if blocks := t.ChatBlocks(content); len(blocks) > 0 {
			t.Answer(blocks...)
		} else {
			t.Hide("assistant", empty)
		}
	}
}

// toolCall translates a call. Each state that it passes through has an event.
func (t *translator) toolCall(p *sources.Object) {
	id, name := p.Text("toolCallId"), p.Text("toolName")
	if t.called == nil {
		t.called = make(map[string]string)
	}
	if t.called[id] == "" || id == "" {
		if name == "" {
			return
		}
		t.called[id] = name
		if strings.Contains(name, "sub_agent") || strings.Contains(name, "subagent") {
			t.starting = append(t.starting, agentCall{id, slices.Clone(p.Get("args"))})
			t.starting = t.starting[max(0, len(t.starting)-maxStarting):]
		}
		t.Answer(t.Call(id, name, sources.Arguments(p.Get("args"))))
	} else {
		t.Hide("tool_call", repeatedCalls)
	}
	if p.Text("status") == "denied" {
		if len(t.denied) == maxDenied {
			t.denials()
		}
		t.denied = append(t.denied, id)
	}
}

// denials translates denied calls that have no result.
func (t *translator) denials() {
	for _, id := range t.denied {
		sources.Rare(t.Result(id, true)).ToolDenialKind = "user-rejected"
	}
	t.denied = nil
}

// toolResult translates the result of a call.
func (t *translator) toolResult(p *sources.Object) {
	id := p.Text("toolCallId")
	content := p.Get("content")
	blocks := t.ChatBlocks(content)
	if string(content) == "{}" { // of tools that have nothing to say
		blocks = nil
	} else if transcript.Kind(content) == '{' {
		blocks = []transcript.Block{t.Text(string(content))}
	}
	t.starting = slices.DeleteFunc(t.starting, func(c agentCall) bool { return c.id == id })
	failed := string(p.Get("success")) == "false"
	if len(blocks) == 1 && strings.HasPrefix(t.called[id], "execute_") {
		if text, code, ok := cutExit(blocks[0].Text); ok {
			blocks[0].Text = text
			if code != "0" {
				blocks[0].Text, failed = sources.WithExitCode(code, text), true
			}
		}
	}
	r := t.Result(id, failed, blocks...)
	at := slices.Index(t.denied, id)
	switch {
	case transcript.Field(transcript.Field(p.Get("_meta"), "kiro"), "policyDenial") != nil:
		sources.Rare(r).ToolDenialKind = "permission-rule"
	case at >= 0:
		sources.Rare(r).ToolDenialKind = "user-rejected"
	}
	if at >= 0 {
		t.denied = slices.Delete(t.denied, at, at+1)
	}
}

// cutExit cuts the exit code from the end of the output of a command.
func cutExit(text string) (output, code string, ok bool) {
	output, code, ok = cutLast(strings.TrimSpace(text), "Exit Code: ")
	if !ok || code == "" || strings.Trim(code, "-0123456789") != "" ||
		output != "" && !strings.HasSuffix(output, "\n") {
		return text, "", false
	}
	return strings.TrimRight(strings.TrimPrefix(output, "Output:\n"), "\n"), code, true
}

func cutLast(s, sep string) (before, after string, found bool) {
	if at := strings.LastIndex(s, sep); at >= 0 {
		return s[:at], s[at+len(sep):], true
	}
	return s, "", false
}

// turnEnd translates the end of a turn.
func (t *translator) turnEnd(p *sources.Object) {
	refusal := transcript.Field(p.Get("stopDetails"), "refusal")
	switch reason := p.Text("stopReason"); reason {
	case "", "end_turn":
		t.Hide("turn_end", bookkeeping)
	case "cancelled":
		t.User(transcript.InterruptionText, t.Text("[Request interrupted by user]"))
	default:
		t.Remark("", "Turn ended: "+strings.ReplaceAll(reason, "_", " "),
			"why", transcript.String(transcript.Field(refusal, "explanation")))
	}
}

// usage translates the credits and the time of a turn. Credits of a turn that was copied count in the other session.
func (t *translator) usage(p *sources.Object) {
	for e := range transcript.Elements(p.Get("promptTurnSummaries")) {
		unit := transcript.String(transcript.Field(e, "unit"))
		if (unit == "credit" || unit == "credits") && !t.Time.Before(t.copied) {
			t.credits += sources.Dollars(transcript.Field(e, "usage"))
		}
	}
	t.duration(sources.Number(p.Get("elapsedTime")), t.credits)
}

// metadata translates a fact about the session.
func (t *translator) metadata(p *sources.Object) {
	switch value := p.Get("value"); p.Text("key") {
	case "contextUsage":
		t.Hide("session_metadata", bookkeeping)
	case "displayError":
		message := transcript.String(transcript.Field(value, "message"))
		t.Fail(cmp.Or(message, transcript.TextOf(value), "An error occurred."))
	}
}

// included translates documents that the program gave the model with a prompt.
func (t *translator) included(list jsontext.Value) {
	var blocks []transcript.Block
	for e := range transcript.Elements(list) {
		blocks = append(blocks, t.attached(e, "document"))
	}
	if len(blocks) > 0 {
		t.User(transcript.InjectedText, blocks...)
	} else {
		t.Hide("steering_inclusion", empty)
	}
}
