package render

import (
	"fmt"
	"strings"
	"testing"

	"viewer/internal/testing/golden"
	"viewer/normalize"
	"viewer/render/page"
)

// TestStrips draws the strip of each case.
func TestStrips(t *testing.T) {
	for _, path := range golden.Glob(t, "testdata/strip/*.txtar") {
		t.Run(strings.TrimSuffix(path, ".txtar"), func(t *testing.T) {
			a := golden.Open(t, path)
			a.Compare(t, "want.html", string(stripOf(conversationOf(t, a)))+"\n")
		})
	}
}

func stripOf(c *normalize.Conversation) string {
	d := newPageDrawing(Open(Session{Conversation: c}).b, 0)
	return string(page.Execute("partial/strip", d.strip(c, nil)))
}

// TestStripSize: the strip of a long session is little larger than that of a short one, and shows each failure.
func TestStripSize(t *testing.T) {
	output := strings.Repeat("word ", 400) // output of a realistic size
	for _, n := range []int{5, 300, 6000} {
		s := new(sessionWriter)
		s.prompt(10)
		for i := range n {
			at := fmt.Sprintf("2026-03-%02dT%02d:%02d:%02d.000Z", 2+i/2880, i/120%24, i/2%60, i%2*30)
			s.record("assistant", fmt.Sprintf(
				`"timestamp":%q,"message":{"id":"m%d","role":"assistant","usage":{"input_tokens":%d},"content":[{"type":"tool_use","id":"t%d","name":"Bash","input":{}}]}`, at, i, 100+i%900, i))
			s.record("user", fmt.Sprintf(
				`"timestamp":%q,"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t%d","content":%q,"is_error":%v}]}`, at, i, output, i == n/2))
		}
		html := stripOf(build(s.lines))
		if len(html) > 20<<10 {
			t.Errorf("%d requests: got %d bytes, want at most %d", n, len(html), 20<<10)
		}
		if strings.Count(html, `class="m-bad"`) != 1 || !strings.Contains(html, fmt.Sprintf("%d failed", 1)) {
			t.Errorf("%d requests: the failed call is missing in\n%.3000s", n, html)
		}
	}
}

// TestLowStrip: a strip without contexts has no room for them.
func TestLowStrip(t *testing.T) {
	s := new(sessionWriter)
	s.prompt(10)
	for i := range 6 {
		s.record("assistant", fmt.Sprintf(
			`"message":{"id":"m%d","role":"assistant","content":[{"type":"tool_use","id":"t%[1]d","name":"Bash","input":{}}]}`, i))
	}
	html := stripOf(build(s.lines))
	if !strings.Contains(html, `class="plot low"`) || strings.Count(html, `viewBox="0 40 1000 24"`) != 2 {
		t.Errorf("the strip of calls is not low:\n%.600s", html)
	}
}

// TestNoStrip: a session with nothing to show has no strip.
func TestNoStrip(t *testing.T) {
	s := new(sessionWriter)
	s.prompt(10)
	s.text(10)
	s.call("t1", 10)
	if html := stripOf(build(s.lines)); html != "" {
		t.Errorf("the strip of one call is %q, want none", html)
	}
}
