package gemini

import (
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// marks are the beginnings of texts that the program puts into the role of the user.
var marks = []string{
	"<session_context>", "<hook_context>", "This is the Gemini CLI", "--- Content from referenced files ---",
	"<system_reminder>", "<system-reminder>",
	"System: Please continue.", "System: Potential loop detected.", // when an answer was empty, or repeated itself
}

// summaries are the beginnings of texts that replace a compacted history.
var summaries = []string{"<state_snapshot>", "<compressed_chat_history>"}

func beginsWith(text string, marks []string) bool {
	text = strings.TrimLeft(text, " \t\r\n")
	return slices.ContainsFunc(marks, func(m string) bool { return strings.HasPrefix(text, m) })
}

// message translates one message, of which an earlier version may be known.
func (t *translator) message(v jsontext.Value) {
	t.Value = v
	var line sources.Object
	line.Read(v)
	id, kind := line.Text("id"), line.Text("type")
	t.SetTime(line.Get("timestamp"))
	m := t.known[id]
	again := m != nil && id != ""
	if !again {
		m = &message{id: id, before: t.parent}
		if id != "" {
			t.known[id] = m
		}
	}
	if !again || !t.counts(m) {
		t.order = append(t.order, m)
	}
	t.now = m
	content := line.Get("content", "parts")
	before := t.Added()
	switch kind {
	case "gemini", "model", "qwen":
		t.answer(m, &line, content)
	case "user", "info", "warning", "error":
		if again {
			break
		}
		if kind == "user" {
			t.prompt(&line, content)
		} else {
			t.remark(kind, textOf(content))
		}
	default:
		t.Add(transcript.Record{Type: kind})
	}
	if t.Added() == before {
		rule := empty
		if again {
			rule = repeated
		}
		t.Hide("message", rule)
	}
}

// counts reports whether a message was not taken back.
func (t *translator) counts(m *message) bool {
	for i := len(t.order) - 1; i >= 0; i-- {
		if t.order[i] == m {
			return true
		}
	}
	return false
}

// remark adds a line that the program wrote.
func (t *translator) remark(kind, text string) {
	switch {
	case kind == "info" && strings.HasPrefix(text, "Request cancelled"):
		t.User(transcript.InterruptionText, t.Text("[Request interrupted by user]"))
		return
	case kind == "error" && (strings.Contains(text, "API") || strings.Contains(strings.ToLower(text), "quota")):
		m := &transcript.Message{Role: "assistant", Model: "<synthetic>", Content: []transcript.Block{t.Text(text)}}
		t.Add(transcript.Record{Type: "assistant", Message: m, IsAPIError: true})
		return
	}
	r := t.System("informational", text)
	if kind != "info" {
		sources.Rare(r).Level = kind
	}
	for _, e := range endings {
		if t.said != "" && strings.Contains(text, e.says) {
			m := &transcript.Message{ID: t.said, Role: "assistant", StopReason: e.reason}
			t.Add(transcript.Record{Type: "assistant", Message: m})
			return
		}
	}
}

// endings are remarks on answers that did not end by themselves, and why in the words of the API.
var endings = []struct{ says, reason string }{
	{"Response truncated due to token limits.", "max_tokens"},
	{"Response stopped due to safety reasons.", "refusal"},
	{"Response stopped due to recitation policy.", "refusal"},
	{"Response stopped due to forbidden terms.", "refusal"},
	{"Response stopped due to prohibited content.", "refusal"},
	{"Response stopped due to sensitive personally identifiable information.", "refusal"},
	{"Response stopped due to unsupported language.", "refusal"},
	{"Response stopped due to image safety violations.", "refusal"},
	{"Response stopped due to image prohibited content.", "refusal"},
}

// prompt translates a message in the role of the user: a prompt, text of the program, or results.
func (t *translator) prompt(line *sources.Object, content jsontext.Value) {
	var typed, added []transcript.Block
	results := false
	for v := range parts(content) {
		b, ok := part(v, t.Value)
		switch {
		case !ok:
			t.sentBack(v)
			results = true
		case b.Type == "text" && strings.TrimSpace(b.Text) == "":
		case b.Type == "text" && (len(added) > 0 || beginsWith(b.Text, marks)):
			added = append(added, b)
		case results && b.Type != "text": // a picture that a call read
		default:
			typed = append(typed, b)
		}
	}
	first := ""
	if len(typed) > 0 {
		first = typed[0].Text
	}
	switch {
	case len(added) > 0 && t.CWD == "":
		t.CWD = Source{}.FolderOf(sources.Quote(added[0].Text))
	case beginsWith(first, summaries):
		r := t.User(transcript.SummaryText, typed...)
		r.IsCompactSummary = true
		return
	}
	if len(typed) > 0 {
		shown := ""
		if display := line.Get("displayContent"); display != nil {
			shown = textOf(display)
		}
		var contexts jsontext.Value
		if shown != "" && shown != first {
			contexts = sources.Make("label", "as it was sent", "content", sources.JoinTexts(typed))
			typed = []transcript.Block{t.Text(shown)}
		}
		t.now.asks = true
		r := t.User(transcript.PromptText, typed...)
		sources.Rare(r).Contexts = contexts
	}
	if len(added) > 0 {
		t.User(transcript.InjectedText, added...)
	}
	if len(typed) == 0 && len(added) == 0 && results && t.Added() == 0 {
		t.Hide("functionResponse", sentBack)
	}
}

// answer translates the parts of an answer that its earlier versions did not have.
func (t *translator) answer(m *message, line *sources.Object, content jsontext.Value) {
	used, has := usage(line.Get("tokens"))
	said := transcript.Message{
		ID: m.id + "@" + t.SessionID, Role: "assistant", Model: line.Text("model"), Usage: used, HasUsage: has,
	}
	t.said, m.answers = said.ID, true
	say := func(b transcript.Block) *transcript.Record {
		one := said
		one.Content = []transcript.Block{b}
		return t.Add(transcript.Record{Type: "assistant", Message: &one})
	}
	n := 0
	for thought := range transcript.Elements(line.Get("thoughts")) {
		if n++; n <= m.thoughts {
			continue
		}
		m.thoughts = n
		text := transcript.String(transcript.Field(thought, "description"))
		if subject := transcript.String(transcript.Field(thought, "subject")); subject != "" {
			text = strings.TrimSpace("**" + subject + "**\n\n" + text)
		}
		say(transcript.Block{Type: "thinking", Raw: thought, Text: text})
	}
	var b strings.Builder
	var blocks []transcript.Block
	for v := range parts(content) {
		if block, ok := part(v, t.Value); ok {
			b.WriteString(block.Text)
			blocks = append(blocks, block)
		}
	}
	text := b.String()
	if strings.TrimSpace(text) != "" && text != m.text {
		if rest, ok := strings.CutPrefix(text, m.text); ok && m.text != "" {
			blocks = []transcript.Block{t.Text(rest)}
		}
		m.text = text
		for _, b := range blocks {
			say(b)
		}
	}
	t.calls(m, line.Get("toolCalls"), say)
	if has && t.Added() == 0 {
		r := t.Hide("gemini", "token counts")
		r.Type, r.Message = "assistant", &said
	}
}
