package kimi

import (
	"cmp"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// old is the state of a log of kimi-cli, whose requests have no ids.
type old struct {
	payload  jsontext.Value    // of the event
	requests map[string]string // the call that a request for approval is about
	agents   map[string]string // the request that each agent is answering, by the call that started the agent
}

// oldEvent translates an event of kimi-cli.
func (t *translator) oldEvent(kind string) {
	p := t.event
	switch kind {
	case "TurnBegin", "SteerInput":
		if blocks := t.ChatBlocks(p.Get("user_input")); len(blocks) > 0 {
			t.User(transcript.PromptText, blocks...)
		}
	case "StepBegin":
		t.step = ""
		t.Hide(kind, bookkeeping)
	case "StepInterrupted":
		t.User(transcript.InterruptionText, t.Text("[Request interrupted by user]"))
	case "ContentPart", "TextPart", "ThinkPart":
		t.oldAnswer(t.ChatBlocks(t.old.payload)...)
	case "ToolCall":
		t.oldAnswer(t.ChatCall(t.old.payload))
	case "ToolResult":
		t.result(p.Text("tool_call_id"), p.Get("return_value", "result"))
	case "StatusUpdate":
		usage := p.Get("token_usage")
		if usage == nil {
			t.Hide(kind, bookkeeping)
			return
		}
		r := t.Used(usageOf(usage), tokens)
		if t.step != "" {
			r.Message.ID = t.step
		}
	case "ApprovalRequest":
		if t.old.requests == nil {
			t.old.requests = make(map[string]string)
		}
		t.old.requests[p.Text("id")] = p.Text("tool_call_id")
		t.Hide(kind, bookkeeping)
	case "ApprovalResponse", "ApprovalRequestResolved":
		call := t.old.requests[p.Text("request_id")]
		t.Attach("hook_permission_decision", "PermissionRequest", call, "decision", p.Text("response"),
			"message", p.Text("feedback"))
	case "CompactionBegin", "TurnEnd", "MCPLoadingBegin", "MCPLoadingEnd", "HookTriggered",
		"HookRequest", "HookResponse", // HookResolved says what came of them
		"QuestionRequest", "QuestionResponse", "ToolCallRequest", "ToolCallPart": // calls and their results say it
		t.Hide(kind, bookkeeping)
	case "CompactionEnd":
		t.compacted(nil, "")
	case "SubagentEvent":
		t.subagent()
	default:
		t.oldNotice(kind)
	}
	if t.Added() == 0 && (kind == "TurnBegin" || kind == "ContentPart") {
		t.Hide(kind, empty)
	}
}

// oldNotice translates an event that says what the program did.
func (t *translator) oldNotice(kind string) {
	p := t.event
	switch kind {
	case "StepRetry":
		t.Remark("warning", sources.About("Request failed, and is sent again", p.Text("error_type")),
			"status", transcript.TextOf(p.Get("status_code")), "attempt", transcript.TextOf(p.Get("next_attempt")))
	case "HookResolved":
		if p.Text("action") != "block" {
			t.Hide(kind, bookkeeping)
			return
		}
		t.Remark("warning", sources.About("Blocked by a hook", p.Text("reason")), "event", p.Text("event"),
			"tool", p.Text("target"))
	case "Notification":
		level := p.Text("severity")
		if level != "warning" && level != "error" {
			level = ""
		}
		t.Remark(level, p.Text("title"), "details", p.Text("body"))
	case "PlanDisplay":
		t.Remark("", "Plan", "file", p.Text("file_path"), "plan", p.Text("content"))
	case "BtwBegin": // while the model works on a prompt
		t.Remark("", sources.About("Side question", p.Text("question")))
	case "BtwEnd":
		t.Remark("", "Answer to a side question", "answer", p.Text("response"), "error", p.Text("error"))
	}
}

// subagent translates an event of an agent that a call has started.
func (t *translator) subagent() {
	call := t.event.Text("task_tool_call_id", "parent_tool_call_id")
	var inner sources.Object
	inner.Read(t.event.Get("event"))
	kind := inner.Text("type")
	if kind == "" || kind == "SubagentEvent" {
		return
	}
	if t.old.agents == nil {
		t.old.agents = make(map[string]string)
	}
	step := t.step
	t.step = t.old.agents[call]
	t.old.payload = inner.Get("payload")
	t.event.Read(t.old.payload)
	before := t.Added()
	t.oldEvent(kind)
	t.Aside(before, call)
	t.step, t.old.agents[call] = step, t.step
}

func (t *translator) oldAnswer(blocks ...transcript.Block) {
	if len(blocks) > 0 {
		r := t.Answer(blocks...)
		t.step = cmp.Or(t.step, r.Message.ID)
		r.Message.ID = t.step
	}
}

// kept translates a line of the messages that are kept for the model.
func (t *translator) kept() {
	switch role := t.line.Text("role"); role {
	case "_checkpoint", "_usage":
		t.Hide(role, bookkeeping)
	case "_system_prompt":
		t.Snapshot(t.line.Text("content"), nil)
	default:
		if t.Chat(t.line) && t.Added() == 0 {
			t.Hide("message", empty)
		}
	}
}
