package sitegen

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"viewer/internal/sitegen/decode"
)

// TestLargeFile: a file that is too large for a session is a problem, or an error if only this file is read. Other
// sessions are built. The file is sparse.
func TestLargeFile(t *testing.T) {
	source := t.TempDir()
	large := filepath.Join(source, "-w", "22222222-2222-4333-8444-555555555555.jsonl")
	write(t, filepath.Join(source, floodFile), prompt("Go"))
	write(t, large, nil)
	if err := os.Truncate(large, decode.MaxRead+1); err != nil {
		t.Skip(err)
	}
	r := mustBuild(t, Options{Sources: []string{source}, Out: t.TempDir(), Version: "test"})
	if r.Sessions != 1 || len(r.Problems) != 1 || !strings.Contains(r.Problems[0].Text, "larger than 1 GB") {
		t.Errorf("got %d sessions, problems %v; want 1 and 1 of the size", r.Sessions, r.Problems)
	}
	if _, err := Check(context.Background(), Options{Sources: []string{large}}); err == nil ||
		!strings.Contains(err.Error(), "larger than 1 GB") {
		t.Errorf("the file alone: error %v, want one of the size", err)
	}
}
