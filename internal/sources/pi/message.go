package pi

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// said translates a message by its role.
func (t *translator) said() {
	p := t.message
	switch p.Text("role") {
	case "user":
		blocks := t.blocks(p.Get("content"))
		if string(p.Get("synthetic")) == "true" || p.Text("attribution") == "agent" {
			t.user(transcript.InjectedText, blocks...)
			return
		}
		t.prompt(blocks)
	case "assistant":
		t.answer()
	case "toolResult":
		t.result()
	case "bashExecution":
		t.shell(p.Text("command"))
	case "pythonExecution":
		t.shell(p.Text("code"))
	case "fileMention":
		t.mention()
	case "custom", "hookMessage":
		t.custom(p)
	case "branchSummary":
		t.branchSummary(p.Text("summary"), nil)
	case "compactionSummary":
		t.System("compact_boundary", "", "compactMetadata", sources.Make("preTokens", p.Get("tokensBefore")))
		t.summary(p.Text("summary"))
	case "system", "developer":
		t.user(transcript.InjectedText, t.blocks(p.Get("content"))...)
	}
}

// skillMark begins a skill that the human called. Its text replaces the command.
const skillMark = `<skill name="`

// prompt translates a message of the human.
func (t *translator) prompt(blocks []transcript.Block) {
	if len(blocks) > 0 && blocks[0].Type == "text" {
		if rest, ok := strings.CutPrefix(blocks[0].Text, skillMark); ok {
			t.skill(rest, blocks)
			return
		}
	}
	first := -1
	for i, b := range blocks {
		if b.Type == "text" {
			first = i
			break
		}
	}
	context := ""
	if first >= 0 {
		blocks[first].Text, context = cutMessageID(blocks[first].Text)
	}
	r := t.user(transcript.PromptText, blocks...)
	if context != "" {
		sources.Rare(r).Contexts = sources.Make("label", "message of a channel", "content", context)
	}
}

// cutMessageID removes the line that OpenClaw appends to messages from a channel: "[message_id: 17]".
func cutMessageID(text string) (typed, context string) {
	at := strings.LastIndex(text, "\n[message_id: ")
	if at < 0 || !strings.HasSuffix(strings.TrimSpace(text), "]") || strings.Contains(text[at+1:], "]\n") {
		return text, ""
	}
	return strings.TrimRight(text[:at], "\n"), strings.TrimSpace(text[at+1:])
}

// skill translates a skill that was called: a command with its name, and the text that replaced it.
func (t *translator) skill(rest string, blocks []transcript.Block) {
	name, _, _ := strings.Cut(rest, `"`)
	given := ""
	if _, after, ok := strings.Cut(rest, "</skill>"); ok {
		given = strings.TrimSpace(after)
	}
	t.command(name, given, blocks)
}

// command adds the command that called a skill, and the text of the skill.
func (t *translator) command(name, given string, blocks []transcript.Block) {
	command := "<command-name>/skill:" + tagText(name) + "</command-name>\n"
	command += "<command-args>" + tagText(given) + "</command-args>"
	t.user(transcript.AnyText, t.Text(command))
	t.user(transcript.InjectedText, blocks...)
}

// tagText escapes a text so that it cannot end the tag around it.
func tagText(s string) string { return strings.ReplaceAll(s, "</command-", "< /command-") }

// answer translates what the model wrote.
func (t *translator) answer() {
	p := t.message
	m := &transcript.Message{Role: "assistant", Model: p.Text("model"), StopReason: stopReasons[p.Text("stopReason")]}
	m.Model = cmp.Or(m.Model, t.Model)
	t.Model = m.Model
	m.Content = t.blocks(p.Get("content"))
	usage := p.Get("usage")
	m.Usage, m.HasUsage = usageOf(usage), usage != nil
	r := transcript.Record{Type: "assistant", RequestID: p.Text("responseId"), Message: m}
	if cost := costOf(usage); cost > 0 {
		sources.Rare(&r).CostUSD = cost
	}
	t.Add(r)
	switch p.Text("stopReason") {
	case "aborted":
		t.user(transcript.InterruptionText, t.Text("[Request interrupted by user]"))
	case "error":
		text := cmp.Or(p.Text("errorMessage"), "The request failed")
		failed := &transcript.Message{Role: "assistant", Model: "<synthetic>"}
		failed.Content = []transcript.Block{t.Text(text)}
		failed.ID = "e" + strconv.FormatInt(t.Pos.Offset, 36) + "@" + t.head.id
		t.Add(transcript.Record{Type: "assistant", Message: failed, IsAPIError: true})
	}
}

// stopReasons are why answers end, in the words of the API.
var stopReasons = map[string]string{"stop": "end_turn", "toolUse": "tool_use", "length": "max_tokens"}

// aborted ends the result of a command that the human stopped. What it printed until then is above.
const aborted = "Command aborted"

// result translates the result of a call.
func (t *translator) result() {
	p := t.message
	id := p.Text("toolCallId")
	b := transcript.Block{
		Type: "tool_result", Raw: t.Value, ToolUseID: id, IsError: string(p.Get("isError")) == "true",
		Content: t.blocks(p.Get("content")),
	}
	r := transcript.Record{Type: "user", Message: &transcript.Message{Role: "user", Content: []transcript.Block{b}}}
	if details := p.Get("details"); len(details) > len("{}") {
		r.ToolUseResult = details
	}
	if b.IsError && len(b.Content) > 0 {
		text := strings.TrimSpace(b.Content[0].Text)
		if text == "Operation aborted" || text == aborted || strings.HasSuffix(text, "\n"+aborted) {
			sources.Rare(&r).ToolDenialKind = "interrupted"
		}
	}
	t.used(t.Model, p.Get("usage"))
	t.started(id, p.Get("details"))
	t.Add(r)
}

// started notes which agents a call started. Their files are in the folder of the session.
func (t *translator) started(call string, details jsontext.Value) {
	for e := range transcript.Elements(transcript.Field(details, "results")) {
		id := transcript.String(transcript.Field(e, "id"))
		if id == "" || call == "" {
			continue
		}
		r := transcript.Record{Type: "progress", Raw: sources.Make("type", "agent_progress", "agentId", id)}
		r.Rare = &transcript.Rare{
			ParentToolUseID: call, DataType: "agent_progress", Data: sources.Make("agentId", id),
		}
		t.Add(r)
	}
}

// shell translates a command that the human ran in a shell, and its output.
func (t *translator) shell(command string) {
	p := t.message
	t.user(transcript.ShellText, t.Text(command))
	if output := p.Text("output"); output != "" {
		t.user(transcript.OutputText, t.Text(output))
	}
	code := transcript.TextOf(p.Get("exitCode"))
	switch {
	case string(p.Get("cancelled")) == "true":
		t.Remark("warning", "The command was cancelled")
	case code != "" && code != "0":
		t.Remark("warning", "The command exited with code "+code)
	}
	if string(p.Get("truncated")) == "true" {
		t.Remark("", "The log has only a part of the output", "file", p.Text("fullOutputPath"))
	}
	if string(p.Get("excludeFromContext")) == "true" {
		t.Remark("", "The model was not told about this command")
	}
}

// used adds the tokens of a request without an answer: for a summary, or to a model that a tool uses.
func (t *translator) used(model string, usage jsontext.Value) {
	if usage == nil {
		return
	}
	m := &transcript.Message{Role: "assistant", Model: model, Usage: usageOf(usage), HasUsage: true}
	m.ID = "u" + strconv.FormatInt(t.Pos.Offset, 36) + "@" + t.head.id
	r := transcript.Record{
		Type: "assistant", Message: m, Raw: sources.Make("type", "usage"), Rare: &transcript.Rare{Hidden: tokens},
	}
	r.CostUSD = costOf(usage)
	t.Add(r)
}

// usageOf reads the tokens of a request. Its input excludes cached tokens and its output includes reasoning.
func usageOf(v jsontext.Value) transcript.Usage {
	var p sources.Object
	p.Read(v)
	u := transcript.Usage{
		Input: sources.Number(p.Get("input")), Output: sources.Number(p.Get("output")),
		CacheRead: sources.Number(p.Get("cacheRead")), CacheWrite: sources.Number(p.Get("cacheWrite")),
	}
	if hour := min(sources.Number(p.Get("cacheWrite1h")), u.CacheWrite); hour > 0 {
		u.CacheWrite1h, u.CacheWrite5m = hour, u.CacheWrite-hour
	}
	return u
}

// costOf returns what a request cost in dollars, as the program computed it; 0 with a subscription.
func costOf(usage jsontext.Value) float64 {
	return sources.Dollars(transcript.Field(transcript.Field(usage, "cost"), "total"))
}

// blocks returns the blocks of content: a text, or a list.
func (t *translator) blocks(content jsontext.Value) []transcript.Block {
	switch transcript.Kind(content) {
	case '"':
		return []transcript.Block{{Type: "text", Raw: content, Text: transcript.String(content)}}
	case '{':
		t.part.Read(content)
		return []transcript.Block{t.block(content)}
	}
	blocks := make([]transcript.Block, 0, 1)
	for e := range t.part.Elements(content) {
		blocks = append(blocks, t.block(e))
	}
	return blocks
}

// block returns an element of content, which has the members of t.part, as a block.
func (t *translator) block(e jsontext.Value) transcript.Block {
	if transcript.Kind(e) == '"' {
		return transcript.Block{Type: "text", Raw: e, Text: transcript.String(e)}
	}
	p := t.part
	switch kind := p.Text("type"); kind {
	case "text":
		return transcript.Block{Type: "text", Raw: e, Text: p.Text("text")}
	case "thinking":
		b := transcript.Block{Type: "thinking", Text: p.Text("thinking")}
		sealed := max(0, len(p.Get("thinkingSignature"))-len(`""`))
		if b.Text == "" || string(p.Get("redacted")) == "true" {
			b.Encrypted = int64(sealed)
		}
		b.Raw = sources.Make("type", "thinking", "thinking", b.Text, "encrypted bytes", sealed)
		return b
	case "redactedThinking":
		sealed := max(0, len(p.Get("data"))-len(`""`))
		raw := sources.Make("type", kind, "encrypted bytes", sealed)
		return transcript.Block{Type: "thinking", Raw: raw, Encrypted: int64(sealed)}
	case "toolCall":
		input := transcript.Or(p.Get("arguments"), jsontext.Value("{}"))
		name := p.Text("name")
		if name == "exec" && transcript.Field(input, "command") != nil { // of OpenClaw; that of Codex runs scripts
			name = "bash"
		}
		return transcript.Block{Type: "tool_use", Raw: e, ID: p.Text("id"), Name: name, Input: input}
	case "image":
		b := transcript.Block{Type: "image", Raw: sources.Make("type", "image")}
		data := p.Get("data")
		if transcript.Kind(data) != '"' || strings.HasPrefix(string(data), `"blob:`) {
			return transcript.Block{Type: "text", Raw: e, Text: "(a picture that is not in the log)"}
		}
		b.Source = transcript.Source{Kind: "base64", MediaType: p.Text("mimeType"), Data: data}
		return b
	default:
		kind = cmp.Or(kind, "content")
		return transcript.Block{Type: kind, Raw: e}
	}
}
