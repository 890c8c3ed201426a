package normalize

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/transcript"
)

// ResultText removes from the text of a result what Claude Code puts around it: <tool_use_error>, and the
// <system-reminder> that older versions appended, which is returned separately.
func ResultText(wrapped string) (text, reminder string) {
	text = wrapped
	if before, after, ok := strings.Cut(text, "<system-reminder>"); ok {
		if body, rest, ok := strings.Cut(after, "</system-reminder>"); ok && strings.TrimSpace(rest) == "" {
			text, reminder = strings.TrimRight(before, "\n"), strings.TrimSpace(body)
		}
	}
	if body, ok := strings.CutPrefix(text, "<tool_use_error>"); ok {
		text = strings.TrimSuffix(strings.TrimRight(body, "\n"), "</tool_use_error>")
	}
	return text, reminder
}

// Structured returns the structured result of a call, nil if there is none. A record has only one. If it contains
// several results, only the first one has it.
func (m *Message) Structured() jsontext.Value {
	if m.isFurtherBlock() {
		return nil
	}
	return m.Record.ToolUseResult
}

// ServerMeta returns what a server of the Model Context Protocol returned besides its answer, nil for nothing. As with
// Structured, only the first of several results has it.
func (m *Message) ServerMeta() jsontext.Value {
	if m.isFurtherBlock() {
		return nil
	}
	return m.Record.MCPMeta
}

// Member returns a member of the record outside of the API message, nil if there is none. Only the first of several
// blocks of a type has it, so that a record with thousands of blocks is not searched for each of them.
func (m *Message) Member(name string) jsontext.Value {
	if m.isFurtherBlock() {
		return nil
	}
	return transcript.Field(m.Record.Raw, name)
}

// isFurtherBlock reports whether the record has a block of the same type before this one: its first, or the one before.
func (m *Message) isFurtherBlock() bool {
	if m.Part == 0 || m.Record.Message == nil || len(m.Record.Message.Content) <= m.Part {
		return false
	}
	blocks := m.Record.Message.Content
	is := blocks[m.Part].Type
	return blocks[0].Type == is || blocks[m.Part-1].Type == is
}
