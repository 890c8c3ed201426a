package sitegen

import (
	"context"
	"path/filepath"
	"reflect"
	"testing"
)

// TestCopyOfHome: in a copy of a home folder the sessions of agents are found in their usual hidden folders, and
// nothing else that is hidden is read.
func TestCopyOfHome(t *testing.T) {
	backup := t.TempDir()
	home := filepath.Join(backup, "run-7", "home")
	log := []byte(`{"type":"user","uuid":"10000000-0000-4000-8000-000000000001","sessionId":"s",` +
		`"timestamp":"2026-05-01T10:00:00Z","cwd":"/w","message":{"role":"user","content":"When is high water?"}}` + "\n")
	for _, p := range []string{
		".claude/projects/-w/s.jsonl", ".claude/history.jsonl", ".claude/plugins/a/b.jsonl", ".git/c.jsonl",
		".codex/log/d.jsonl",
	} {
		write(t, filepath.Join(home, filepath.FromSlash(p)), log)
	}
	write(t, filepath.Join(home, ".codex", "sessions", "2026", "05", "01", "rollout-2026-05-01T10-00-00-a.jsonl"),
		[]byte(`{"timestamp":"2026-05-01T10:00:00Z","type":"session_meta","payload":{"id":"a","cwd":"/w"}}`+"\n"+
			`{"timestamp":"2026-05-01T10:00:01Z","type":"response_item","payload":{"type":"message","role":"user",`+
			`"content":[{"type":"input_text","text":"And low water?"}]}}`+"\n"))
	settle(t, backup)
	r, err := Build(context.Background(), Options{Sources: []string{backup}, Out: t.TempDir(), Version: "test"})
	if err != nil {
		t.Fatal(err)
	}
	if want := map[string]int{"Claude Code": 1, "Codex": 1}; !reflect.DeepEqual(r.Agents, want) {
		t.Errorf("got sessions %v, want %v", r.Agents, want)
	}
}
