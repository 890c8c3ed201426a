package codex

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// A call is a call that has no result yet, as far as it is known.
type call struct {
	name     string
	end      *outcome // what an event said about its end
	answered bool
}

// toolName returns the name of a tool together with that of its server: "mcp__docs" and "search" become
// mcp__docs__search, and so does "docs__search", the name from before there were namespaces.
func toolName(namespace, name string) string {
	switch {
	case strings.HasPrefix(namespace, "mcp__"):
		return namespace + "__" + name
	case name == "container.exec": // as models call the shell that they were trained with
		return "shell"
	case namespace == "" && strings.Contains(strings.Trim(name, "_"), "__") && !strings.HasPrefix(name, "mcp__"):
		return "mcp__" + name
	}
	return name
}

// of returns what is known of a call. When an answered call is made again, that is a new call.
func (t *translator) of(id string) *call {
	c := t.calls[id]
	if c == nil {
		c = new(call)
		t.calls[id] = c
	}
	return c
}

// call adds a call of a tool.
func (t *translator) call(id, tool string, input jsontext.Value) {
	if id == "" {
		id = "o" + t.place()
	}
	input = transcript.Or(input, jsontext.Value("{}"))
	if patch := patchIn(tool, input); patch != nil {
		tool, input = "apply_patch", patch
	}
	c := t.of(id)
	if c.answered {
		*c = call{}
	}
	c.name = tool
	if tool == scriptTool {
		t.commandsApart = false
	}
	t.assistant(transcript.Block{Type: "tool_use", Raw: t.Value, ID: id, Name: tool, Input: input})
}

// patchIn returns the patch that a command applies, or nil for any other command. apply_patch was a program before it
// was a tool, and models still use it that way.
func patchIn(tool string, input jsontext.Value) jsontext.Value {
	member := ""
	switch tool {
	case shellTool:
		member = "cmd"
	case "shell", "shell_command", "local_shell":
		member = "command"
	default:
		return nil
	}
	if !bytes.Contains(input, []byte("*** Begin Patch")) {
		return nil
	}
	given := transcript.Field(input, member)
	script := commandOf(given)
	rest, ok := strings.CutPrefix(strings.TrimSpace(script), "apply_patch")
	if !ok {
		return nil
	}
	at, end := strings.Index(rest, "*** Begin Patch"), strings.LastIndex(rest, "*** End Patch")
	if at < 0 || end < at {
		return nil
	}
	if strings.Trim(rest[end+len("*** End Patch"):], " \t\r\n'\"EOFPATCH") != "" {
		return nil // the command does more than that
	}
	patch, where := rest[at:end+len("*** End Patch")], transcript.String(transcript.Field(input, "workdir"))
	why := transcript.String(transcript.Field(input, "justification"))
	if where == "" && why == "" {
		return sources.Quote(patch)
	}
	return sources.Make("input", patch, "workdir", where, "justification", why)
}

// output translates the result of a call as the model was sent it.
func (t *translator) output(id string, v jsontext.Value) {
	c := t.of(id)
	blocks := t.blocks(v)
	var o outcome
	if len(blocks) > 0 && blocks[0].Type == "text" {
		o = read(blocks[0].Text)
		blocks[0].Text = o.text
		if o.text == "" && len(blocks) > 1 {
			blocks = slices.Delete(blocks, 0, 1)
		}
	}
	if end := c.end; end != nil {
		o = o.with(*end)
		if end.text != "" && len(blocks) <= 1 {
			blocks = []transcript.Block{{Type: "text", Raw: t.Value, Text: end.text}}
		}
	}
	if c.name == "spawn_agent" && o.structured == nil {
		o.structured = spawned(blocks)
	}
	if (c.name == scriptTool || c.name == "wait") && !t.commandsApart {
		o.failed = o.failed || slices.ContainsFunc(blocks, isFailedReturn)
	}
	keepOnce(t.result(id, o, blocks), leave(t.payload.Text("type")))
}

// textPart is the raw value of a text that is kept once.
var textPart = leave("text")

// keepOnce drops the texts of a result from its raw value, unless it has something else: results are half of many logs.
func keepOnce(r *transcript.Record, rest jsontext.Value) {
	result := &r.Message.Content[0]
	for _, b := range result.Content {
		if b.Type != "text" {
			return
		}
	}
	for i := range result.Content {
		result.Content[i].Raw = textPart
	}
	r.Raw, result.Raw, r.TextApart = rest, rest, true
}

// spawned returns the agent that a call started, according to its result.
func spawned(blocks []transcript.Block) jsontext.Value {
	if len(blocks) == 0 || !strings.HasPrefix(blocks[0].Text, "{") {
		return nil
	}
	v := jsontext.Value(blocks[0].Text)
	if !transcript.Valid(v) {
		return nil
	}
	id := transcript.Field(v, "agent_id")
	if id == nil {
		return nil
	}
	return sources.Make("agentId", id, "nickname", transcript.Field(v, "nickname"))
}

// result adds the result of a call.
func (t *translator) result(id string, o outcome, blocks []transcript.Block) *transcript.Record {
	c := t.of(id)
	c.answered, c.end = true, nil
	b := transcript.Block{Type: "tool_result", Raw: t.Value, ToolUseID: id, IsError: o.failed, Content: blocks}
	r := transcript.Record{Type: "user", Message: &transcript.Message{Role: "user", Content: []transcript.Block{b}}}
	r.ToolUseResult = o.encode()
	if o.denied != "" {
		sources.Rare(&r).ToolDenialKind = o.denied
	}
	t.answered = true
	return t.Add(r)
}

// inner adds a call that a script made and its result. Only an event reports such calls.
func (t *translator) inner(id, tool string, input jsontext.Value, o outcome) {
	c := t.of(id)
	c.name = tool
	t.commandsApart = t.commandsApart || tool == shellTool
	input = transcript.Or(input, jsontext.Value("{}"))
	answered := t.answered
	t.answered = false // part of the running call, not a new request
	t.assistant(transcript.Block{Type: "tool_use", Raw: t.Value, ID: id, Name: tool, Input: input})
	var blocks []transcript.Block
	if o.text != "" {
		blocks = []transcript.Block{{Type: "text", Raw: t.Value, Text: o.text}}
	}
	t.result(id, o, append(blocks, o.blocks...))
	t.answered = answered
}

// ended translates an event that reports the end of a call. It is added to the result that follows, or drawn alone.
func (t *translator) ended(kind, id, tool string, input jsontext.Value, o outcome) {
	c := t.calls[id]
	switch {
	case id == "" || c == nil:
		if id == "" {
			id = "o" + t.place()
		}
		t.inner(id, tool, input, o)
	case !c.answered:
		c.end = &o
		t.Hide(kind, merged)
	case tool == shellTool && (o.exit != "" || o.text != ""): // the command kept running after its result
		words := "Command ended"
		if o.exit != "" {
			words += " with exit code " + o.exit
		}
		r := t.Remark("", words, "output", o.text)
		r.ToolUseID = id
	default:
		t.Hide(kind, merged)
	}
}

// webSearch translates a web search, which has neither a call id nor a result.
func (t *translator) webSearch() {
	p := t.payload
	action := transcript.Or(p.Get("action"), t.duplicates.search)
	t.duplicates.search = nil
	id := cmp.Or(p.Text("id"), "o"+t.place())
	t.inner(id, "web_search", action, outcome{failed: p.Text("status") == "failed"})
}

// imageGeneration translates a picture that the model made.
func (t *translator) imageGeneration() {
	p := t.payload
	o := outcome{failed: p.Text("status") == "failed"}
	o.blocks = picture(p.Get("result"))
	id := cmp.Or(p.Text("id"), "o"+t.place())
	t.inner(id, "image_generation", sources.Make("prompt", p.Get("revised_prompt"), "status", p.Get("status")), o)
}

// picture returns a picture, given as data, as a block.
func picture(data jsontext.Value) []transcript.Block {
	if sources.SizeOf(data) == 0 {
		return nil
	}
	source := transcript.Source{Kind: "base64", MediaType: "image/png", Data: data}
	return []transcript.Block{{Type: "image", Raw: leave("image"), Source: source}}
}
