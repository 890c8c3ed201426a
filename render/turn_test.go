package render

import (
	"strings"
	"testing"

	"viewer/internal/stats"
	"viewer/internal/testing/golden"
	"viewer/render/page"
)

// TestTurns draws whole turns, including boxes, pauses and the foot around their items.
func TestTurns(t *testing.T) {
	for _, path := range golden.Glob(t, "testdata/turn/*.txtar") {
		t.Run(strings.TrimSuffix(path, ".txtar"), func(t *testing.T) {
			a := golden.Open(t, path)
			c := conversationOf(t, a)
			d := testDrawer(c, prices(t))
			var b strings.Builder
			for i, turn := range c.Turns {
				section := d.turn(turnPart{turn, turn.Items, true, true, i}, "You")
				b.WriteString(string(page.Execute("partial/section", section)) + "\n")
			}
			a.Compare(t, "want.html", b.String())
		})
	}
}

// TestTurnOverPages draws a page that has neither start nor end of its turn.
func TestTurnOverPages(t *testing.T) {
	s := new(sessionWriter)
	s.prompt(5)
	s.text(5)
	c := build(s.lines)
	turn := c.Turns[0]
	html := string(page.Execute("partial/section",
		testDrawer(c, stats.Prices{}).turn(turnPart{turn, turn.Items, false, false, 0}, "You")))
	if !strings.Contains(html, "continues <a href=") || strings.Contains(html, `class="prompt`) ||
		!strings.Contains(html, "ttttt") {
		t.Errorf("the middle of a turn is drawn as\n%s\nwant its text, the prompt that it continues as a link, and no prompt",
			html)
	}
}
