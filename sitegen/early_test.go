package sitegen

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestEarly: a session of which an agent has another time and is as it was is read early
// and not drawn, while another one comes or goes. Nobody takes what was read.
func TestEarly(t *testing.T) {
	source := copyOf(t, testdata)
	o := Options{Sources: []string{source}, Out: t.TempDir(), Version: "test", Prune: true}
	const record = `{"type":"user","uuid":"%s","timestamp":"2026-01-01T00:00:00Z","message":{"role":"user","content":"hello"}}` + "\n"
	main, agent := filepath.Join(source, "-srv-a", "a.jsonl"), filepath.Join(source, "-srv-a", "a", "subagents", "agent-1.jsonl")
	other := filepath.Join(source, "-srv-b", "b.jsonl")
	for _, name := range []string{main, agent, other} {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(fmt.Sprintf(record, filepath.Base(name))), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	settle(t, source)
	mustBuild(t, o)
	for i := range 6 {
		touch(t, agent, time.Now().Add(-time.Hour-time.Duration(i)*time.Minute))
		var err error
		if i%2 == 0 {
			err = os.Remove(other)
		} else {
			err = os.WriteFile(other, []byte(fmt.Sprintf(record, "b")), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(100 * time.Millisecond) // what has just changed could change again without another time
		r := mustBuild(t, o)
		if want := i % 2; r.Rendered != want {
			t.Errorf("build %d drew %d sessions, want %d", i, r.Rendered, want)
		}
	}
}
