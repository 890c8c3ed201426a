package kimi

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// The rules that hide records, in addition to those shared by all writers.
const (
	bookkeeping = "bookkeeping"
	mirrored    = "mirrored texts" // prompts that are added to the context
	tokens      = "token counts"
	tools       = "lists of tools"
	empty       = "empty messages"
)

// A translator turns the lines of one log into records. It remembers what earlier lines said.
type translator struct {
	sources.Builder
	line, event sources.Object
	prompts     map[string]int // how many are not in the context yet, by their content
	step        string         // the id of the request that is being answered
	counted     string         // the tokens of the last request that ended
	stopped     string         // why the current turn broke off, as a line before its end said
	old         old
}

// Translate turns a line into records.
func (t *translator) Translate(pos transcript.Pos, v jsontext.Value) ([]transcript.Record, []transcript.Problem) {
	t.Begin(pos, v)
	t.line.Read(v)
	p := t.line
	kind := p.Text("type")
	if kind == "" && p.Text("role") != "" {
		t.kept()
		return t.Done(p.Text("role"))
	}
	if m := p.Get("message"); kind == "" && m != nil {
		t.setSeconds(p.Get("timestamp"))
		t.event.Read(m)
		kind = t.event.Text("type")
		t.old.payload = t.event.Get("payload")
		t.event.Read(t.old.payload)
		t.oldEvent(kind)
		return t.Done(kind)
	}
	t.SetTime(p.Get("time", "created_at"))
	switch kind {
	case "context.append_loop_event":
		t.event.Read(p.Get("event"))
		kind = t.event.Text("type")
		t.loopEvent(kind)
	case "context.append_message":
		t.event.Read(p.Get("message"))
		t.message()
	default:
		t.other(kind)
	}
	return t.Done(kind)
}

// other translates a line that is not a message.
func (t *translator) other(kind string) {
	p := t.line
	switch kind {
	case "metadata":
		t.Remark("", "Session started", "version of the format", transcript.TextOf(p.Get("protocol_version")))
	case "turn.prompt", "turn.steer":
		if kind == "turn.prompt" {
			t.stopped = ""
		}
		t.prompt(p.Get("input"), p.Get("origin"))
	case "turn.cancel":
		t.interrupted()
	case "turn.step.interrupted":
		t.broken(kind)
	case "turn.ended":
		t.ended(kind)
	case "config.update", "profile.bind":
		t.settings(kind)
	case "llm.request":
		if model := p.Text("model"); model != "" {
			t.Model = model
		}
		t.Hide(kind, bookkeeping)
	case "usage.record":
		usage := p.Get("usage")
		if compact(usage) == t.counted && t.counted != "" {
			t.counted = ""
			t.Hide(kind, mirrored)
			return
		}
		t.Used(usageOf(usage), tokens)
	case "permission.record_approval_result":
		result := p.Get("result")
		decision := transcript.String(transcript.Field(result, "decision"))
		if scope := transcript.String(transcript.Field(result, "scope")); scope != "" {
			decision += " for the " + scope
		}
		t.Attach("hook_permission_decision", "PermissionRequest", p.Text("toolCallId"), "hookName", p.Text("toolName"),
			"decision", decision, "message", transcript.String(transcript.Field(result, "feedback")))
	case "permission.set_mode":
		t.Settings("approvals", p.Text("mode"))
	case "plan_mode.enter", "plan_mode.exit":
		mode := "plan"
		if kind == "plan_mode.exit" {
			mode = "default"
		}
		t.Settings("mode", mode)
	case "context.apply_compaction":
		meta := sources.Make("preTokens", p.Get("tokensBefore"), "postTokens", p.Get("tokensAfter"))
		t.compacted(meta, p.Text("summary"))
	case "context.clear":
		t.Remark("", "Cleared: the model is sent nothing of what was said before")
	default:
		if rule := hidden[kind]; rule != "" {
			t.Hide(kind, rule)
			return
		}
		t.notice(kind)
	}
}

// interrupted adds that the human broke off the turn.
func (t *translator) interrupted() {
	t.stopped = cancelled
	t.User(transcript.InterruptionText, t.Text("[Request interrupted by user]"))
}

// cancelled is the reason of a turn that the human broke off.
const cancelled = "cancelled"

// broken translates a request that was broken off. If the human did it, other lines say so.
func (t *translator) broken(kind string) {
	switch reason := t.line.Text("reason"); reason {
	case "error", "max_steps":
		text := t.line.Text("message")
		if text == "" && reason == "max_steps" {
			text = "The turn reached its limit of steps."
		}
		t.stopped = cmp.Or(text, "The request failed.")
		t.Fail(t.stopped)
	default:
		t.Hide(kind, bookkeeping)
	}
}

// ended translates the end of a turn. What it has in common with an earlier line is shown once.
func (t *translator) ended(kind string) {
	reason, before := t.line.Text("reason"), t.stopped
	t.stopped = ""
	text := transcript.String(transcript.Field(t.line.Get("error"), "message"))
	switch {
	case reason == "" || reason == "completed":
		t.Hide(kind, bookkeeping)
	case reason == cancelled && before != cancelled:
		t.interrupted()
		t.stopped = ""
	case before != "" && (text == "" || text == before || reason == cancelled):
		t.Hide(kind, mirrored)
	case reason == "blocked":
		t.Remark("warning", sources.About("A hook blocked the prompt", text))
	case reason == "filtered" && text == "":
		t.Fail("The answer was blocked by the provider.")
	case reason == "failed" || reason == "filtered":
		t.Fail(cmp.Or(text, "The turn failed."))
	default:
		t.Remark("", sources.About("Turn ended: "+reason, text))
	}
}

// hidden are the rules that hide lines, by kind.
var hidden = map[string]string{
	"tools.set_active_tools":        tools,
	"tools.register_user_tool":      tools,
	"tools.unregister_user_tool":    tools,
	"tools.reset_active_tools":      tools,
	"tools.update_store":            bookkeeping, // what the calls say
	"llm.tools_snapshot":            tools,
	"mcp.tools_discovered":          tools,
	"agent.message.appended":        mirrored,
	"agent.switched":                bookkeeping,
	"agent.turn.started":            bookkeeping,
	"agent.turn.ended":              bookkeeping,
	"full_compaction.begin":         bookkeeping,
	"full_compaction.complete":      bookkeeping,
	"micro_compaction.apply":        bookkeeping,
	"plugin.session_start":          bookkeeping,
	"runtime.set_binding":           bookkeeping,
	"token_counting.measured":       bookkeeping,
	"token_counting.rebased":        bookkeeping,
	"token_counting.truncated":      bookkeeping,
	"token_counting.turn_recorded":  bookkeeping,
	"file_history.tracked":          bookkeeping,
	"file_history.checkpoint":       bookkeeping,
	"prompt.accepted":               mirrored,
	"prompt.aborted":                bookkeeping,
	"prompt.completed":              bookkeeping,
	"prompt.steered":                bookkeeping,
	"task.started":                  bookkeeping, // the call says it
	"task.terminated":               bookkeeping, // a notification says it
	"task.waitDelivered":            bookkeeping,
	"subagent.started":              bookkeeping,
	"subagent.completed":            bookkeeping, // with the tokens that the log of the agent has
	"background.stop":               bookkeeping,
	"context.undone":                bookkeeping, // what context.undo says
	"context.update_token_count":    tokens,
	"interaction.request":           bookkeeping, // the call says it
	"interaction.resolved":          bookkeeping, // as above, and the result of the approval
	"interruptionReminder.recorded": bookkeeping,
	"plan.revision":                 bookkeeping, // the call that submits the plan says it
	"cron.add":                      bookkeeping, // the call says it
	"cron.cursor":                   bookkeeping,
	"cron.delete":                   bookkeeping,
	"staleGuard.recorded":           bookkeeping,
	"staleGuard.cleared":            bookkeeping,
}

// notice translates a line that says what became of the session or of an agent.
func (t *translator) notice(kind string) {
	p := t.line
	switch kind {
	case "plan_mode.cancel", "swarm_mode.exit", "tower_mode.exit":
		t.Settings("mode", "default")
	case "swarm_mode.enter":
		t.Settings("mode", "swarm")
	case "tower_mode.enter":
		t.Settings("mode", "tower")
	case "subagent.spawned":
		if !t.started(p.Text("parentToolCallId"), p.Text("subagentId")) {
			t.Hide(kind, bookkeeping)
		}
	case "context.undo":
		text := "Undone: the model is sent nothing of the last prompts"
		t.Remark("", text, "prompts", transcript.TextOf(p.Get("count")))
	case "full_compaction.cancel":
		t.Remark("", "The compaction was cancelled")
	case "forked":
		t.Remark("", "Forked from another session", "session", p.Text("sourceSessionId"))
	case "turn.step.retrying":
		why := p.Text("errorMessage", "errorName")
		t.Remark("warning", sources.About("Request failed, and is sent again", why),
			"status", transcript.TextOf(p.Get("statusCode")), "attempt", transcript.TextOf(p.Get("nextAttempt")))
	case "subagent.failed":
		t.Remark("error", sources.About("Agent failed", p.Text("error")), "agent", p.Text("subagentId"))
	case "subagent.cancelled":
		t.Remark("", "Agent was cancelled", "agent", p.Text("subagentId"))
	case "goal.create":
		t.Remark("", sources.About("Goal", p.Text("objective")))
	case "goal.update":
		status := p.Text("status")
		if status == "" { // it only counts turns and tokens
			t.Hide(kind, bookkeeping)
			return
		}
		t.Remark("", "Goal: "+status, "why", p.Text("reason"))
	case "goal.clear":
		t.Remark("", "Goal cleared")
	}
}

// started links a call to an agent that it started. It reports whether both are known.
func (t *translator) started(call, agent string) bool {
	if call == "" || agent == "" {
		return false
	}
	r := transcript.Record{Type: "progress", Raw: sources.Make("type", "agent_progress", "agentId", agent)}
	r.Rare = &transcript.Rare{ParentToolUseID: call, DataType: "agent_progress", Data: sources.Make("agentId", agent)}
	t.Add(r)
	return true
}

func (t *translator) compacted(meta jsontext.Value, summary string) {
	t.System("compact_boundary", "", "compactMetadata", meta)
	if summary != "" {
		t.User(transcript.SummaryText, t.Text(summary)).IsCompactSummary = true
	}
}

// settings translates the settings of the session or its agent, and the system prompt.
func (t *translator) settings(kind string) {
	p := t.line
	cwd := cmp.Or(p.Text("cwd"), transcript.String(transcript.Field(p.Get("environmentDisclosure"), "cwd")))
	t.CWD = cmp.Or(t.CWD, cwd)
	model, effort, mode := p.Text("modelAlias"), p.Text("thinkingEffort"), p.Text("profileName")
	if model != "" {
		t.Model = model[strings.LastIndexByte(model, '/')+1:]
	}
	if model+effort+mode+cwd != "" {
		t.Settings("model", model, "effort", effort, "mode", mode, "folder", cwd)
	}
	if prompt := p.Text("systemPrompt"); prompt != "" {
		t.Snapshot(prompt, nil)
	}
	if t.Added() == 0 {
		t.Hide(kind, bookkeeping)
	}
}

// prompt notes a prompt, which is added to the context later.
func (t *translator) prompt(input, origin jsontext.Value) {
	blocks := t.ChatBlocks(input)
	if len(blocks) == 0 {
		t.Hide("turn.prompt", empty)
		return
	}
	if t.prompts == nil {
		t.prompts = make(map[string]int)
	}
	t.prompts[compact(input)]++
	t.asked(origin, blocks)
}

// compact returns JSON without white space: what is the same may be indented differently.
func compact(v jsontext.Value) string {
	v = v.Clone()
	_ = v.Compact() // anything but JSON stays as it is
	return string(v)
}

// textKind returns who wrote a text, by where it came from.
func textKind(origin jsontext.Value) transcript.TextKind {
	switch transcript.String(transcript.Field(origin, "kind")) {
	case "user", "":
		return transcript.PromptText
	case "system_trigger":
		if transcript.String(transcript.Field(origin, "name")) == "subagent" {
			return transcript.PromptText // the task
		}
	case "shell_command": // of the human, between tags
		return transcript.AnyText
	}
	return transcript.InjectedText
}

// message translates a message that was added to the context.
func (t *translator) message() {
	p := t.event
	if p.Text("role") != "user" {
		if t.Chat(p) && t.Added() == 0 {
			t.Hide("message", empty)
		}
		return
	}
	content := p.Get("content")
	if text := compact(content); t.prompts[text] > 0 { // typed before
		t.prompts[text]--
		t.Hide("message", mirrored)
		return
	}
	blocks := t.ChatBlocks(content)
	if len(blocks) == 0 {
		t.Hide("message", empty)
		return
	}
	t.asked(p.Get("origin"), blocks)
}

// asked adds a message in the role of the user, after the command of the human that the program replaced by it.
func (t *translator) asked(origin jsontext.Value, blocks []transcript.Block) {
	var o sources.Object
	o.Read(origin)
	name, arguments := o.Text("skillName"), o.Text("skillArgs")
	if o.Text("kind") == "plugin_command" {
		name, arguments = o.Text("commandName"), o.Text("commandArgs")
	}
	if name != "" && o.Text("trigger") == "user-slash" {
		t.User(transcript.CommandText, t.Text(strings.TrimSpace("/"+name+" "+arguments)))
	}
	t.User(textKind(origin), blocks...)
}

// loopEvent translates an event within a turn.
func (t *translator) loopEvent(kind string) {
	p := t.event
	switch kind {
	case "step.begin":
		t.step = p.Text("uuid")
		t.Hide(kind, bookkeeping)
	case "content.part":
		t.answer(t.ChatBlocks(p.Get("part"))...)
	case "tool.call":
		t.CWD = cmp.Or(t.CWD, transcript.String(transcript.Field(p.Get("display"), "cwd")))
		t.answer(t.Call(p.Text("toolCallId"), p.Text("name"), sources.Arguments(p.Get("args"))))
	case "tool.result":
		t.result(p.Text("toolCallId"), p.Get("result"))
	case "step.end":
		usage := p.Get("usage")
		t.counted = compact(usage)
		r := t.answer()
		r.Message.Usage, r.Message.HasUsage = usageOf(usage), usage != nil
		r.Message.StopReason = p.Text("finishReason")
		r.Raw = sources.Make("type", kind)
		sources.Rare(r).Hidden = tokens
	}
}

// answer adds what the model wrote in the current request.
func (t *translator) answer(blocks ...transcript.Block) *transcript.Record {
	r := t.Answer(blocks...)
	if t.step != "" {
		r.Message.ID = t.step
	}
	return r
}

// usageOf reads the tokens of a request, in both spellings.
func usageOf(v jsontext.Value) transcript.Usage {
	var p sources.Object
	p.Read(v)
	n := func(name, old string) int64 { return sources.Number(p.Get(name)) + sources.Number(p.Get(old)) }
	return transcript.Usage{
		Input: n("inputOther", "input_other"), Output: sources.Number(p.Get("output")),
		CacheRead: n("inputCacheRead", "input_cache_read"), CacheWrite: n("inputCacheCreation", "input_cache_creation"),
	}
}

// setSeconds sets the time from a number of seconds with a fraction.
func (t *translator) setSeconds(v jsontext.Value) {
	seconds := transcript.Amount(v)
	if seconds == 0 || seconds > 1e11 {
		t.SetTime(v)
		return
	}
	t.SetTime(jsontext.Value(strconv.FormatInt(int64(seconds*1000), 10)))
}
