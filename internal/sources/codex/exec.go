package codex

import (
	"cmp"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// execEvent translates a line that codex exec --json prints. Such logs have no times and no prompts.
func (t *translator) execEvent(kind string) {
	switch kind {
	case "thread.started":
		t.head.id = cmp.Or(t.head.id, t.line.Text("thread_id"))
		t.Remark("", "Session started", "session", t.head.id, "started from", "exec")
	case "turn.started":
		t.Hide(kind, bookkeeping)
	case "turn.completed":
		if u := t.line.Get("usage"); u != nil {
			t.usedByTurn(tokensOf(u))
			return
		}
		t.Hide(kind, bookkeeping)
	case "turn.failed":
		t.Fail(name(transcript.String(transcript.Field(t.line.Get("error"), "message")), "the turn failed"))
	case "error":
		t.Fail(t.line.Text("message"))
	case "item.started", "item.updated":
		t.execItem(kind, t.line.Get("item"), false)
	case "item.completed":
		t.execItem(kind, t.line.Get("item"), true)
	}
}

// execItem translates an item. A call is drawn when it starts, everything else when it is complete.
func (t *translator) execItem(kind string, v jsontext.Value, done bool) {
	var p sources.Object
	p.Read(v)
	id := p.Text("id")
	what := p.Text("type", "item_type")
	if !done && what == "todo_list" && kind == "item.updated" {
		t.todo(id, p)
		return
	}
	if !done {
		t.Hide(kind, mirrored)
		return
	}
	o := outcome{failed: p.Text("status") == "failed"}
	switch what {
	case "agent_message", "assistant_message":
		t.assistant(transcript.Block{Type: "text", Raw: t.Value, Text: p.Text("text")})
	case "reasoning":
		t.assistant(transcript.Block{Type: "thinking", Raw: t.Value, Text: p.Text("text")})
	case "command_execution":
		o.text = p.Text("aggregated_output")
		o.setExit(string(p.Get("exit_code")))
		if p.Text("status") == "declined" {
			o.decline()
		}
		command := p.Text("command")
		if words := strings.SplitN(command, " ", 3); len(words) == 3 && words[1] == "-lc" {
			command = strings.Trim(words[2], `'"`)
		}
		t.inner(id, shellTool, sources.Make("cmd", command), o)
	case "file_change":
		var pairs []any
		for c := range transcript.Elements(p.Get("changes")) {
			pairs = append(pairs, transcript.String(transcript.Field(c, "path")),
				sources.Make("type", transcript.Field(c, "kind")))
		}
		o.changes = sources.Make(pairs...) // names of files only, not their contents
		t.inner(id, "apply_patch", nil, o)
	case "mcp_tool_call":
		inner := t.mcpOutcome(p.Get("result"), 0)
		inner.failed = inner.failed || o.failed
		if text := transcript.String(transcript.Field(p.Get("error"), "message")); text != "" {
			inner.fail(text)
		}
		t.inner(id, "mcp__"+p.Text("server")+"__"+p.Text("tool"), p.Get("arguments"), inner)
	case "collab_tool_call":
		t.agentCall(id, p, o)
	case "web_search":
		t.inner(id, "web_search", sources.Make("type", "search", "query", p.Text("query")), o)
	case "todo_list":
		t.todo(id, p)
	case "error":
		t.Fail(name(p.Text("message"), "error"))
	default:
		t.Add(transcript.Record{Type: name(what, kind)})
	}
}

// agentCall adds a call by which an agent starts others, writes to them, or waits for their answers.
func (t *translator) agentCall(id string, p sources.Object, o outcome) {
	tool, agents, states := p.Text("tool"), p.Get("receiver_thread_ids"), p.Get("agents_states")
	if tool == "wait" { // another tool has this name
		tool = "wait_agent"
	}
	var said []any
	for agent, state := range transcript.Members(states) {
		said = append(said, agent, sources.Make(
			transcript.String(transcript.Field(state, "status")), transcript.Field(state, "message")))
	}
	if len(said) > 0 {
		o.text = string(sources.Make("status", sources.Make(said...)))
	}
	t.inner(id, tool, sources.Make("message", p.Text("prompt"), "targets", agents), o)
}

// todo adds the current list of things to do.
func (t *translator) todo(id string, p sources.Object) {
	var steps []jsontext.Value
	for e := range transcript.Elements(p.Get("items")) {
		status := "pending"
		if string(transcript.Field(e, "completed")) == "true" {
			status = "completed"
		}
		steps = append(steps, sources.Make("step", transcript.Field(e, "text"), "status", status))
	}
	input := sources.Make("plan", sources.MakeList(steps...))
	t.inner(id+"."+t.place(), "update_plan", input, outcome{text: "Plan updated"})
}
