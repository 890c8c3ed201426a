package sitegen

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"viewer/internal/sitegen/state"
	"viewer/internal/testing/heap"
)

// TestManySessions: the stored state of a session, with its files and pages, is compact in memory. As Go values it
// would be twice as large, and that of thousands of sessions would leave too little memory to draw with.
func TestManySessions(t *testing.T) {
	if testing.Short() {
		t.Skip("measures memory, which the race detector uses too")
	}
	const n = 800
	source := t.TempDir()
	for i := range n {
		name := filepath.Join(source, fmt.Sprintf("-w-%d", i%20), fmt.Sprintf("%08x-aaaa-4111-8111-%012x.jsonl", i, i))
		write(t, name, fmt.Appendf(nil, `{"type":"user","uuid":"%08x-bbbb-4111-8111-%012x","sessionId":"%08x-aaaa-4111-8111-%012x","cwd":"/w/%d","timestamp":"2026-05-12T10:00:00Z","message":{"role":"user","content":"One more thing %d"}}
{"type":"assistant","uuid":"%08x-cccc-4111-8111-%012x","timestamp":"2026-05-12T10:00:09Z","message":{"id":"m%d","role":"assistant","model":"claude-fable-5","content":[{"type":"text","text":"Yes"}],"usage":{"input_tokens":10,"output_tokens":20}}}
`, i, i, i, i, i%20, i, i, i, i))
	}
	buildInto(t, t.TempDir(), testdata) // allocates what is allocated only once, such as templates and rules
	before := heap.Live()
	s := NewSite(Options{Sources: []string{source}, Out: filepath.Join(t.TempDir(), "site"), Version: "test"})
	report, err := s.Build(context.Background())
	if err != nil || report.Sessions != n {
		t.Fatalf("got %d sessions, error %v", report.Sessions, err)
	}
	if kept := (heap.Live() - before) / n; kept > 2500 {
		t.Errorf("%d bytes are kept for each session, want at most 2500", kept)
	} else {
		t.Log(kept, "bytes are kept for each session")
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(filepath.Join(s.o.Out, filepath.FromSlash(state.SessionsName)))
	if err != nil || info.Size() > 800*n {
		t.Errorf("%d bytes are written for each session (error %v), want at most 800", info.Size()/n, err)
	}
}
