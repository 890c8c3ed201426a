package copilot

import (
	"bytes"
	"cmp"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// A call is what is known of a call.
type call struct {
	id, tool string // the name in the events
	name     string // with the server, for MCP tools
	agent    string // the agent that made it
	input    jsontext.Value
	intent   string // of report_intent, which only announces what comes next
	user     bool   // made by the human
	running  bool
	answered bool
	denied   string // see transcript.Rare.ToolDenialKind
	start    time.Time
}

// mostRecent is how many calls are searched for the one of a hook. A message has a few.
const mostRecent = 64

// arguments returns the input of a call: an object, the text of a custom tool, or a string that holds an object. Models
// sometimes write invalid JSON there.
func arguments(v jsontext.Value, custom bool) jsontext.Value {
	switch {
	case v == nil:
		return jsontext.Value("{}")
	case custom:
		return v
	}
	return sources.Arguments(v)
}

// request reads a call from a message. It returns nil if an earlier message had it.
func (t *translator) request() *call {
	p := t.part
	tool := p.Text("name")
	c := &call{
		id: p.Text("toolCallId"), tool: tool, name: toolName(tool, p), agent: t.agent,
		input: arguments(p.Get("arguments"), p.Text("type") == "custom" || tool == "apply_patch"), start: t.Time,
	}
	if tool == "report_intent" {
		c.intent = transcript.String(transcript.Field(c.input, "intent"))
	}
	return t.keep(c)
}

// keep notes a call. It returns nil if the call is known and has no result yet.
func (t *translator) keep(c *call) *call {
	if was := t.calls[c.id]; was != nil && c.id != "" && !was.answered {
		return nil
	}
	if c.tool == "task_complete" {
		t.done = strings.TrimSpace(transcript.String(transcript.Field(c.input, "summary")))
	}
	c.input = bytes.Clone(c.input)
	if c.id != "" {
		t.calls[c.id] = c
	}
	t.recent = append(t.recent, c)
	if len(t.recent) > 2*mostRecent {
		t.recent = append(t.recent[:0], t.recent[mostRecent:]...)
	}
	return c
}

// toolName returns the name of a tool, for MCP tools with the server: mcp__docs__search.
func toolName(tool string, p sources.Object) string {
	server, name := p.Text("mcpServerName"), p.Text("mcpToolName")
	if server == "" {
		return tool
	}
	name = cmp.Or(name, strings.TrimPrefix(tool, server+"-"))
	return "mcp__" + server + "__" + name
}

// executionStart translates the start of a call. The call is drawn here if no message had it.
func (t *translator) executionStart(kind string) {
	p := t.data
	id, tool := p.Text("toolCallId"), p.Text("toolName")
	if c := t.calls[id]; c != nil && id != "" && !c.running {
		c.running, c.start = true, t.Time
		t.hide(kind, merged)
		return
	}
	c := &call{
		id: id, tool: tool, name: toolName(tool, p), agent: t.agent, running: true, start: t.Time,
		input: arguments(p.Get("arguments"), tool == "apply_patch"), user: kind == "tool.user_requested",
	}
	if kept := t.keep(c); kept == nil {
		t.hide(kind, merged)
		return
	}
	if c.user {
		command := cmp.Or(transcript.String(transcript.Field(c.input, "command")), tool+" "+string(c.input))
		t.User(transcript.ShellText, t.Text(command))
		return
	}
	t.addCall(c)
}

// addCall adds a call, or the intent of the agent that some calls only report.
func (t *translator) addCall(c *call) {
	if c.tool == "report_intent" {
		c.intent = transcript.String(transcript.Field(c.input, "intent"))
	}
	if c.intent != "" {
		t.caption(c.intent, "")
		return
	}
	t.assistant(transcript.Block{Type: "tool_use", Raw: t.Value, ID: c.id, Name: c.name, Input: c.input})
}

// executionComplete translates the result of a call.
func (t *translator) executionComplete() {
	p := t.data
	id := p.Text("toolCallId")
	c := t.calls[id]
	if c == nil {
		c = &call{id: id, tool: p.Text("toolName"), agent: t.agent}
		if id != "" {
			t.calls[id] = c
		}
	}
	if c.agent != t.agent && t.agent == "" {
		t.agent = c.agent // events of 2025 do not name the agent
	}
	if c.intent != "" {
		c.answered = true
		t.hide("tool.execution_complete", merged)
		return
	}
	if c.answered {
		t.hide("tool.execution_complete", "repeated results")
		return
	}
	c.answered = true
	result := p.Get("result")
	o := outcome{failed: string(p.Get("success")) == "false"}
	blocks := t.contents(result, c, &o)
	if c.user {
		t.User(transcript.OutputText, blocks...)
		return
	}
	if failure := p.Get("error"); failure != nil {
		t.failure(failure, c, &o, &blocks)
	}
	if ms := t.Time.Sub(c.start); !t.Time.IsZero() && !c.start.IsZero() && ms > 0 {
		o.seconds = ms.Seconds()
	}
	raw := sources.Make("type", "tool_result", "structuredContent", transcript.Field(result, "structuredContent"))
	b := transcript.Block{Type: "tool_result", Raw: raw, ToolUseID: id, IsError: o.failed, Content: blocks}
	r := transcript.Record{Type: "user", Message: &transcript.Message{Role: "user", Content: []transcript.Block{b}}}
	r.ToolUseResult = o.encode(c)
	r.Raw = sources.Make("type", "tool.execution_complete", "toolCallId", id)
	if o.denied != "" {
		sources.Rare(&r).ToolDenialKind = o.denied
	}
	t.Add(r)
}

// contents returns the blocks of a result as the model was sent it. The log has the text for the model, the text for
// people, and both again in hooks. Only a diff in the text for people adds something.
func (t *translator) contents(result jsontext.Value, c *call, o *outcome) []transcript.Block {
	if transcript.Kind(result) == '"' {
		return []transcript.Block{{Type: "text", Raw: sources.Make("type", "text"), Text: transcript.String(result)}}
	}
	t.part.Read(result)
	text, detailed := t.part.Text("content"), t.part.Text("detailedContent")
	text = cmp.Or(text, detailed)
	if shells[c.tool] {
		text = o.shell(text)
	}
	if strings.Contains(detailed, "\n@@ ") {
		o.hunks = hunks(detailed)
	}
	var blocks []transcript.Block
	if text != "" {
		blocks = append(blocks, transcript.Block{Type: "text", Raw: sources.Make("type", "text"), Text: text})
	}
	sent, pictured := t.part.Get("binaryResultsForLlm"), false
	for e := range transcript.Elements(t.part.Get("contents")) {
		kind := transcript.String(transcript.Field(e, "type"))
		switch kind {
		case "terminal", "shell_exit": // repeat the text, which may be cut before the exit code
			if o.exit == "" && shells[c.tool] {
				o.exited(string(transcript.Field(e, "exitCode")))
			}
		case "text": // repeats the text
		case "image":
			pictured = true
			blocks = append(blocks, t.image(e))
		case "audio":
			n := len(transcript.Field(e, "data"))
			blocks = append(blocks, t.Text("(audio: "+strconv.Itoa(n)+" bytes)"))
		default:
			blocks = append(blocks, transcript.Block{Type: name(kind, "content"), Raw: e})
		}
	}
	for e := range transcript.Elements(sent) { // the pictures as the model was sent them
		if !pictured && strings.HasPrefix(transcript.String(transcript.Field(e, "mimeType")), "image/") {
			blocks = append(blocks, t.image(e))
		}
	}
	return blocks
}

// image returns a picture of a result, which may be in an earlier event or left out.
func (t *translator) image(e jsontext.Value) transcript.Block {
	source, known := t.assets[transcript.String(transcript.Field(e, "assetId"))]
	if data := transcript.Field(e, "data"); !known && transcript.Kind(data) == '"' {
		media := transcript.String(transcript.Field(e, "mimeType"))
		source, known = transcript.Source{Kind: "base64", MediaType: media, Data: data}, true
	}
	if !known {
		return t.Text("(a picture that is not in the log)")
	}
	return transcript.Block{Type: "image", Raw: sources.Make("type", "image"), Source: source}
}

// failure reads why a call failed or did not run.
func (t *translator) failure(v jsontext.Value, c *call, o *outcome, blocks *[]transcript.Block) {
	text := transcript.String(transcript.Field(v, "message"))
	if transcript.Kind(v) == '"' {
		text = transcript.String(v)
	}
	o.failed = true
	code := transcript.String(transcript.Field(v, "code"))
	switch {
	case strings.HasPrefix(text, "Denied by preToolUse hook"):
		o.denied = "hook"
	case code == "denied", code == "rejected":
		o.denied = "permission-rule"
		if c.denied != "" {
			o.denied = c.denied
		} else if code == "rejected" {
			o.denied = "user-rejected"
		}
	}
	for _, b := range *blocks {
		if strings.Contains(b.Text, text) {
			return
		}
	}
	*blocks = append(*blocks, transcript.Block{Type: "text", Raw: sources.Make("type", "text"), Text: text})
}

// permission translates a request for permission and the answer.
func (t *translator) permission(kind string) {
	p := t.data
	request := p.Text("requestId")
	asked := p.Get("permissionRequest")
	if kind == "permission.requested" {
		id := transcript.String(transcript.Field(asked, "toolCallId"))
		if id != "" && request != "" {
			t.asked[request] = id
		}
		t.hide(kind, merged)
		return
	}
	id := p.Text("toolCallId")
	if id == "" {
		id = t.asked[request]
	}
	delete(t.asked, request)
	result := p.Get("result")
	decision := transcript.String(transcript.Field(result, "kind"))
	feedback := transcript.String(transcript.Field(result, "feedback"))
	c := t.calls[id]
	tool := ""
	if c != nil {
		tool, t.agent = c.tool, c.agent
		switch {
		case strings.HasPrefix(decision, "denied-interactively-by-user"):
			c.denied = "user-rejected"
		case decision == "denied-by-permission-request-hook":
			c.denied = "hook"
		case decision == "cancelled":
			c.denied = "interrupted"
		case strings.HasPrefix(decision, "denied"):
			c.denied = "permission-rule"
		}
	}
	t.attached("hook_permission_decision", "PermissionRequest", id, "hookName", tool,
		"decision", strings.ReplaceAll(decision, "-", " "), "message", feedback)
}

// attached adds an event of a call.
func (t *translator) attached(kind, event, id string, pairs ...any) {
	pairs = append([]any{"type", kind, "hookEvent", event, "toolUseID", id}, pairs...)
	raw := sources.Make(pairs...)
	a := &transcript.Attachment{Type: kind, HookEvent: event, ToolUseID: id, Raw: raw}
	whole := sources.Make("type", "attachment", "attachment", raw)
	t.Add(transcript.Record{Type: "attachment", Raw: whole, Attachment: a})
}

// subagent links a call to its agent, with the result of the call or after it when the agent ran in the background.
func (t *translator) subagent(kind string) {
	p := t.data
	id := p.Text("toolCallId")
	c := t.calls[id]
	who := name(p.Text("agentDisplayName"), "Agent")
	switch kind {
	case "subagent.started":
		t.hide(kind, merged)
		return
	case "subagent.failed":
		t.Remark("error", who+" failed: "+p.Text("error")).ToolUseID = id
		return
	}
	words := who + " completed"
	if string(p.Get("cancelled")) == "true" {
		words = who + " was cancelled"
	}
	for _, count := range []struct{ name, unit string }{{"totalToolCalls", " calls"}, {"totalTokens", " tokens"}} {
		if n := sources.Number(p.Get(count.name)); n > 0 {
			words += ", " + strconv.FormatInt(n, 10) + count.unit
		}
	}
	if ms := sources.Number(p.Get("durationMs")); ms > 0 {
		words += ", " + (time.Duration(ms) * time.Millisecond).Round(time.Second).String()
	}
	r := t.Remark("", words)
	if c != nil {
		r.ToolUseID = id
	}
}
