package normalize

import "strings"

// ResultText takes off the text of a tool's result what Claude Code wraps around it: <tool_use_error>, and the
// <system-reminder> that older versions appended, which is returned apart.
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
