package copilot

import (
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// The rules that hide events, in addition to those shared by all writers.
const (
	merged      = "details of calls" // drawn with its call
	bookkeeping = "bookkeeping"      // bounds of requests, counters
	streamed    = "stream events"    // of an SDK: another event has the same
	started     = "hooks that started"
	repeated    = "repeated texts"
	personal    = "personal data"
	tokens      = "token counts"
)

// A translator turns the events of one file into records. It remembers what earlier events said.
type translator struct {
	sources.Builder
	head head

	agent   string            // the call that started the agent of the event, "" for the main conversation
	agents  map[string]string // the calls that started agents, by the ids of the agents
	parents map[string]string // the id of the last record of each conversation
	prompt  string            // the last system prompt
	thought string            // reasoning from an event before the message it belongs to
	done    string            // the summary of the last call of task_complete

	output map[string]int64 // the output tokens of each model since the program started

	calls  map[string]*call
	recent []*call // the last calls, the newest last
	hooks  map[string]*hook
	asked  map[string]string            // the call that a request for permission is about
	assets map[string]transcript.Source // pictures that later events refer to

	line, data, part sources.Object // reused by each event
}

// A head is what the file says about its session.
type head struct{ id, cwd, branch, version string }

// Translate turns an event into records.
func (t *translator) Translate(pos transcript.Pos, v jsontext.Value) ([]transcript.Record, []transcript.Problem) {
	t.Begin(pos, v)
	t.line.Read(v)
	if isHistory(t.line) {
		t.history(v)
		return t.Done("session")
	}
	t.SetTime(t.line.Get("timestamp"))
	data := t.line.Get("data")
	t.data.Read(data)
	t.agent = t.agentCall()
	if t.agent == t.data.Text("toolCallId") { // the event is about its own call
		t.agent = t.agentOf(t.agent)
	}
	kind := t.line.Text("type")
	if transcript.Kind(data) != '{' {
		t.Add(transcript.Record{Type: name(kind, "event")}) // no event has such data
	} else {
		t.event(kind)
	}
	return t.Done(kind)
}

// agentCall returns the call that started the agent of the event. Some versions write the id of that call as the id of
// the agent. Others give the agent its own id; an event says which call started it.
func (t *translator) agentCall() string {
	id, call := t.line.Text("agentId"), t.data.Text("parentToolCallId")
	if id == "" {
		return call
	}
	if call == "" && strings.HasPrefix(t.line.Text("type"), "subagent.") {
		call = t.data.Text("toolCallId")
	}
	if call != "" && t.agents[id] == "" {
		t.agents[id] = call
	}
	return name(t.agents[id], id)
}

// agentOf returns the agent that made a call.
func (t *translator) agentOf(id string) string {
	if c := t.calls[id]; c != nil {
		return c.agent
	}
	return ""
}

// event translates an event of any type.
func (t *translator) event(kind string) {
	switch kind {
	case "user.message":
		t.userMessage()
	case "system.message":
		t.systemMessage()
	case "assistant.message":
		t.assistantMessage()
	case "assistant.reasoning":
		t.reasoning()
	case "tool.execution_start", "tool.user_requested":
		t.executionStart(kind)
	case "tool.execution_complete":
		t.executionComplete()
	case "permission.requested", "permission.completed":
		t.permission(kind)
	case "hook.start", "hook.end":
		t.hook(kind)
	case "skill.invoked":
		t.skill()
	case "subagent.configured":
		t.Settings("model", t.data.Text("model"), "effort", t.data.Text("reasoningEffort"))
	case "subagent.selected":
		t.Remark("", sources.About("Agent selected", name(t.data.Text("agentDisplayName"), t.data.Text("agentName"))))
	case "subagent.deselected":
		t.Remark("", "Agent no longer selected")
	case "tool_search.activated":
		t.hide(kind, merged)
	case "subagent.started", "subagent.completed", "subagent.failed":
		t.subagent(kind)
	case "system.notification":
		t.notification()
	case "abort":
		if t.data.Text("reason") == "autopilot_credit_limit" {
			t.Remark("warning", "Turn ended: its limit of credits is reached")
			return
		}
		t.User(transcript.InterruptionText, t.Text("[Request interrupted by user]"))
	case "assistant.turn_start", "assistant.turn_end", "session.compaction_start":
		t.hide(kind, bookkeeping)
	case "session.usage_checkpoint":
		t.hide(kind, bookkeeping)
		sources.Rare(t.Record(t.Added() - 1)).Credits = t.credits()
	default:
		switch {
		case isFusion(kind):
			t.fusion(kind)
		case strings.HasPrefix(kind, "session."):
			t.session(kind)
		case string(t.line.Get("ephemeral")) == "true", ephemeral[kind]:
			t.hide(kind, streamed)
		default:
			t.Add(transcript.Record{Type: name(kind, "event")})
		}
	}
}

// ephemeral are the types of events that only the streams of an SDK have, not files.
var ephemeral = map[string]bool{
	"assistant.usage": true, "assistant.message_delta": true, "assistant.reasoning_delta": true,
	"assistant.streaming_delta": true, "assistant.intent": true, "tool.execution_progress": true,
	"tool.execution_partial_result": true, "user_input.requested": true, "user_input.completed": true,
	"elicitation.requested": true, "elicitation.completed": true, "exit_plan_mode.requested": true,
	"exit_plan_mode.completed": true, "command.queued": true, "command.execute": true, "command.completed": true,
	"pending_messages.modified": true, "external_tool.requested": true, "external_tool.completed": true,
}

// name returns the name for a record of an unknown kind.
func name(kind, otherwise string) string {
	if kind == "" {
		return otherwise
	}
	return kind
}

// fill fills in what all records of the file share.
func (t *translator) fill(r *transcript.Record) {
	h := &t.head
	r.UUID = "o" + t.place() + "." + strconv.Itoa(t.Added()-1) + "@" + h.id
	r.ParentUUID = t.parents[t.agent]
	r.SessionID, r.CWD, r.GitBranch, r.Version = h.id, h.cwd, h.branch, h.version
	if t.agent != "" {
		r.IsSidechain = true
		sources.Rare(r).ParentToolUseID = t.agent
	}
	t.parents[t.agent] = r.UUID
}

// place returns the position of the event in its file, as part of an id.
func (t *translator) place() string { return strconv.FormatInt(t.Pos.Offset, 36) }

// hide adds a record that is hidden by the named rule. No other record continues from it.
func (t *translator) hide(kind, rule string) {
	agent, parent := t.agent, t.parents[t.agent]
	t.agent = ""
	main := t.parents[""]
	t.Add(sources.HiddenRecord(kind, rule))
	t.parents[""] = main
	if t.agent = agent; agent != "" {
		t.parents[agent] = parent
	}
}
