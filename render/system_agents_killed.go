package render

import (
	"strings"

	"viewer/internal/transcript"
)

var _ = register(systems, "agents_killed", "event", viewAgentsKilled)

func viewAgentsKilled(e event) (recordEvent, error) {
	v := recordEvent{line: line{Text: "Agents stopped", Level: atTools, Look: "rule"}}
	shown := map[string]bool{}
	add := func(name, said string) {
		if said != "" {
			v.Text += dot + oneLine(said, 120)
			shown[name] = oneLine(said, 120) == strings.TrimSpace(said)
		}
	}
	content := e.Record.Content
	add("count", transcript.TextOf(transcript.Field(content, "count")))
	add("reason", transcript.String(transcript.Field(content, "reason")))
	if add("content", transcript.String(content)); !shown["content"] && transcript.Kind(content) == '"' {
		v.Rows = append(v.Rows, e.d.said("content", transcript.String(content)))
	}
	for _, f := range e.d.fields(content) {
		if !shown[f.Name] {
			v.Rows = append(v.Rows, f)
		}
	}
	return v, nil
}
