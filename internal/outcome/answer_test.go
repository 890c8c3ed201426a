package outcome

import (
	"strings"
	"testing"

	"viewer/internal/transcript"
	"viewer/normalize"
)

func TestAnswer(t *testing.T) {
	const stopped = "[Request interrupted by user]"
	for _, c := range []struct {
		name, want string
		write      func(l *logWriter)
	}{
		{"the last of two texts", "Two", func(l *logWriter) { l.answer("One"); l.answer("Two") }},
		{"texts of one request", "One, Two", func(l *logWriter) {
			for _, text := range []string{"One", "Two"} {
				l.record(`"type":"assistant","message":{"id":"m","role":"assistant","model":"m","content":[{"type":"text","text":%q}]}`, text)
			}
		}},
		{"after the last call", "Two", func(l *logWriter) { l.answer("One"); l.ran("ls", "a"); l.answer("Two") }},
		{"no text after it", "", func(l *logWriter) { l.answer("One"); l.ran("ls", "a") }},
		{"an interruption", stopped, func(l *logWriter) { l.ran("ls", "a"); l.prompt(stopped) }},
		{"the text before it too", "One, " + stopped, func(l *logWriter) { l.answer("One"); l.prompt(stopped) }},
		{"a thought between them", "One, Two", func(l *logWriter) {
			for _, block := range []string{`"text","text":"One"`, `"thinking","thinking":"Hm"`, `"text","text":"Two"`} {
				l.record(`"type":"assistant","message":{"id":"m","role":"assistant","model":"m","content":[{"type":%s}]}`, block)
			}
		}},
		{"the last of several failures", "API Error: 529", func(l *logWriter) { l.failedRequest(); l.failedRequest() }},
		{"nothing", "", func(*logWriter) {}},
	} {
		var l logWriter
		l.prompt("Ask")
		c.write(&l)
		read := transcript.Read("s.jsonl", []byte(l.b.String()))
		turns := normalize.Build(normalize.Input{ID: "s", Main: &read}).Turns
		var got []string
		for _, m := range Answer(turns[len(turns)-1]) {
			got = append(got, m.Text)
		}
		if got := strings.Join(got, ", "); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}
