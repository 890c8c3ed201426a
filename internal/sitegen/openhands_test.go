package sitegen

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// TestManyFiles builds two conversations of many files: each is a session with the name of its folder, and no secret of
// its state is on a page.
func TestManyFiles(t *testing.T) {
	dir, out := t.TempDir(), t.TempDir()
	for _, id := range []string{"0a1b", "2c3d"} {
		write(t, filepath.Join(dir, id, "base_state.json"), []byte(`{"id":"x","agent":{"llm":{"model":"gull-2",`+
			`"api_key":"secret-key-of-mara"}},"workspace":{"working_dir":"/w/mast"}}`))
		for i, text := range []string{"Paint the mast.", "It is red."} {
			source := [...]string{"user", "agent"}[i]
			event := fmt.Sprintf(`{"id":"e%d","timestamp":"2026-07-01T10:00:0%d","source":%q,"llm_message":{"content":`+
				`[{"type":"text","text":%q}]},"kind":"MessageEvent"}`, i, i, source, text)
			write(t, filepath.Join(dir, id, "events", fmt.Sprintf("event-%05d-aaaaaaaa.json", i)), []byte(event))
		}
	}
	r := mustBuild(t, Options{Sources: []string{dir}, Out: out, Version: "test"})
	if r.Sessions != 2 || len(r.Problems) != 0 {
		t.Errorf("got %d sessions and the problems %v, want 2 and none", r.Sessions, r.Problems)
	}
	page := string(read(t, filepath.Join(out, "s", "2c3d", "index.html")))
	if !strings.Contains(page, "It is red.") || strings.Contains(page, "secret-key-of-mara") {
		t.Error("the page lacks the answer, or has a secret")
	}
}
