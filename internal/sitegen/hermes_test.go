package sitegen

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestHermes builds a database of Hermes Agent with a session and its agent, next to a document of a session in it: the
// agent is drawn below the call that started it, and the document is no session. The database alone is a usual source.
func TestHermes(t *testing.T) {
	dir, out := t.TempDir(), t.TempDir()
	write(t, filepath.Join(dir, "state.db"), readFile(t, "../sources/hermes/testdata/state.db"))
	write(t, filepath.Join(dir, "sessions", "session_20260601_0900.json"), []byte(`{"session_id":"20260601_0900",`+
		`"model":"m","platform":"cli","session_start":"2026-06-01T09:00:00","messages":[{"role":"user","content":"x"}]}`))
	r := mustBuild(t, Options{Sources: []string{dir}, Out: out, Version: "test"})
	if r.Sessions != 2 || len(r.Problems) != 0 {
		t.Errorf("got %d sessions and the problems %v, want 2 and none", r.Sessions, r.Problems)
	}
	page := string(read(t, filepath.Join(out, "s", "20260601_0900", "index.html")))
	call, agent := strings.Index(page, "It is in a lighthouse."), strings.Index(page, "Agent started")
	if answer := strings.Index(page, "Short is best."); call < 0 || agent < call || answer < agent {
		t.Errorf("the agent is at %d of the page, its call at %d, and the next answer at %d", agent, call, answer)
	}
	for file, want := range map[string]bool{"state.db": true, "sessions": true, "none": false} {
		if has, err := HasSessions(filepath.Join(dir, file)); has != want || err != nil && want {
			t.Errorf("%s: HasSessions got %v, error %v, want %v", file, has, err, want)
		}
	}
}
