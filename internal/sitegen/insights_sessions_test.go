package sitegen

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// TestInsightsSessions: numbers of sessions are not rounded, so that the pages of insights and the index agree.
func TestInsightsSessions(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "-home-ada-pier")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	const sessions = 104
	for n := range sessions {
		id := fmt.Sprintf("%08d-0000-4000-8000-000000000000", n)
		log := fmt.Sprintf(`{"type":"user","uuid":%q,"sessionId":%[1]q,"timestamp":"2026-05-01T10:00:00Z",`+
			`"cwd":"/home/ada/pier","message":{"role":"user","content":"Look at the tide"}}`+"\n", id)
		if err := os.WriteFile(filepath.Join(dir, id+".jsonl"), []byte(log), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	out := filepath.Join(t.TempDir(), "site")
	if _, err := Build(t.Context(), Options{Sources: []string{dir}, Out: out, Version: "test"}); err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(filepath.Join(out, "insights.html"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`<a href="index.html">104</a>`, "Counted over 104 sessions"} {
		if !bytes.Contains(page, []byte(want)) {
			t.Errorf("the page does not contain %q", want)
		}
	}
}
