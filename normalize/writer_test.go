package normalize

import (
	"testing"

	"viewer/internal/transcript"
)

// What a writer's logs never say is not taken for something that went wrong.
func TestWriter(t *testing.T) {
	log := `{"type":"user","uuid":"u1","message":{"role":"user","content":"go"}}
{"type":"assistant","uuid":"u2","message":{"id":"m1","role":"assistant","content":[{"type":"tool_use","id":"c1","name":"shovel","input":{}}]}}
{"type":"user","uuid":"u3","message":{"role":"user","content":"on"}}`
	for _, c := range []struct {
		name   string
		writer transcript.Writer
		state  State
		sent   int // messages
	}{
		{"Claude Code", transcript.Writer{}, Missing, 3},
		{"one without results", transcript.Writer{Name: "Tern", NoResults: true}, Unlogged, 3},
		{"one that does not say what was sent", transcript.Writer{Name: "Tern", NotSent: true}, Missing, 0},
	} {
		main := transcript.Read("a.jsonl", []byte(log))
		main.Writer = c.writer
		conversation := Build(Input{ID: "a", Main: &main})
		if conversation.Writer != c.writer || conversation.AsSent() == c.writer.NotSent {
			t.Errorf("%s: the conversation is of %+v, as sent %v", c.name, conversation.Writer, conversation.AsSent())
		}
		if n := len(conversation.Sent.Messages); n != c.sent {
			t.Errorf("%s: %d messages were sent, want %d", c.name, n, c.sent)
		}
		for g := range conversation.Groups() {
			if g.State != c.state {
				t.Errorf("%s: the call is %s, want %s", c.name, g.State, c.state)
			}
		}
	}
}
