package render

import (
	"regexp"
	"strings"
	"testing"

	"viewer/internal/testing/htmlcheck"
	"viewer/internal/transcript"
)

// TestOutlineSteps: the outline of a session with one prompt lists its steps; with more prompts it does not.
func TestOutlineSteps(t *testing.T) {
	lines := storyLog(`"type":"assistant","message":{"id":"m99","role":"assistant","model":"claude-sonnet-4-5","content":[{"type":"text","text":"## Gauge fixed\n\nBrest shows low water again. Push it?"}]}`)
	draw := func(lines []string) string {
		return string(DrawSession(Session{Conversation: build(lines), Main: &transcript.File{}}).Pages[0].HTML)
	}
	html := draw(lines)
	htmlcheck.Run(t, html,
		htmlcheck.In(".out .toc li small", htmlcheck.HasText(" calls")), // as the head and the strip name them
		htmlcheck.Count(".out .done li", 3),
		htmlcheck.In(".out .done .bad", htmlcheck.IsText("Bash go test ./... failed")),
		htmlcheck.In(".out .done li:nth-of-type(2)", htmlcheck.IsText("Commit 1a2b3c4 Gauge")),
		htmlcheck.In(".out .done .good", htmlcheck.IsText("Answer: Gauge fixed")),
		htmlcheck.HasNot(".out .to"),
	)
	for _, part := range strings.Split(html, `<ul class="agents done"`)[1:] {
		list, _, _ := strings.Cut(part, "</ul>")
		for _, link := range strings.Split(list, `<a href="#`)[1:] {
			if id, _, _ := strings.Cut(link, `"`); !strings.Contains(html, `id="`+id+`"`) {
				t.Errorf("a step links to #%s, which does not exist", id)
			}
		}
	}
	described := strings.ReplaceAll(strings.Join(lines, "\n"), `"command":"go test`,
		`"description":"Run the tests.","command":"go test`)
	htmlcheck.Run(t, draw(strings.Split(described, "\n")),
		htmlcheck.In(".out .done .bad", htmlcheck.IsText("Run the tests failed")))
	hook := `"content":"PreToolUse:Bash hook error: [guard]: no tests today`
	blocked := regexp.MustCompile(`"content":"[^"]*FAIL`).ReplaceAllLiteralString(strings.Join(lines, "\n"), hook)
	htmlcheck.Run(t, draw(strings.Split(blocked, "\n")),
		htmlcheck.In(".out .done .bad", htmlcheck.IsText("Bash go test ./... blocked")))
	htmlcheck.Run(t, draw(append(lines, `{"type":"user","uuid":"late-1","timestamp":"2026-03-02T10:30:00Z","message":{"role":"user","content":"yes"}}`)),
		htmlcheck.HasNot(".out .done"),
		htmlcheck.In(".out .toc li:nth-of-type(2) .to", htmlcheck.IsText("to: Push it?")))
}
