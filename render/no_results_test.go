package render

import (
	"strings"
	"testing"

	"viewer/internal/transcript"
	"viewer/normalize"
)

// TestNoResults: if a log has no results, the page says so once, and does not say that calls failed. If the log has
// some results, each call without one says so.
func TestNoResults(t *testing.T) {
	calls := `{"role":"user","message":{"content":[{"type":"text","text":"<user_query>Count.</user_query>"}]}}
{"role":"assistant","message":{"content":[{"type":"tool_use","name":"Read","input":{"path":"/w/a.go"}},{"type":"tool_use","name":"Read","input":{"path":"/w/b.go"}}]}}
`
	result := `{"role":"user","message":{"content":[{"type":"tool_result","content":"package a"}]}}
`
	for log, want := range map[string][3]int{
		calls:          {1, 0, 0},
		calls + result: {0, 1, 1},
	} {
		f := readCase([]byte(log))
		c := normalize.Build(normalize.Input{ID: "s", Main: &f})
		html := string(DrawSession(Session{Conversation: c, Main: &transcript.File{}}).Pages[0].HTML)
		got := [3]int{
			strings.Count(html, "2 calls, results not in the log"), strings.Count(html, ">result not in the log"),
			strings.Count(html, "none failed"),
		}
		if got != want {
			t.Errorf("got %d, want %d: once for all, for each call, and failed calls", got, want)
		}
	}
}
