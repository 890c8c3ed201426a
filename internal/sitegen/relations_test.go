package sitegen

import (
	"os"
	"path/filepath"
	"testing"
)

// TestMadeByHand: records that people number by hand are no copies of those with the same numbers in other files.
func TestMadeByHand(t *testing.T) {
	dir, out := t.TempDir(), t.TempDir()
	for _, name := range []string{"one", "other"} {
		var lines []byte
		for _, id := range []string{"1", "2", "3", "4"} {
			lines = append(lines, `{"type":"user","uuid":"`+id+`","sessionId":"`+name+`","timestamp":"2026-03-02T09:0`+
				id+`:00Z","cwd":"/w","message":{"role":"user","content":"`+name+" "+id+`"}}`+"\n"...)
		}
		if err := os.WriteFile(filepath.Join(dir, name+".jsonl"), lines, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if r := buildInto(t, out, dir); r.Totals.Prompts != 8 {
		t.Errorf("%d prompts, want 8: four of each session", r.Totals.Prompts)
	}
}
