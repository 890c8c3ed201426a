package export

import (
	"slices"
	"strings"

	"viewer/internal/tools"
	"viewer/internal/transcript"
	"viewer/internal/words"
	"viewer/normalize"
)

// said returns the text of a message for programs, as the log has it.
func said(m *normalize.Message) string {
	if isMedia(m) {
		return "[" + mediaWords(m.Block) + "]"
	}
	switch m.Kind {
	case normalize.Prompt, normalize.Text, normalize.Thinking, normalize.Output:
		return m.Text
	case normalize.Command:
		return strings.TrimSpace(m.Name + " " + m.Text)
	case normalize.Shell:
		return "! " + m.Text
	case normalize.System, normalize.Hook, normalize.Attachment, normalize.Block, normalize.Unknown:
		name, text := eventWords(m)
		if text == "" {
			return name
		}
		return name + ": " + text
	}
	return messageText(m)
}

// joined returns the texts of messages of some kinds, separated by blank lines.
func (s Session) joined(all []*normalize.Message, kinds ...normalize.Kind) string {
	var texts []string
	for _, m := range all {
		for _, k := range kinds {
			if m.Kind == k && strings.TrimSpace(m.Text) != "" {
				texts = append(texts, m.Text)
			}
		}
	}
	return s.together(texts)
}

// together joins texts. The result is redacted again, because the parts may form a secret together.
func (s Session) together(texts []string) string {
	if len(texts) == 1 {
		return texts[0]
	}
	text := strings.Join(texts, "\n\n")
	if s.Redact != nil {
		text = s.Redact(text)
	}
	return text
}

func isMedia(m *normalize.Message) bool {
	return m.Block != nil && (m.Block.Type == "image" || m.Block.Type == "document")
}

// withoutThoughts returns the messages except thoughts.
func withoutThoughts(all []*normalize.Message) []*normalize.Message {
	return slices.DeleteFunc(slices.Clone(all), func(m *normalize.Message) bool { return m.Kind == normalize.Thinking })
}

// resultWords returns the text of a block of a result, or a description; false for images.
func resultWords(b *transcript.Block) (text string, ok bool) {
	switch {
	case b.Type == "text":
		return b.Text, true
	case b.OnlyEncrypted():
		return "[" + tools.EncryptedText(*b) + "]", true
	case b.Type == "image" || b.Type == "document":
		return "[" + mediaWords(b) + "]", false
	case b.Type == "tool_reference":
		return "[tool " + words.OneLine(b.Name) + "]", true
	}
	if len(b.Raw) == 0 {
		return "[" + b.Type + "]", true
	}
	return string(slimmed(b.Raw)), true
}

// resultText returns all of a result as one text.
func (s Session) resultText(b *transcript.Block) string {
	var texts []string
	for i := range b.Content {
		text, _ := resultWords(&b.Content[i])
		texts = append(texts, text)
	}
	return s.together(texts)
}

// callID returns the id of a call, or an id made from its place if the log has none.
func callID(g *normalize.Group) string {
	if id := g.Head().Block.ID; g.Call != nil && id != "" {
		return id
	}
	if g.Call == nil && g.Result.Block.ToolUseID != "" {
		return g.Result.Block.ToolUseID
	}
	return "call_" + g.Head().Anchor
}

// arguments returns the input of a call as an object.
func arguments(g *normalize.Group) raw {
	input := g.Call.Block.Input
	if transcript.Kind(input) == '{' && transcript.Valid(input) {
		return raw(copied(input, false))
	}
	if len(input) == 0 || transcript.Kind(input) == 'n' {
		return raw("{}")
	}
	return raw(`{"input":` + string(quote(transcript.TextOf(input))) + `}`)
}
