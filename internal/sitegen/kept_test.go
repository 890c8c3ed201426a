package sitegen

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// TestRenamedFolder renames the folder of a project. Its sessions must be recognized by the ids of their records, by
// file names that are ids, and by their bytes. The site must be that of a build into a new folder.
func TestRenamedFolder(t *testing.T) {
	const id, other = "17c3e8a4-0b6d-4f92-a7e1-c58d2b90f463", "27c3e8a4-0b6d-4f92-a7e1-c58d2b90f463"
	source, out, clean := t.TempDir(), t.TempDir(), t.TempDir()
	before, after := filepath.Join(source, "-w-before"), filepath.Join(source, "-w-after")
	record := func(uuid, session, text string) []byte {
		return fmt.Appendf(nil, `{"type":"user","uuid":"%s"%s,"message":{"role":"user","content":"%s"}}`+"\n",
			uuid, session, text)
	}
	write(t, filepath.Join(before, id+".jsonl"), record("a", `,"sessionId":"`+id+`"`, "Known by its records"))
	write(t, filepath.Join(before, other+".jsonl"), record("b", "", "Known by its name"))
	write(t, filepath.Join(before, "run.jsonl"), record("c", "", "Known by its bytes"))
	write(t, filepath.Join(before, "37c3e8a4-0b6d-4f92-a7e1-c58d2b90f463.jsonl"), nil)
	write(t, filepath.Join(before, "agent-1.jsonl"),
		record("d", `,"sessionId":"47c3e8a4-0b6d-4f92-a7e1-c58d2b90f463","isSidechain":true,"agentId":"1"`, "An agent alone"))
	o := Options{Sources: []string{source}, Out: out, Version: "test"}
	mustBuild(t, o)
	if err := os.Rename(before, after); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(after, other+".jsonl"),
		append(record("b", "", "Known by its name"), record("e", "", "It goes on")...))
	r := mustBuild(t, o)
	if r.Kept > 0 || r.Removed > 0 {
		t.Errorf("%d sessions are kept and %d removed, want none", r.Kept, r.Removed)
	}
	o.Out = clean
	mustBuild(t, o)
	compareTrees(t, out, clean)
}
