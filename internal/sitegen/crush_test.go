package sitegen

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestCrush builds the database in the hidden folder of a project: the agent of a session is drawn below the call that
// started it, and its cost counts once.
func TestCrush(t *testing.T) {
	dir, out := t.TempDir(), t.TempDir()
	write(t, filepath.Join(dir, "buoy", ".crush", "crush.db"), readFile(t, "../sources/crush/testdata/crush.db"))
	r := mustBuild(t, Options{Sources: []string{dir}, Out: out, Version: "test"})
	if r.Sessions != 2 || len(r.Problems) != 1 { // a message is damaged
		t.Errorf("got %d sessions and the problems %v, want 2 and one", r.Sessions, r.Problems)
	}
	page := string(read(t, filepath.Join(out, "s", "5f1e-buoy", "index.html")))
	call, agent := strings.Index(page, "Find a name for a bell."), strings.Index(page, "Agent started")
	if answer := strings.LastIndex(page, "It is called"); call < 0 || agent < call || answer < agent {
		t.Errorf("the agent is at %d of the page, its call at %d, and the next answer at %d", agent, call, answer)
	}
	if !strings.Contains(page, "$0.12") || strings.Contains(page, "$0.14") {
		t.Error("the cost of the agent counts twice, or not at all")
	}
}
