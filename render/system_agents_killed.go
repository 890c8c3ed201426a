package render

import "viewer/transcript"

var _ = register(systems, "agents_killed", "bare", viewAgentsKilled)

type agentsKilled struct{ line }

func viewAgentsKilled(e event) (agentsKilled, error) {
	v := agentsKilled{line{Text: "Agents stopped", Level: atTools, Look: "rule"}}
	if n := transcript.TextOf(transcript.Field(e.Record.Content, "count")); n != "" {
		v.Text += " · " + n
	}
	if s := transcript.String(transcript.Field(e.Record.Content, "reason")); s != "" {
		v.Text += " · " + oneLine(s, 120)
	}
	if s := transcript.String(e.Record.Content); s != "" {
		v.Text += " · " + oneLine(s, 120)
	}
	return v, nil
}
