package codex

import (
	"cmp"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// event translates an event, which describes what the screen showed.
func (t *translator) event() {
	p := t.payload
	switch kind := p.Text("type"); kind {
	case "user_message":
		t.asked(kind, p.Text("message"))
	case "agent_message":
		text, w := p.Text("message"), &t.duplicates
		if w.answer != "" && w.answer == strings.TrimSpace(text) {
			w.answer = ""
			t.Hide(kind, mirrored)
			return
		}
		t.mirror(kind, &w.texts, "text", text)
	case "agent_reasoning":
		t.mirror(kind, &t.duplicates.thoughts, "thinking", p.Text("text"))
	case "agent_reasoning_raw_content":
		t.mirror(kind, &t.duplicates.raw, "thinking", p.Text("text"))
	case "agent_reasoning_section_break", "agent_message_delta", "agent_reasoning_delta", "context_compacted",
		"plan_update", "turn_diff", "exec_command_begin", "exec_command_output_delta", "patch_apply_begin",
		"mcp_tool_call_begin", "web_search_begin", "raw_response_item", "item_started", "session_configured",
		"collab_agent_spawn_begin", "collab_waiting_begin", "collab_close_begin", "collab_agent_interaction_begin",
		"view_image_tool_call", "image_generation_end", "image_generation_begin", "shutdown_complete",
		"dynamic_tool_call_request", "background_event", "realtime_conversation_started", "skills_update_available",
		"mcp_startup_update", "mcp_startup_complete", "terminal_interaction":
		t.Hide(kind, mirrored)
	case "token_usage_record":
		t.usageRecord()
	case "token_count":
		t.tokenCount()
	case "account/rateLimits/updated", "rate_limits":
		t.Hide("rate_limit_event", personal)
		limits := sources.Make("type", "rate_limit_event", "rate_limit_info", p.Get("rate_limits"))
		t.Record(t.Added() - 1).Raw = limits
	case "task_started", "turn_started":
		t.release()
		t.Hide(kind, bookkeeping)
	case "task_complete", "turn_complete":
		t.turnComplete()
	case "turn.completed":
		if u := p.Get("usage"); u != nil {
			t.usedByTurn(tokensOf(u))
			return
		}
		t.Hide(kind, bookkeeping)
	case "turn_aborted":
		t.turnAborted()
	case "thread_rolled_back":
		t.rolledBack()
	case "exec_command_end":
		t.commandEnd()
	case "patch_apply_end":
		t.ended(kind, p.Text("call_id"), "apply_patch", nil, patchEnd(p))
	case "mcp_tool_call_end":
		t.mcpEnd()
	case "web_search_end":
		t.searchEnd()
	case "dynamic_tool_call_response":
		t.ended(kind, p.Text("call_id"), toolName(p.Text("namespace"), p.Text("tool")), p.Get("arguments"), outcome{
			blocks: t.blocks(p.Get("content_items")), failed: string(p.Get("success")) == "false",
		})
	case "collab_agent_spawn_end":
		t.started(kind, p.Text("call_id"), p.Text("new_thread_id"))
	case "sub_agent_activity":
		if p.Text("kind") == "started" {
			t.started(kind, p.Text("event_id"), p.Text("agent_thread_id"))
			return
		}
		t.Hide(kind, merged)
	case "collab_waiting_end", "collab_agent_interaction_end", "collab_close_end", "collab_resume_end":
		t.Hide(kind, merged)
	case "item_completed":
		t.itemCompleted(p.Get("item"))
	default:
		t.rareEvent(kind)
	}
}

// personal is the rule that hides what identifies an account.
const personal = "personal data"

// rareEvent translates events that few files have.
func (t *translator) rareEvent(kind string) {
	p := t.payload
	switch kind {
	case "thread_name_updated":
		raw := sources.Make("type", "custom-title", "customTitle", p.Text("thread_name"))
		t.Add(transcript.Record{Type: "custom-title", Raw: raw})
	case "thread_settings_applied":
		t.settingsApplied(kind, p.Get("thread_settings"))
	case "entered_review_mode":
		t.reviewStarted(p)
	case "exited_review_mode":
		t.review(p.Get("review_output"))
	case "guardian_assessment":
		action := p.Get("action")
		t.Remark("", sources.About("Guardian", p.Text("status")), "risk", p.Text("risk_level"),
			"why", p.Text("rationale"), "command", transcript.TextOf(transcript.Field(action, "command")))
	case "exec_approval_request", "apply_patch_approval_request", "request_permissions", "elicitation_request":
		command := commandOf(p.Get("command"))
		r := t.Remark("", sources.About("Approval asked", command), "why", p.Text("reason"), "folder", p.Text("cwd"))
		r.ToolUseID = p.Text("call_id")
	case "error", "stream_error":
		text := cmp.Or(p.Text("message"), transcript.String(transcript.Field(p.Get("error"), "message")))
		t.Fail(name(text, "error"))
	case "warning", "guardian_warning", "deprecation_notice":
		t.Remark("warning", name(p.Text("message"), p.Text("summary")), "details", p.Text("details"))
	case "model_reroute":
		t.Remark("", "Model changed from "+p.Text("from_model")+" to "+p.Text("to_model"), "why", p.Text("reason"))
	case "thread_goal_updated":
		goal := p.Get("goal")
		t.Remark("", sources.About("Goal", transcript.String(transcript.Field(goal, "objective"))),
			"status", transcript.String(transcript.Field(goal, "status")))
	case "undo_completed":
		if string(p.Get("success")) == "false" {
			t.Remark("warning", sources.About("Undo failed", p.Text("message")))
			return
		}
		t.Remark("", sources.About("Undone", p.Text("message")))
	case "hook_started", "hook_completed":
		run := p.Get("run")
		if kind == "hook_started" {
			t.Hide(kind, bookkeeping)
			return
		}
		t.Remark("", sources.About("Hook "+transcript.String(transcript.Field(run, "event_name")),
			transcript.String(transcript.Field(run, "status"))), "run", run)
	case "codex/event/raw_item":
		t.Hide(kind, mirrored)
	default:
		t.Add(transcript.Record{Type: name(kind, "event")})
	}
}

// settingsApplied notes settings of the session, and says which have changed.
func (t *translator) settingsApplied(kind string, s jsontext.Value) {
	now := t.now
	set := func(to *string, name string) {
		if s := transcript.String(transcript.Field(s, name)); s != "" {
			*to = s
		}
	}
	set(&now.model, "model")
	set(&now.approvals, "approval_policy")
	set(&now.effort, "reasoning_effort")
	if transcript.Field(s, "model") != nil { // they are all settings: without a tier it is the default one
		now.tier = transcript.String(transcript.Field(s, "service_tier"))
	}
	if now == t.now {
		t.Hide(kind, bookkeeping)
		return
	}
	t.now = now
	t.tell()
}

// asked translates the prompt that the screen showed. The item before it, or after it, repeats the prompt.
func (t *translator) asked(kind, text string) {
	waiting, pending := t.duplicates.prompted, strings.TrimSpace(t.duplicates.asked)
	t.duplicates.prompted, t.duplicates.asked = false, ""
	shown := strings.TrimSpace(text)
	if from, _ := delegated(shown); t.duplicates.items && (from != "" || strings.HasPrefix(shown, heartbeatMark)) {
		t.Hide(kind, mirrored) // the item has it; another session or a schedule wrote it
		return
	}
	again := t.duplicates.shown.repeats(kind, shown) ||
		t.reviewing && t.duplicates.shown == shownPrompt{kind, shown} // written twice
	t.duplicates.shown = shownPrompt{kind, shown}
	within := pending != "" && (strings.Contains(pending, shown) || strings.Contains(shown, pending))
	if again || waiting && (within || pending == shown) {
		t.Hide(kind, mirrored)
		return
	}
	t.release()
	t.duplicates.shown = shownPrompt{kind, shown}
	var blocks []transcript.Block
	typed, contexts := cutRequest(text)
	if typed != "" {
		blocks = append(blocks, t.Text(typed))
	}
	for e := range transcript.Elements(t.payload.Get("images")) {
		blocks = append(blocks, imageBlock(e))
	}
	t.duplicates.drawn = drawnPrompt{shown, len(blocks) - 1}
	withContexts(t.user(transcript.PromptText, blocks...), contexts)
}

// mirror keeps a text until its item comes. In a file without items the text is drawn at once.
func (t *translator) mirror(kind string, to *[]held, block, text string) {
	if !t.duplicates.items {
		t.assistant(transcript.Block{Type: block, Raw: t.Value, Text: text})
		return
	}
	if strings.TrimSpace(text) != "" {
		hold(to, text, t.Pos)
	}
	t.Hide(kind, mirrored)
}

// turnComplete reports how long a turn took, and why it failed.
func (t *translator) turnComplete() {
	p := t.payload
	t.release()
	failure := p.Get("error")
	if text := transcript.String(transcript.Field(failure, "message")); text != "" {
		t.Fail(text)
	}
	if ms := sources.Number(p.Get("duration_ms")); ms > 0 {
		t.System("turn_duration", "", "durationMs", ms)
		return
	}
	t.Hide("task_complete", bookkeeping)
}

// abortWords say why a turn ended before the model was done.
var abortWords = map[string]string{
	"replaced": "Turn ended: another one took its place", "review_ended": "Turn ended with the review",
	"budget_limited": "Turn ended: its budget is used up",
}

func (t *translator) turnAborted() {
	t.release()
	reason := t.payload.Text("reason")
	if words := abortWords[reason]; words != "" {
		t.Remark("warning", words)
		return
	}
	t.user(transcript.InterruptionText, t.Text("[Request interrupted by user]"))
}

// rolledBack undoes the last turns: the session continues from the record before the first of them.
func (t *translator) rolledBack() {
	n := int(min(sources.Number(t.payload.Get("num_turns")), int64(len(t.anchors))))
	if n <= 0 {
		t.Hide("thread_rolled_back", bookkeeping)
		return
	}
	t.parent = t.anchors[len(t.anchors)-n]
	t.anchors = t.anchors[:len(t.anchors)-n]
	sources.Rare(t.Remark("", sources.TakenBack(n, "prompt"))).Rewind = true
}

// commandEnd translates the end of a command.
func (t *translator) commandEnd() {
	p := t.payload
	text := cmp.Or(p.Text("aggregated_output"), p.Text("stdout")+p.Text("stderr"))
	o := outcome{text: text, seconds: seconds(p.Get("duration"))}
	o.setExit(string(p.Get("exit_code")))
	if p.Text("status") == "declined" {
		o.decline()
	}
	command := commandOf(p.Get("command"))
	if p.Text("source") == "user_shell" {
		t.duplicates.shell = command
		t.shell(command, strings.TrimRight(o.text, "\n"))
		return
	}
	input := sources.Make("cmd", command, "workdir", folder(p.Text("cwd")))
	t.ended("exec_command_end", p.Text("call_id"), shellTool, input, o)
}

// folder returns a path that may be written as an address.
func folder(s string) string { return cmp.Or(sources.FilePath(s), s) }

// commandOf returns a command as people write it, given its arguments.
func commandOf(v jsontext.Value) string {
	if transcript.Kind(v) == '"' {
		return transcript.String(v)
	}
	var words []string
	for e := range transcript.Elements(v) {
		words = append(words, transcript.TextOf(e))
	}
	if len(words) == 3 && (words[1] == "-lc" || words[1] == "-c") {
		return words[2]
	}
	return strings.Join(words, " ")
}

// seconds returns a duration, given as {"secs":1,"nanos":5} or as a number.
func seconds(v jsontext.Value) float64 {
	if transcript.Kind(v) == '{' {
		part := func(name string) float64 { return float64(sources.Number(transcript.Field(v, name))) }
		return part("secs") + part("nanos")/1e9
	}
	return transcript.Amount(v)
}

// patchEnd returns the outcome of a patch.
func patchEnd(p sources.Object) outcome {
	o := outcome{text: p.Text("stdout"), changes: p.Get("changes")}
	if s := p.Text("stderr"); s != "" {
		o.text = strings.TrimSpace(o.text + "\n" + s)
	}
	switch status := p.Text("status"); {
	case status == "declined":
		o.decline()
	case status == "failed", string(p.Get("success")) == "false":
		o.failed = true
	}
	return o
}

// mcpEnd translates the end of a call to an MCP server.
func (t *translator) mcpEnd() {
	p := t.payload
	call := p.Get("invocation")
	server, name := transcript.Field(call, "server"), transcript.Field(call, "tool")
	tool := "mcp__" + transcript.String(server) + "__" + transcript.String(name)
	t.ended("mcp_tool_call_end", p.Text("call_id"), tool, transcript.Field(call, "arguments"),
		t.mcpOutcome(p.Get("result"), seconds(p.Get("duration"))))
}

// mcpOutcome returns the outcome of a call to an MCP server: {"Ok":{…}}, {"Err":"…"}, or the bare answer.
func (t *translator) mcpOutcome(v jsontext.Value, took float64) outcome {
	o := outcome{seconds: took}
	if failure := transcript.Field(v, "Err"); failure != nil {
		o.fail(transcript.TextOf(failure))
		return o
	}
	if ok := transcript.Field(v, "Ok"); ok != nil {
		v = ok
	}
	o.failed = string(transcript.Field(v, "isError")) == "true"
	var texts []string
	for _, b := range t.blocks(transcript.Field(v, "content")) {
		switch {
		case b.Type != "text":
			o.blocks = append(o.blocks, b)
		case b.Text != "":
			texts = append(texts, b.Text)
		}
	}
	o.text = strings.Join(texts, "\n")
	return o
}

// searchEnd notes the query of a search for the item that follows.
func (t *translator) searchEnd() {
	p := t.payload
	action := p.Get("action")
	if action == nil {
		action = sources.Make("type", "search", "query", p.Text("query"))
	}
	if c := t.calls[p.Text("call_id")]; c == nil {
		t.duplicates.search = action
	}
	t.Hide("web_search_end", merged)
}

// started links a call to the agent that it started.
func (t *translator) started(kind, call, agent string) {
	if call == "" || agent == "" {
		t.Hide(kind, merged)
		return
	}
	r := transcript.Record{Type: "progress", Raw: leave(kind)}
	r.Rare = &transcript.Rare{ParentToolUseID: call, DataType: "agent_progress", Data: sources.Make("agentId", agent)}
	t.Add(r)
}

// reviewStarted says what a reviewer begins to look at.
func (t *translator) reviewStarted(p sources.Object) {
	t.reviewing = true
	t.Remark("", sources.About("Review started", p.Text("user_facing_hint")))
}

// review translates the findings of a reviewer.
func (t *translator) review(v jsontext.Value) {
	t.reviewing = false
	if v == nil {
		t.Remark("", "Review ended")
		return
	}
	var b strings.Builder
	if s := transcript.String(transcript.Field(v, "overall_explanation")); s != "" {
		b.WriteString(s + "\n\n")
	}
	for f := range transcript.Elements(transcript.Field(v, "findings")) {
		at := transcript.Field(f, "code_location")
		lines := transcript.Field(at, "line_range")
		b.WriteString("- **" + transcript.String(transcript.Field(f, "title")) + "**")
		if path := transcript.String(transcript.Field(at, "absolute_file_path")); path != "" {
			b.WriteString(" `" + path + ":" + transcript.TextOf(transcript.Field(lines, "start")) + "`")
		}
		b.WriteString("\n  " + strings.ReplaceAll(transcript.String(transcript.Field(f, "body")), "\n", "\n  ") + "\n")
	}
	text := b.String()
	if text == "" {
		text = sources.About("Review ended", transcript.String(transcript.Field(v, "overall_correctness")))
	}
	r := t.user(transcript.TeammateText, t.Text(text))
	r.Sender = sources.About("reviewer", transcript.String(transcript.Field(v, "overall_correctness")))
}

// compacted translates a compaction, after which the model no longer sees what came before.
func (t *translator) compacted() {
	p := t.payload
	kept, sealedBytes := 0, int64(0)
	for e := range transcript.Elements(p.Get("replacement_history")) {
		kept++
		if transcript.String(transcript.Field(e, "type")) == "compaction" {
			sealedBytes += sources.SizeOf(transcript.Field(e, "encrypted_content"))
		}
	}
	pairs := []any{"items kept", kept}
	if sealedBytes > 0 {
		pairs = append(pairs, "summary", encryptedWords(sealedBytes))
	}
	t.System("compact_boundary", "", pairs...)
	if text := p.Text("message"); text != "" {
		r := t.user(transcript.SummaryText, t.Text(text))
		r.IsCompactSummary = true
		r.Raw = sources.Make("type", "compacted", "message", text)
		r.Message.Content[0].Raw = r.Raw
	}
}
