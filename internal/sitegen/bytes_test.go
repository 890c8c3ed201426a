package sitegen

import (
	"bytes"
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"viewer/internal/testing/htmlcheck"
)

// FuzzBytes: whatever the bytes of the files of a session are, the pages only contain what our templates write, and the
// ledger balances.
func FuzzBytes(f *testing.F) {
	seeds := 0
	err := filepath.WalkDir(filepath.FromSlash("../../testdata/projects"),
		func(path string, d fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".jsonl") {
				return err
			}
			data, err := os.ReadFile(path)
			for i := 0; len(data) > 0; i++ { // the seeds are some lines each
				n := min(len(data), 3000)
				n += bytes.IndexByte(data[n:], '\n') + 1
				if i%4 == 0 && n < 8000 {
					f.Add(data[:n])
					seeds++
				}
				data = data[n:]
			}
			return err
		})
	if err != nil {
		f.Fatal(err)
	}
	if seeds < 20 {
		f.Fatalf("only %d sessions to begin with", seeds)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		source, out := t.TempDir(), t.TempDir()
		write(t, filepath.Join(source, floodFile), data)
		write(t, filepath.Join(source, strings.TrimSuffix(floodFile, ".jsonl"), "subagents", "agent-a1.jsonl"), data)
		report, err := Build(context.Background(), Options{
			Sources: []string{source}, Out: out, Version: "test", bare: true,
		})
		if err != nil {
			t.Fatal(err)
		}
		checkLedger(t, report)
		findings, err := htmlcheck.ForeignMarkup(os.DirFS(out))
		if err != nil {
			t.Fatal(err)
		}
		for _, finding := range findings {
			t.Error(finding)
		}
		checkPageSizes(t, out)
	})
}
