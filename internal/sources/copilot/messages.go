package copilot

import (
	"bytes"
	"cmp"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// userMessage translates a message in the role of the user: a prompt, the task of an agent, or text from the program, a
// skill or an agent.
func (t *translator) userMessage() {
	p := t.data
	content, sent := p.Text("content"), p.Text("transformedContent")
	source := p.Text("source")
	said := content != "" || len(p.Get("attachments")) > len("[]")
	again := string(p.Get("isAutopilotContinuation")) == "true"
	if source != "" && source != "user" || !said || again { // a reminder of the program may have no source
		content = cmp.Or(content, sent)
		if after, ok := strings.CutPrefix(source, "agent-"); ok {
			t.User(transcript.TeammateText, t.Text(content)).Sender = after
			return
		}
		t.User(transcript.InjectedText, t.Text(content))
		return
	}
	blocks := []transcript.Block{t.Text(content)}
	var contexts []jsontext.Value
	for e := range transcript.Elements(p.Get("attachments")) {
		t.part.Read(e)
		if picture, ok := t.picture(); ok {
			blocks = append(blocks, picture)
			continue
		}
		contexts = append(contexts, t.attachment())
	}
	if before, after, ok := strings.Cut(sent, content); ok && sent != content && content != "" {
		if added := strings.TrimSpace(strings.TrimSpace(before) + "\n" + strings.TrimSpace(after)); added != "" {
			contexts = append(contexts, sources.Make("label", "sent with the prompt", "content", added))
		}
	} else if sent != "" && sent != content {
		contexts = append(contexts, sources.Make("label", "as it was sent", "content", sent))
	}
	r := t.User(transcript.PromptText, blocks...)
	if contexts != nil {
		sources.Rare(r).Contexts = sources.MakeList(contexts...)
	}
}

// picture returns an image among the attachments of a prompt.
func (t *translator) picture() (transcript.Block, bool) {
	media := t.part.Text("mimeType")
	data := t.part.Get("data")
	if asset, ok := t.assets[t.part.Text("assetId")]; ok {
		return transcript.Block{Type: "image", Raw: sources.Make("type", "blob"), Source: asset}, true
	}
	if t.part.Text("type") != "blob" || !strings.HasPrefix(media, "image/") || transcript.Kind(data) != '"' {
		return transcript.Block{}, false
	}
	return transcript.Block{
		Type: "image", Raw: sources.Make("type", "blob"),
		Source: transcript.Source{Kind: "base64", MediaType: media, Data: data},
	}, true
}

// asset notes a picture that later events refer to.
func (t *translator) asset() {
	p := t.data
	media, data := p.Text("mimeType"), p.Get("data")
	if strings.HasPrefix(media, "image/") && transcript.Kind(data) == '"' {
		t.assets[p.Text("assetId")] = transcript.Source{Kind: "base64", MediaType: media, Data: bytes.Clone(data)}
	}
	t.hide("session.binary_asset", merged)
}

// attachment returns an attachment of a prompt in the form that pages show.
func (t *translator) attachment() jsontext.Value {
	p := t.part
	label := p.Text("displayName", "path", "filePath", "title", "url", "referenceId", "type")
	path := p.Text("path") + p.Text("filePath")
	if data := p.Get("data"); p.Text("type") == "blob" && data != nil {
		return sources.Make("type", "blob", "label", label, "mimeType", p.Text("mimeType"), "bytes", len(data))
	}
	return sources.Make("type", p.Text("type"), "label", label, "fullPath", path, "lines", lines(p.Get("lineRange")),
		"content", p.Text("text"))
}

// lines returns the attached lines of a file: {"start":3,"end":9}.
func lines(v jsontext.Value) string {
	start, end := transcript.Field(v, "start"), transcript.Field(v, "end")
	if start == nil {
		return ""
	}
	return string(start) + "–" + string(end)
}

// systemMessage translates the system prompt, which is written again when it changes.
func (t *translator) systemMessage() {
	text := t.data.Text("content")
	if text == t.prompt {
		t.hide("system.message", repeated)
		return
	}
	t.prompt = text
	t.Snapshot(text, nil)
}

// reasoning translates reasoning that is a separate event.
func (t *translator) reasoning() {
	t.thought = t.data.Text("content")
	t.assistant(transcript.Block{Type: "thinking", Raw: t.Value, Text: t.thought})
}

// assistant adds a message of the model.
func (t *translator) assistant(blocks ...transcript.Block) *transcript.Record {
	id := t.data.Text("messageId")
	if id == "" {
		id = "o" + t.place()
	}
	if model := t.data.Text("model"); model != "" {
		t.Model = model
	}
	m := &transcript.Message{ID: id + "@" + t.agent, Role: "assistant", Model: t.Model, Content: blocks}
	if n := sources.Number(t.data.Get("outputTokens")); n > 0 {
		m.Usage, m.HasUsage, m.OutputOnly = transcript.Usage{Output: n}, true, true
		if t.output == nil {
			t.output = make(map[string]int64)
		}
		t.output[t.Model] += n
	}
	r := transcript.Record{Type: "assistant", Message: m}
	r.RequestID = t.data.Text("requestId")
	return t.Add(r)
}

// assistantMessage translates reasoning, text and calls of the model.
func (t *translator) assistantMessage() {
	p := t.data
	var blocks []transcript.Block
	thought := p.Text("reasoningText")
	switch sealed := t.sealed(); {
	case thought != "" && thought == t.thought: // it was drawn before
	case thought != "" || sealed > 0:
		b := transcript.Block{Type: "thinking", Text: thought}
		if thought == "" {
			b.Encrypted = sealed
		}
		b.Raw = sources.Make("type", "thinking", "thinking", thought)
		blocks = append(blocks, b)
	}
	t.thought = ""
	if text := p.Text("content"); text != "" {
		blocks = append(blocks, transcript.Block{Type: "text", Raw: sources.Make("type", "text"), Text: text})
	}
	intent, first := "", ""
	for e := range transcript.Elements(p.Get("toolRequests")) {
		t.part.Read(e)
		c := t.request()
		if c == nil {
			continue
		}
		if c.intent != "" {
			intent = c.intent
			continue
		}
		first = cmp.Or(first, c.id)
		b := transcript.Block{Type: "tool_use", Raw: e, ID: c.id, Name: c.name, Input: c.input}
		blocks = append(blocks, b)
	}
	if len(blocks) > 0 || intent == "" {
		r := t.assistant(blocks...)
		if p.Text("content") == "" && len(p.Get("toolRequests")) <= len("[]") {
			r.Message.StopReason = "end_turn" // there is nothing to go on with
		}
	}
	if intent != "" {
		t.caption(intent, first)
	}
}

// sealed returns the length in bytes of reasoning that only the model can read.
func (t *translator) sealed() int64 {
	return int64(max(2, len(t.data.Get("encryptedContent")), len(t.data.Get("reasoningOpaque"))) - 2)
}

// caption adds the intent that the model announced to the first call that follows.
func (t *translator) caption(intent, call string) {
	if call == "" {
		t.Remark("", "Intent: "+intent)
		return
	}
	raw := sources.Make("type", "tool_use_summary", "summary", intent,
		"toolUseIds", sources.MakeList(sources.Quote(call)))
	t.Add(transcript.Record{Type: "tool_use_summary", Raw: raw})
}

// skill translates the text of a skill that the program gave the model.
func (t *translator) skill() {
	r := t.User(transcript.InjectedText, t.Text(t.data.Text("content")))
	for i := len(t.recent) - 1; i >= 0; i-- {
		if c := t.recent[i]; c.name == "skill" && c.agent == t.agent {
			sources.Rare(r).SourceToolUseID = c.id
			break
		}
	}
}

// notification translates what the program reports to the model: that a command or an agent in the background ended.
func (t *translator) notification() {
	text := strings.TrimSpace(t.data.Text("content"))
	text = strings.TrimPrefix(text, "<system_notification>")
	text = strings.TrimSpace(strings.TrimSuffix(text, "</system_notification>"))
	kind := transcript.String(transcript.Field(t.data.Get("kind"), "type"))
	r := t.User(transcript.TeammateText, t.Text(text))
	r.Sender = name(strings.ReplaceAll(kind, "_", " "), "notification")
}
