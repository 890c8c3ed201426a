package codex

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// itemTypes are the types of items, which sessions of 2025 have without envelope.
var itemTypes = map[string]bool{
	"message": true, "reasoning": true, "function_call": true, "function_call_output": true, "custom_tool_call": true,
	"custom_tool_call_output": true, "local_shell_call": true, "web_search_call": true, "tool_search_call": true,
	"tool_search_output": true, "image_generation_call": true, "agent_message": true, "compaction": true,
	"context_compaction": true, "ghost_snapshot": true, "additional_tools": true, "configuration_update": true,
	"compaction_summary": true, "compaction_trigger": true,
}

// item translates a response item: what the model was sent or answered.
func (t *translator) item() {
	p := t.payload
	t.duplicates.items = true
	if p.Text("role") == "assistant" || p.Text("type") != "message" {
		t.duplicates.drawn = drawnPrompt{}
	}
	switch kind := p.Text("type"); kind {
	case "message":
		t.message()
	case "reasoning":
		t.reasoning()
	case "function_call":
		t.call(p.Text("call_id"), toolName(p.Text("namespace"), p.Text("name")), sources.Arguments(p.Get("arguments")))
	case "custom_tool_call":
		t.call(p.Text("call_id"), toolName(p.Text("namespace"), p.Text("name")), p.Get("input"))
	case "local_shell_call":
		t.call(p.Text("call_id", "id"), "local_shell", p.Get("action"))
	case "tool_search_call":
		t.call(p.Text("call_id"), "tool_search", p.Get("arguments"))
	case "function_call_output", "custom_tool_call_output":
		if id := p.Text("call_id"); id != "" || p.Text("name") == "" {
			t.output(id, p.Get("output"))
			return
		}
		t.notice()
	case "tool_search_output":
		t.result(p.Text("call_id"), outcome{structured: sources.Make("tools", p.Get("tools"))}, nil)
	case "web_search_call":
		t.webSearch()
	case "image_generation_call":
		t.imageGeneration()
	case "agent_message":
		t.teammate()
	case "additional_tools":
		t.Snapshot("", p.Get("tools"))
	case "configuration_update":
		t.configured(transcript.String(transcript.Field(p.Get("reasoning"), "effort")))
	case "compaction", "compaction_summary", "compaction_trigger", "context_compaction", "ghost_snapshot", "other":
		t.Hide(kind, bookkeeping)
	default:
		if transcript.Kind(p.Get("content")) == '[' && p.Text("role") != "" {
			t.message()
			return
		}
		t.Add(transcript.Record{Type: name(kind, "item")})
	}
}

// name returns the name for a record of an unknown kind.
func name(kind, otherwise string) string {
	if kind == "" {
		return otherwise
	}
	return kind
}

// planTags removes the tags around a plan in a text of the model.
var planTags = strings.NewReplacer("<proposed_plan>\n", "", "</proposed_plan>\n", "", "\n</proposed_plan>", "")

// message translates a message of any role.
func (t *translator) message() {
	p := t.payload
	content := p.Get("content")
	switch p.Text("role") {
	case "assistant":
		if string(transcript.Field(t.line.Get("metadata"), "compaction_output")) == "true" {
			t.Hide("message", mirrored) // the summary, which the compaction has
			return
		}
		for _, b := range t.blocks(content) {
			t.duplicates.said(t, b.Text)
			b.Text = planTags.Replace(b.Text)
			t.assistant(b)
		}
		if t.Added() == 0 {
			t.Hide("message", "empty messages")
		}
	case "user":
		t.userMessage(t.blocks(content), kindsOf(p))
	default: // developer, system
		t.user(transcript.InjectedText, t.blocks(content)...)
	}
}

// kindsOf returns the kind of each block of a message, as newer versions log it; nil before 0.15x.
func kindsOf(p sources.Object) (kinds []string) {
	meta := p.Get("internal_chat_message_metadata_passthrough", "metadata")
	for e := range transcript.Elements(transcript.Field(meta, "content_item_kinds")) {
		kinds = append(kinds, transcript.String(e))
	}
	return kinds
}

// blocks returns the blocks of content: a text, or a list of texts and images.
func (t *translator) blocks(content jsontext.Value) []transcript.Block {
	switch transcript.Kind(content) {
	case '"':
		return []transcript.Block{{Type: "text", Raw: content, Text: transcript.String(content)}}
	case '{':
		if inner := transcript.Field(content, "content"); inner != nil && transcript.Kind(inner) != '{' {
			return t.blocks(inner)
		}
		t.part.Read(content)
		return []transcript.Block{block(content, t.part)}
	case '0', 't', 'f': // a number or a boolean
		return []transcript.Block{{Type: "text", Raw: content, Text: string(content)}}
	}
	blocks := make([]transcript.Block, 0, 1)
	for e := range t.part.Elements(content) {
		blocks = append(blocks, block(e, t.part))
	}
	return blocks
}

// block returns an element of content, which has the members of part, as a block.
func block(e jsontext.Value, part sources.Object) transcript.Block {
	if transcript.Kind(e) == '"' {
		return transcript.Block{Type: "text", Raw: e, Text: transcript.String(e)}
	}
	kind := part.Text("type")
	switch {
	case part.Get("image_url") != nil:
		return imageBlock(part.Get("image_url"))
	case part.Get("text") != nil:
		return transcript.Block{Type: "text", Raw: e, Text: part.Text("text")}
	case part.Get("encrypted_content") != nil:
		n := sources.SizeOf(part.Get("encrypted_content"))
		return transcript.Block{Type: transcript.EncryptedBlock, Raw: leave(kind), Encrypted: n}
	case strings.HasSuffix(kind, "image"):
		return transcript.Block{Type: "text", Raw: e, Text: "(a picture that is not in the log)"}
	}
	return transcript.Block{Type: name(kind, "content"), Raw: e}
}

// imageBlock returns a picture, given as data or as an address.
func imageBlock(v jsontext.Value) transcript.Block {
	if transcript.Kind(v) == '{' {
		v = transcript.Field(v, "url")
	}
	b := transcript.Block{Type: "image", Raw: leave("input_image")}
	s := transcript.String(v)
	rest, isData := strings.CutPrefix(s, "data:")
	if !isData {
		b.Source = transcript.Source{Kind: "url", URL: s}
		return b
	}
	media, data, _ := strings.Cut(rest, ",")
	media = strings.TrimSuffix(media, ";base64")
	b.Source = transcript.Source{Kind: "base64", MediaType: media, Data: sources.Quote(data)}
	return b
}

// reasoning translates the reasoning of the model: a summary, the text of an open model, or an encrypted text.
func (t *translator) reasoning() {
	p := t.payload
	var texts []string
	for e := range transcript.Elements(p.Get("summary")) {
		s := transcript.String(transcript.Field(e, "text"))
		t.duplicates.thought(s)
		if s != "" {
			texts = append(texts, s)
		}
	}
	if raw := p.Get("content"); raw != nil {
		texts = texts[:len(texts):len(texts)]
		for _, b := range t.blocks(raw) {
			t.duplicates.thought(b.Text)
			if b.Text != "" {
				texts = append(texts, b.Text)
			}
		}
	}
	if len(texts) == 0 {
		texts = t.duplicates.takeRaw()
	}
	text := strings.Join(texts, "\n\n")
	n := sources.SizeOf(p.Get("encrypted_content"))
	raw := sources.Make("type", "reasoning", "text", text, "encrypted bytes", n)
	r := t.assistant(transcript.Block{Type: "thinking", Raw: raw, Text: text, Encrypted: n})
	r.Raw = raw
}

// encryptedWords stand for a text that only the model can read.
func encryptedWords(n int64) string { return "(encrypted: " + bytesWords(n) + ")" }

// notice translates an output that no call asked for: a message from another session, or of a tool that notifies.
func (t *translator) notice() {
	p := t.payload
	said := t.blocks(p.Get("output"))
	if len(said) == 1 {
		if from, text := delegated(said[0].Text); from != "" {
			t.user(transcript.TeammateText, t.Text(text)).Sender = from
			return
		}
	}
	r := t.user(transcript.TeammateText, said...)
	r.Sender = p.Text("name")
	if namespace := p.Text("namespace"); namespace != "" {
		r.Sender = namespace + ", " + r.Sender
	}
}

// teammate translates a message from one agent to another.
func (t *translator) teammate() {
	p := t.payload
	var texts []string
	sealed := false
	for _, b := range t.blocks(p.Get("content")) {
		if b.Encrypted > 0 {
			b.Text, sealed = encryptedWords(b.Encrypted), true
		}
		if b.Text != "" {
			texts = append(texts, b.Text)
		}
	}
	text := strings.Join(texts, "\n\n")
	from := p.Text("author")
	if to := p.Text("recipient"); to != "" {
		from += " → " + to
	}
	if kind, ok := strings.CutPrefix(text, "Message Type: "); ok {
		if _, body, ok := strings.Cut(text, "\nPayload:\n"); ok {
			kind, _, _ = strings.Cut(kind, "\n")
			text = body
			from += ", " + strings.ToLower(strings.ReplaceAll(kind, "_", " "))
		}
	}
	block := t.Text(text)
	if sealed {
		block.Raw = leave("agent_message")
	}
	r := t.user(transcript.TeammateText, block)
	r.Sender, r.Raw = from, block.Raw
}
