package sitegen

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestGoose builds a database of Goose with a session and its agent, next to the file in lines that Goose imported into
// it: the agent is drawn below the call that started it, and the file is no session.
func TestGoose(t *testing.T) {
	dir, out := t.TempDir(), t.TempDir()
	write(t, filepath.Join(dir, "sessions.db"), readFile(t, "../sources/goose/testdata/sessions.db"))
	write(t, filepath.Join(dir, "20260501_1.jsonl"), []byte(`{"working_dir":"/w/lantern","description":"Lantern",`+
		`"message_count":1,"total_tokens":1}`+"\n"+
		`{"role":"user","created":1777622405,"content":[{"type":"text","text":"Mend the lantern"}]}`+"\n"))
	r := mustBuild(t, Options{Sources: []string{dir}, Out: out, Version: "test"})
	if r.Sessions != 1 || len(r.Problems) != 0 {
		t.Errorf("got %d sessions and the problems %v, want 1 and none", r.Sessions, r.Problems)
	}
	page := string(read(t, filepath.Join(out, "s", "20260501_1", "index.html")))
	call, agent := strings.Index(page, "Find a name for a lantern."), strings.Index(page, "Glimmer it is.")
	if call < 0 || agent < call || strings.Contains(page, "secret-key-of-mara") {
		t.Errorf("the agent is at %d of the page, after its call at %d, or the page has a key", agent, call)
	}
}
