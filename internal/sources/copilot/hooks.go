package copilot

import (
	"bytes"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// A hook is a running hook.
type hook struct {
	call  string // the call that it is about, "" for none
	tool  string
	note  string // part of its input that no other event has
	start time.Time
}

// hook translates the start and the end of a hook. It is drawn at its end; its start only repeats the call and its
// result.
func (t *translator) hook(kind string) {
	p := t.data
	id, event := p.Text("hookInvocationId"), p.Text("hookType")
	if kind == "hook.start" {
		t.part.Read(p.Get("input"))
		h := &hook{start: t.Time, tool: t.part.Text("toolName")}
		switch event {
		case "preToolUse", "postToolUse", "postToolUseFailure", "permissionRequest":
			if c := t.hooked(event); c != nil {
				h.call, h.tool = c.id, c.tool
			}
		case "errorOccurred":
			h.note = transcript.String(transcript.Field(t.part.Get("error"), "message"))
		}
		if id != "" {
			t.hooks[id] = h
		}
		t.hide(kind, started)
		return
	}
	h := t.hooks[id]
	if h == nil {
		h = new(hook)
	}
	delete(t.hooks, id)
	if c := t.calls[h.call]; c != nil && h.call != "" {
		t.agent = c.agent
	}
	outcome := "hook_success"
	failure := p.Get("error")
	if string(p.Get("success")) == "false" || failure != nil {
		outcome = "hook_non_blocking_error"
	}
	var took int64
	if !h.start.IsZero() && t.Time.After(h.start) {
		took = t.Time.Sub(h.start).Milliseconds()
	}
	output := p.Get("output")
	text := transcript.TextOf(output)
	if transcript.Kind(output) == 0 || transcript.Kind(output) == 'n' {
		text = ""
	}
	name := h.tool
	if source := transcript.String(transcript.Field(failure, "source")); name == "" {
		name = source
	}
	_, n := utf8.DecodeRuneInString(event)
	event = strings.ToUpper(event[:n]) + event[n:]
	t.attached(outcome, event, h.call, "hookName", name, "content", h.note, "stdout", text,
		"stderr", transcript.String(transcript.Field(failure, "message")), "durationMs", took)
}

// hooked returns the call that a hook runs for. Newer versions name it; older ones give its tool and arguments.
func (t *translator) hooked(event string) *call {
	for e := range transcript.Elements(t.part.Get("toolCalls")) {
		if c := t.calls[transcript.String(transcript.Field(e, "id"))]; c != nil {
			return c
		}
	}
	if c := t.calls[t.part.Text("toolCallId")]; c != nil {
		return c
	}
	tool := t.part.Text("toolName")
	if tool == "" {
		return nil
	}
	given := arguments(t.part.Get("toolArgs"), tool == "apply_patch")
	var named *call
	for i := len(t.recent) - 1; i >= 0 && i >= len(t.recent)-mostRecent; i-- {
		c := t.recent[i]
		if c.tool != tool || event == "preToolUse" && c.answered {
			continue
		}
		if sameJSON(c.input, given) {
			return c
		}
		if named == nil {
			named = c
		}
	}
	return named
}

// sameJSON reports whether two values are equal as text or after normalization.
func sameJSON(a, b jsontext.Value) bool {
	if bytes.Equal(a, b) {
		return true
	}
	if len(a) > 2*len(b)+64 || len(b) > 2*len(a)+64 {
		return false
	}
	a, b = bytes.Clone(a), bytes.Clone(b)
	return a.Canonicalize(sources.Lenient...) == nil && b.Canonicalize(sources.Lenient...) == nil && bytes.Equal(a, b)
}

// session translates an event about the session as a whole.
func (t *translator) session(kind string) {
	p := t.data
	switch kind {
	case "session.start", "session.resume":
		t.sessionStart(kind)
	case "session.model_change":
		t.Model = name(p.Text("newModel"), t.Model)
		t.Settings("model", p.Text("newModel"), "effort", p.Text("reasoningEffort"))
	case "session.auto_mode_resolved":
		t.Settings("model", p.Text("chosenModel"), "effort", p.Text("reasoningBucket"))
	case "session.mode_changed":
		t.Settings("mode", p.Text("newMode"))
	case "session.permissions_changed":
		words := p.Text("mode")
		switch {
		case words == "allow-all", string(p.Get("allowAllPermissions")) == "true":
			words = "all allowed"
		case words == "", words == "manual":
			words = "asked"
		}
		t.Settings("approvals", words)
	case "session.plan_changed":
		t.Remark("", sources.About("Plan", p.Text("operation")))
	case "session.info":
		if p.Text("infoType") == "authentication" { // by the name of the account
			t.hide(kind, personal)
			return
		}
		t.Remark("", p.Text("message"), "kind", p.Text("infoType"))
	case "session.warning":
		t.Remark("warning", p.Text("message"), "kind", p.Text("warningType"))
	case "session.error":
		t.failed(name(p.Text("message"), "error"))
	case "session.context_changed":
		t.context(p.Get("context"), p)
		t.Settings("folder", t.head.cwd)
	case "session.workspace_file_changed":
		t.Remark("", sources.About("File of the session, "+name(p.Text("operation"), "changed"), p.Text("path")))
	case "session.handoff":
		t.Remark("", sources.About("Handed over", p.Text("summary")), "context", p.Text("context"))
	case "session.task_complete":
		t.complete()
	case "session.truncation":
		n := sources.Number(p.Get("tokensRemovedDuringTruncation")) + sources.Number(p.Get("droppedTokens"))
		t.Remark("warning", "Context truncated", "tokens removed", n, "messages removed",
			sources.Number(p.Get("messagesRemovedDuringTruncation")), "limit", sources.Number(p.Get("tokenLimit")),
			"why", p.Text("reason"))
	case "session.context_cleared":
		t.System("compact_boundary", "", "compactMetadata", sources.Make("trigger", "cleared"))
	case "session.compaction_complete":
		t.compacted()
	case "session.shutdown":
		t.shutdown()
	case "session.title_changed":
		raw := sources.Make("type", "custom-title", "customTitle", p.Text("title"))
		t.Add(transcript.Record{Type: "custom-title", Raw: raw})
	case "session.snapshot_rewind", "session.idle", "session.usage_info", "session.todos_changed",
		"session.tools_updated", "session.background_tasks_changed", "session.remote_steerable_changed",
		"session.skills_loaded", "session.custom_agents_updated", "session.mcp_servers_loaded",
		"session.mcp_server_status_changed", "session.extensions_loaded", "session.schedule_rearmed",
		"session.canvas.recorded", "session.canvas.removed", "session.completion_receipt":
		t.hide(kind, bookkeeping)
	default:
		t.rareSession(kind)
	}
}

// rareSession translates events about the session that few files have.
func (t *translator) rareSession(kind string) {
	p := t.data
	switch kind {
	case "session.session_limits_changed":
		var limits []string
		for limit, v := range transcript.Members(p.Get("sessionLimits")) {
			limits = append(limits, limit+" "+transcript.TextOf(v))
		}
		t.Remark("", sources.About("Limits of the session", strings.Join(limits, ", ")))
	case "session.schedule_created":
		t.Remark("", sources.About("Prompt scheduled", name(p.Text("displayPrompt"), p.Text("prompt"))),
			"schedule", transcript.TextOf(p.Get("id")), "by", p.Text("origin"), "cron", p.Text("cron"),
			"every ms", sources.Number(p.Get("intervalMs")))
	case "session.schedule_cancelled":
		t.Remark("", "Scheduled prompt cancelled", "schedule", transcript.TextOf(p.Get("id")))
	case "session.autopilot_objective_changed":
		what := strings.ReplaceAll(name(p.Text("status"), p.Text("operation")), "_", " ")
		t.Remark("", sources.About("Objective", what))
	case "session.mode_notice_delivered":
		if text := p.Text("content"); text != "" {
			t.User(transcript.InjectedText, t.Text(text))
			return
		}
		t.hide(kind, bookkeeping)
	case "session.binary_asset":
		t.asset()
	default:
		if string(t.line.Get("ephemeral")) == "true" {
			t.hide(kind, streamed)
			return
		}
		t.Add(transcript.Record{Type: kind})
	}
}

// context translates where the session runs.
func (t *translator) context(v jsontext.Value, p sources.Object) {
	t.part.Read(v)
	if v == nil {
		t.part = append(t.part[:0], p...)
	}
	if cwd := t.part.Text("cwd"); cwd != "" {
		t.head.cwd = cwd
	} else if root := t.part.Text("gitRoot"); t.head.cwd == "" {
		t.head.cwd = root
	}
	if branch := t.part.Text("branch"); branch != "" {
		t.head.branch = branch
	}
}

// sessionStart translates the head of a session. The first one describes the file.
func (t *translator) sessionStart(kind string) {
	p := t.data
	t.output = nil
	words := "Session started"
	if kind == "session.resume" {
		words = "Session resumed"
	}
	if id := p.Text("sessionId"); t.head.id == "" {
		t.head.id = id
	}
	t.context(p.Get("context"), p)
	about := t.part
	if version := p.Text("copilotVersion"); version != "" {
		t.head.version = version
	}
	if model := p.Text("selectedModel"); model != "" {
		t.Model = model
	}
	t.Remark("", words, "folder", about.Text("cwd"), "program", p.Text("producer"),
		"Copilot", p.Text("copilotVersion"), "repository", about.Text("repository"), "host", about.Text("hostType"),
		"branch", about.Text("branch"),
		"commit", about.Text("headCommit"), "model", p.Text("selectedModel"), "effort", p.Text("reasoningEffort"),
		"context", p.Text("contextTier"), "events before", sources.Number(p.Get("eventCount")))
}

// failed adds a record of a request that failed.
func (t *translator) failed(text string) {
	code := t.data.Get("statusCode")
	if sources.Number(code) > 0 && !strings.Contains(text, string(code)) {
		text += " (status " + string(code) + ")"
	}
	m := &transcript.Message{Role: "assistant", Model: "<synthetic>", Content: []transcript.Block{t.Text(text)}}
	t.Add(transcript.Record{Type: "assistant", Message: m, IsAPIError: true})
}

// complete reports that the task is done. Mostly the model calls a tool to say so.
func (t *translator) complete() {
	summary := strings.TrimSpace(t.data.Text("summary"))
	if t.done != "" && (summary == "" || summary == t.done) {
		t.hide("session.task_complete", repeated)
		return
	}
	level, words := "", "Task complete"
	ended := t.data.Text("outcome")
	if string(t.data.Get("success")) == "false" || ended != "" && ended != "completed" {
		level, words = "warning", "Task not complete"
	}
	t.Remark(level, sources.About(words, summary))
}

// compacted translates a compaction and its summary, which replaces what the model saw before.
func (t *translator) compacted() {
	p := t.data
	if string(p.Get("success")) == "false" {
		t.Remark("warning", sources.About("Compaction failed", p.Text("error")))
		return
	}
	used := p.Get("compactionTokensUsed")
	t.System("compact_boundary", "", "compactMetadata", sources.Make(
		"preTokens", sources.Number(p.Get("preCompactionTokens")),
		"postTokens", sources.Number(p.Get("postCompactionTokens")),
		"durationMs", sources.Number(transcript.Field(used, "duration"))))
	if text := p.Text("summaryContent"); text != "" {
		r := t.User(transcript.SummaryText, t.Text(text))
		r.IsCompactSummary = true
		r.Raw = sources.Make("type", "session.compaction_complete", "checkpointPath", p.Text("checkpointPath"))
	}
}

// shutdown translates the totals at the end. Its tokens are those of all requests to a model since the program started.
func (t *translator) shutdown() {
	p := t.data
	pairs := []any{
		"why", p.Text("shutdownType"), "premium requests", p.Get("totalPremiumRequests"),
		"AI units", float64(sources.Number(p.Get("totalNanoAiu"))) / 1e9,
		"API time in ms", sources.Number(p.Get("totalApiDurationMs")),
		"context tokens", sources.Number(p.Get("currentTokens")),
	}
	for model, v := range transcript.Members(p.Get("modelMetrics")) {
		usage := transcript.Field(v, "usage")
		pairs = append(pairs, model, sources.Make(
			"requests", sources.Number(transcript.Field(transcript.Field(v, "requests"), "count")),
			"input tokens", sources.Number(transcript.Field(usage, "inputTokens")),
			"of which from the cache", sources.Number(transcript.Field(usage, "cacheReadTokens")),
			"of which into the cache", sources.Number(transcript.Field(usage, "cacheWriteTokens")),
			"output tokens", sources.Number(transcript.Field(usage, "outputTokens")),
			"of which reasoning", sources.Number(transcript.Field(usage, "reasoningTokens"))))
	}
	pairs = append(pairs, agentUnits(p.Get("agentMetrics"))...)
	level, words := "", "Session ended"
	if p.Text("shutdownType") == "error" {
		level, words = "error", sources.About("Session ended with an error", p.Text("errorReason"))
	}
	t.used(p.Get("modelMetrics"))
	r := t.Remark(level, words, append(pairs, "lines changed", p.Get("codeChanges"))...)
	sources.Rare(r).Credits = t.credits()
}

// used adds what the requests to each model used since the program started, without the output that answers have.
func (t *translator) used(metrics jsontext.Value) {
	var more int64 // output that no answer has, such as that of a summary
	for _, v := range transcript.Members(metrics) {
		more += sources.Number(transcript.Field(transcript.Field(v, "usage"), "outputTokens"))
	}
	for _, n := range t.output {
		more -= n
	}
	for model, v := range transcript.Members(metrics) {
		var usage sources.Object
		usage.Read(transcript.Field(v, "usage"))
		u := transcript.Usage{
			CacheRead:  sources.Number(usage.Get("cacheReadTokens")),
			CacheWrite: sources.Number(usage.Get("cacheWriteTokens")),
		}
		u.Input = max(0, sources.Number(usage.Get("inputTokens"))-u.CacheRead-u.CacheWrite)
		u.Output = max(0, min(more, sources.Number(usage.Get("outputTokens"))-t.output[model]))
		more -= u.Output
		if u != (transcript.Usage{}) {
			t.UsedBySession(u, tokens).Message.Model = model
		}
	}
	t.output = nil
}

// agentUnits returns the AI units of agents, as pairs. Agents of the same name are one.
func agentUnits(metrics jsontext.Value) (pairs []any) {
	at := make(map[string]int) // the place of the units of each name
	for agent, v := range transcript.Members(metrics) {
		if agent == "main" {
			continue
		}
		what := "AI units of " + name(transcript.String(transcript.Field(v, "agentName")), "agent")
		units := float64(sources.Number(transcript.Field(v, "totalNanoAiu"))) / 1e9
		if i, ok := at[what]; ok {
			pairs[i] = pairs[i].(float64) + units
			continue
		}
		pairs = append(pairs, what, units)
		at[what] = len(pairs) - 1
	}
	return pairs
}

// credits returns what the program counted of the subscription since it started.
func (t *translator) credits() []transcript.Credit {
	var all []transcript.Credit
	if v := t.data.Get("totalPremiumRequests"); v != nil {
		all = append(all, transcript.Credit{Unit: "premium requests", Used: sources.Fraction(v)})
	}
	if v := t.data.Get("totalNanoAiu"); v != nil {
		all = append(all, transcript.Credit{Unit: "AI units", Used: float64(sources.Number(v)) / 1e9})
	}
	return all
}
