package goose

import (
	"cmp"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// message translates a message.
func (t *translator) message(m message) {
	before := t.Added()
	t.setTime(m.created)
	inference := transcript.Field(m.metadata, "inference")
	t.Model = cmp.Or(transcript.String(transcript.Field(inference, "resolvedModel")),
		transcript.String(transcript.Field(inference, "requestedModel")), t.Model)
	switch {
	case transcript.Kind(m.content) != '[' || m.role != "user" && m.role != "assistant":
		t.Add(transcript.Record{Type: "message"})
	case m.part == again: // no request was made for it
		t.Hide("message", repeatedText)
	case m.part == summary || m.part == askedSummary:
		t.summarized(m)
	default:
		t.parts(m)
	}
	t.answered(m, before)
	if t.Added() == before {
		t.Hide("message", empty)
	}
}

// summarized translates the summary of a compaction. The model may have thought before it wrote it.
func (t *translator) summarized(m message) {
	var texts, rest []transcript.Block
	var o sources.Object
	for v := range transcript.Elements(m.content) {
		o.Read(v)
		switch b, ok := t.block(o.Text("type"), &o, v); {
		case ok && b.Type == "text":
			texts = append(texts, b)
		case ok:
			rest = append(rest, b)
		}
	}
	if len(rest) > 0 {
		t.Answer(rest...)
	}
	meta := jsontext.Value(nil)
	if m.part == askedSummary {
		meta = sources.Make("trigger", "manual")
	}
	t.System("compact_boundary", "", "compactMetadata", meta)
	if len(texts) > 0 {
		t.User(transcript.SummaryText, texts...).IsCompactSummary = true
	}
}

// parts translates the parts of a message in their order. Texts, pictures and calls that follow each other are one
// record.
func (t *translator) parts(m message) {
	var blocks []transcript.Block
	say := func() {
		if len(blocks) > 0 {
			t.say(m, blocks)
		}
		blocks = nil
	}
	var o sources.Object
	var chains []chain
	for v := range transcript.Elements(m.content) {
		o.Read(v)
		chains = withCall(chains, &o)
		switch kind := o.Text("type"); kind {
		case "toolResponse":
			say()
			t.result(&o, v)
		case "systemNotification", "contextLengthExceeded", "summarizationRequested", "conversationCompacted",
			"toolConfirmationRequest", "actionRequired", "error":
			say()
			t.remark(kind, &o, v)
		default:
			if b, ok := t.block(kind, &o, v); ok {
				blocks = append(blocks, b)
			}
		}
	}
	say()
	for _, c := range chains {
		raw := sources.Make("type", "tool_use_summary", "summary", c.summary,
			"toolUseIds", sources.MakeList(c.calls...))
		t.Add(transcript.Record{Type: "tool_use_summary", Raw: raw})
	}
}

// A chain is what the program says about several calls in a row, in the first of them.
type chain struct {
	summary string
	count   int64
	calls   []jsontext.Value // their ids
}

// withCall adds a part of a message to the chains in it.
func withCall(all []chain, o *sources.Object) []chain {
	if o.Text("type") != "toolRequest" {
		return all
	}
	v := transcript.Field(o.Get("_meta"), "goose.toolChain.summary")
	if summary := transcript.String(transcript.Field(v, "summary")); summary != "" {
		all = append(all, chain{summary: summary, count: sources.Number(transcript.Field(v, "count"))})
	}
	if id := o.Get("id"); len(all) > 0 && transcript.Kind(id) == '"' {
		if last := &all[len(all)-1]; int64(len(last.calls)) < max(last.count, 1) {
			last.calls = append(last.calls, id)
		}
	}
	return all
}

// Texts that the program writes in the name of the model.
const (
	failed       = "Ran into this error"
	stoppedCall  = "The existing call to "
	stoppedLoop  = "The tool calling loop was interrupted"
	stoppedCalls = "We interrupted the existing call"
	stoppedNow   = "Yes — what would you like me to do?"
	maximum      = "I've reached the maximum number of actions"
	resend       = "Please resend your message to try again."
)

// say adds what the human, the model or the program said.
func (t *translator) say(m message, blocks []transcript.Block) {
	text := ""
	if len(blocks) == 1 && blocks[0].Type == "text" {
		text = blocks[0].Text
	}
	begins := func(with string) bool { return strings.HasPrefix(text, with) }
	switch {
	case m.part == note:
		t.User(transcript.InjectedText, blocks...)
	case m.role == "user" && m.part != kept && (!m.forUser() || m.has("turnContext")):
		t.User(transcript.InjectedText, blocks...)
	case m.role == "user":
		if task, ok := strings.CutPrefix(text, "Subagent ID: "+t.AgentID+"\n\n"); ok && t.AgentID != "" {
			blocks[0].Text = task
		}
		t.User(transcript.PromptText, blocks...)
	case begins(failed), strings.HasSuffix(text, resend):
		t.Fail(text)
	case begins(stoppedCall) && strings.Contains(text, " was interrupted."), begins(stoppedLoop), begins(stoppedCalls),
		text == stoppedNow:
		t.User(transcript.InterruptionText, t.Text("[Request interrupted by user]"))
	case begins(maximum):
		t.Remark("warning", text)
	default:
		if r := t.Answer(blocks...); m.has("outputTokenLimitReached") {
			r.Message.StopReason = "max_tokens"
		}
	}
}

// block returns the block of a part. ok is false for a text that is empty.
func (t *translator) block(kind string, o *sources.Object, v jsontext.Value) (b transcript.Block, ok bool) {
	switch kind {
	case "text":
		b = transcript.Block{Type: "text", Raw: v, Text: o.Text("text")}
		return b, strings.TrimSpace(b.Text) != ""
	case "image":
		return picture(o), true
	case "document":
		b = picture(o)
		if b.Type == "image" {
			b.Type, b.Raw = kind, sources.Make("type", kind, "name", o.Text("name"))
		}
		return b, true
	case "thinking", "reasoning":
		b = transcript.Block{Type: "thinking", Text: o.Text("thinking", "text")}
		sealed := sources.SizeOf(o.Get("signature"))
		if b.Text == "" {
			b.Encrypted = sealed
		}
		b.Raw = sources.Make("type", "thinking", "thinking", b.Text, "encrypted bytes", sealed)
		return b, b.Text != "" || b.Encrypted > 0
	case "redactedThinking":
		sealed := sources.SizeOf(o.Get("data"))
		b = transcript.Block{Type: "thinking", Encrypted: sealed}
		b.Raw = sources.Make("type", "thinking", "encrypted bytes", sealed)
		return b, true
	case "toolRequest", "frontendToolRequest":
		return t.call(o, v)
	}
	return transcript.Block{Type: cmp.Or(kind, "part"), Raw: v}, true
}

// picture returns the block of a picture.
func picture(o *sources.Object) transcript.Block {
	data := o.Get("data")
	if transcript.Kind(data) != '"' || len(data) <= len(`""`) {
		return transcript.Block{Type: "text", Raw: sources.Make("type", "image"),
			Text: "(a picture that is not in the log)"}
	}
	source := transcript.Source{Kind: "base64", MediaType: o.Text("mimeType", "mime_type"), Data: data}
	return transcript.Block{Type: "image", Raw: sources.Make("type", "image"), Source: source}
}

// call returns the block of a call. If the model wrote one that cannot be read, the log has only an error. ok is false
// if the call is in the log already.
func (t *translator) call(o *sources.Object, v jsontext.Value) (b transcript.Block, ok bool) {
	id := o.Text("id")
	if _, known := t.calls[id]; known && o.Text("type") == "frontendToolRequest" {
		t.Hide("frontendToolRequest", repeatedCalls)
		return b, false
	}
	call := o.Get("toolCall")
	value := transcript.Field(call, "value")
	name := transcript.String(transcript.Field(value, "name"))
	input := sources.Arguments(transcript.Field(value, "arguments"))
	if message := transcript.Field(call, "error"); name == "" && message != nil {
		name, input = "invalid", sources.Make("error", transcript.TextOf(message))
	}
	if transcript.Kind(input) == 'n' {
		input = nil
	}
	if t.calls == nil {
		t.calls = make(map[string]string)
	}
	if name = toolName(name); name == editor && transcript.String(transcript.Field(input, "command")) == "undo_edit" {
		name = undo
	}
	t.calls[id] = name
	b = t.Call(id, name, input)
	b.Raw = v
	return b, true
}

// developer has the tools of the extension of that name, which newer versions name without it.
var developer = map[string]bool{
	"shell": true, "text_editor": true, "write": true, "edit": true, "tree": true, "read": true, "read_image": true,
	"image_processor": true, "screen_capture": true, "analyze": true,
}

// The editor of older versions takes back the last change of a file, too, which is drawn as a tool of its own.
const (
	editor = "developer__text_editor"
	undo   = "developer__undo_edit"
)

// unprefixed are extensions of the program whose tools newer versions name without the extension.
var unprefixed = map[string]bool{"summon": true, "skills": true, "code_execution": true, "analyze": true}

// toolName returns the name of a tool, the same for all versions: "developer__shell", "delegate". Tools of most
// extensions are named like those of servers of the Model Context Protocol: "mcp__github__list_issues".
func toolName(name string) string {
	extension, tool, prefixed := strings.Cut(name, "__")
	if prefixed && unprefixed[extension] {
		name, prefixed = tool, false
	}
	switch {
	case developer[name]:
		return "developer__" + name
	case !prefixed, extension == "", extension == "developer", extension == "todo", extension == "recipe",
		extension == "mcp":
		return name
	}
	return "mcp__" + name
}

// remark translates what the program told the human.
func (t *translator) remark(kind string, o *sources.Object, v jsontext.Value) {
	level, text := "", o.Text("msg")
	switch kind {
	case "error":
		t.Fail(cmp.Or(o.Text("message"), "The request failed"))
		return
	case "contextLengthExceeded":
		level, text = "warning", cmp.Or(text, "The context of the model is full")
	case "summarizationRequested":
		text = cmp.Or(text, "A summary was requested")
	case "systemNotification":
		if o.Text("notificationType") == "creditsExhausted" {
			level = "warning"
		}
	case "toolConfirmationRequest", "actionRequired":
		data := *o
		if inner := o.Get("data"); transcript.Kind(inner) == '{' {
			data = nil
			data.Read(inner)
		}
		t.asked(&data)
		return
	}
	if text == "" {
		t.Add(transcript.Record{Type: kind, Raw: v})
		return
	}
	t.Remark(level, text)
}

// asked translates a question of the program to the human, or the answer.
func (t *translator) asked(o *sources.Object) {
	switch o.Text("actionType") {
	case "elicitation":
		t.Remark("", "A tool asks: "+o.Text("message"), "answer", o.Get("requestedSchema", "requested_schema"))
	case "elicitationResponse":
		text := "The tool was answered"
		if action := o.Text("action"); action != "" && action != "accept" {
			text = "The question of the tool was not answered: " + action
		}
		t.Remark("", text, "answer", o.Get("userData", "user_data"))
	case "toolConfirmationResponse":
		t.Attach("hook_permission_decision", "PermissionRequest", o.Text("id"), "hookName", t.calls[o.Text("id")],
			"decision", strings.ReplaceAll(o.Text("permission"), "_", " "))
	default:
		text := sources.About("Asked to allow a call", o.Text("toolName", "tool_name"))
		if prompt := o.Text("prompt"); prompt != "" {
			text += "\n" + prompt
		}
		t.Remark("", text, "call", o.Text("id"))
	}
}
