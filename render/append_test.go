package render

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"viewer/internal/transcript"
	"viewer/normalize"
)

// TestAppendChangesFewPages extends a session of several pages. Only the first page, which has the totals, and the last
// one may change.
func TestAppendChangesFewPages(t *testing.T) {
	timed := func(lines []string) []string {
		var all []string
		for i, l := range lines {
			at := fmt.Sprintf(`"timestamp":"2026-03-02T%02d:%02d:00.000Z","sessionId"`, 9+i/60, i%60)
			all = append(all, strings.Replace(l, `"sessionId"`, at, 1))
		}
		return all
	}
	draw := func(lines []string) []Page {
		f := transcript.Read("s.jsonl", []byte(strings.Join(timed(lines), "\n")+"\n"))
		c := normalize.Build(normalize.Input{ID: "s", Main: &f})
		return DrawSession(Session{Conversation: c, Main: &f, Folder: "s"}).Pages
	}
	s := new(sessionWriter)
	s.lines = randomSession(1, 130)
	s.n = len(s.lines)
	before := draw(s.lines)
	s.prompt(100)
	s.text(100)
	s.call("late", 100)
	after := make(map[string][]byte)
	for _, p := range draw(s.lines) {
		after[p.Name] = p.HTML
	}
	if len(before) < 4 {
		t.Fatalf("%d pages, want some: make the records larger", len(before))
	}
	last := before[len(before)-1].Name
	for _, p := range before {
		if p.Name != "index.html" && p.Name != last && !bytes.Equal(p.HTML, after[p.Name]) {
			t.Errorf("%s differs after an append; want only index.html and %s to", p.Name, last)
		}
	}
}
