package sitegen

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"viewer/internal/testing/exclusive"
)

// TestLocked: while another program locks a log, its page stays, and an archive reports the log.
func TestLocked(t *testing.T) {
	top := t.TempDir()
	file := filepath.Join(top, "-w", "a.jsonl")
	for _, id := range []string{"a", "b"} {
		write(t, filepath.Join(top, "-w", id+".jsonl"), fmt.Appendf(nil, `{"type":"user","uuid":"u%[1]s",`+
			`"sessionId":"%[1]s","message":{"role":"user","content":"Hello %[1]s"}}`+"\n", id))
	}
	o := Options{Sources: []string{top}, Out: t.TempDir(), Version: "test"}
	mustBuild(t, o)
	defer exclusive.Open(t, file)()
	if _, err := os.ReadFile(file); err == nil {
		t.Skip("this system does not lock open files")
	}
	if r := mustBuild(t, o); len(r.Problems) != 1 || r.Kept != 1 {
		t.Errorf("%d sessions are kept, problems %v; want one of both", r.Kept, r.Problems)
	}
	if _, err := os.Stat(filepath.Join(o.Out, "s", "a", "index.html")); err != nil {
		t.Error(err)
	}
	r, err := Archive(t.Context(), ArchiveOptions{Sources: []string{top}, Archive: t.TempDir(), Machine: "m"})
	if err != nil || len(r.Problems) != 1 {
		t.Errorf("archive: error %v, problems %v; want one", err, r.Problems)
	}
}
