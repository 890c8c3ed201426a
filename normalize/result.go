package normalize

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"
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
	r := m.Record
	if m.Part > 0 && r.Message != nil && len(r.Message.Content) > m.Part &&
		(r.Message.Content[0].Type == "tool_result" || r.Message.Content[m.Part-1].Type == "tool_result") {
		return nil
	}
	return r.ToolUseResult
}
