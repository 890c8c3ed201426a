package export

import (
	"html"
	"strings"

	"viewer/internal/tools"
	"viewer/normalize"
)

// messageText returns the text of a message. Of one from another agent or session, and of a report from the background:
// the inside of its tags and what follows them.
func messageText(m *normalize.Message) string {
	if m.Kind == normalize.Result { // after the first of its call
		return tools.ContentText(m.Block.Content)
	}
	if m.Kind != normalize.Teammate && m.Kind != normalize.Notification {
		return m.Text
	}
	var parts []string
	for i, t := range m.Tags {
		text := strings.TrimSpace(t.Body)
		if m.Kind == normalize.Notification {
			text = reported(t)
		} else if i > 0 && t.From != "" {
			text = t.From + ": " + text
		}
		parts = append(parts, text)
	}
	return strings.TrimSpace(strings.Join(append(parts, m.Text), "\n\n"))
}

// reported returns the text of a notification, or all of it if none of its elements is known.
func reported(t normalize.Tag) string {
	var parts []string
	for _, name := range []string{"summary", "result", "event"} {
		if text := t.Element(name); text != "" {
			if name == "summary" {
				text = html.UnescapeString(text)
			}
			parts = append(parts, text)
		}
	}
	if parts == nil {
		return strings.TrimSpace(t.Body)
	}
	return strings.Join(parts, "\n\n")
}
