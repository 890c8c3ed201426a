package export

import (
	"testing"

	"viewer/internal/transcript"
	"viewer/normalize"
)

// TestPartTitle: the request of a session may be in its second prompt. A part with only the first one, or without both,
// does not contain its text.
func TestPartTitle(t *testing.T) {
	log := `{"type":"user","uuid":"a","message":{"role":"user","content":"hi"}}
{"type":"user","uuid":"b","message":{"role":"user","content":"Count the lamps"}}
{"type":"user","uuid":"c","message":{"role":"user","content":"Paint the pier"}}
`
	for turns, want := range map[string]string{
		"1": "hi", "1-2": "Count the lamps", "2-": "Count the lamps", "3": "Paint the pier",
	} {
		f := transcript.Read("in.jsonl", []byte(log))
		c := normalize.Build(normalize.Input{ID: "in", Main: &f})
		if got := c.Facts.FirstPrompt; got != "Count the lamps" {
			t.Fatalf("the request of the session is %q", got)
		}
		r, err := ParseRange(turns)
		if err == nil {
			err = Part(c, Options{Turns: r})
		}
		if got := c.Facts.FirstPrompt; err != nil || got != want {
			t.Errorf("prompts %s: got the request %q, %v; want %q", turns, got, err, want)
		}
	}
}
