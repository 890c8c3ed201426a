package normalize

import (
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/transcript"
)

// TestWriter: information that a writer never logs is not treated as missing.
func TestWriter(t *testing.T) {
	log := `{"type":"user","uuid":"u1","text":"go"}
{"type":"assistant","uuid":"u2","call":"shovel"}
{"type":"user","uuid":"u3","text":"on"}`
	for _, c := range []struct {
		name     string
		writer   transcript.Writer
		noResult bool // the call says that its result is not logged
		state    State
		sent     int // number of messages in the request
		problems int
	}{
		{"Claude Code", transcript.Writer{}, false, Missing, 1, 1},
		{"one without results", transcript.Writer{Name: "Tern", NoResults: true}, false, Unlogged, 1, 0},
		{"a call without a result", transcript.Writer{Name: "Tern"}, true, Unlogged, 1, 0},
		{"one that does not say what was sent", transcript.Writer{Name: "Tern", NotSent: true}, false, Missing, 0, 1},
	} {
		translate := func(_ transcript.Pos, v jsontext.Value) ([]transcript.Record, []transcript.Problem) {
			member := func(name string) string { return transcript.String(transcript.Field(v, name)) }
			b := transcript.Block{Type: "text", Text: member("text")}
			if name := member("call"); name != "" { // calls without an id
				b = transcript.Block{Type: "tool_use", Name: name, NoResult: c.noResult}
			}
			return []transcript.Record{{Type: member("type"), UUID: member("uuid"),
				Message: &transcript.Message{Role: member("type"), Content: []transcript.Block{b}}}}, nil
		}
		main := transcript.Options{Writer: c.writer, Translate: translate}.Read("a.jsonl", []byte(log))
		conversation := Build(Input{ID: "a", Main: &main})
		if conversation.Writer != c.writer || conversation.AsSent() == c.writer.NotSent {
			t.Errorf("%s: got writer %+v, as sent %v", c.name, conversation.Writer, conversation.AsSent())
		}
		if n := len(conversation.Sent.Messages); n != c.sent {
			t.Errorf("%s: the request has %d messages, want %d", c.name, n, c.sent)
		}
		if n := len(conversation.Problems); (n > 0) != (c.problems > 0) {
			t.Errorf("%s: got problems %v, want none", c.name, conversation.Problems)
		}
		for g := range conversation.Groups() {
			if g.State != c.state {
				t.Errorf("%s: the call is %s, want %s", c.name, g.State, c.state)
			}
		}
	}
}

// TestUnknownWriter: a log without a single known record is not called one of Claude Code.
func TestUnknownWriter(t *testing.T) {
	for log, want := range map[string]string{
		`{"role":"user","content":"Hi"}`:                           "Unknown program",
		`{"type":"bell","sessionId":"s"}`:                          "Claude Code",
		`{"type":"user","message":{"role":"user","content":"Hi"}}`: "Claude Code",
	} {
		main := transcript.Read("a.jsonl", []byte(log))
		if got := Build(Input{ID: "a", Main: &main}).Writer.String(); got != want {
			t.Errorf("%s: got %s, want %s", log, got, want)
		}
	}
}
