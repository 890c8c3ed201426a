package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"viewer/internal/archive/store"
	"viewer/internal/sitegen"
)

// TestToRestore: files of several runs, whose names are in another order, are restored frame by frame.
func TestToRestore(t *testing.T) {
	source, kept := filepath.Join(t.TempDir(), "projects"), filepath.Join(t.TempDir(), "kept")
	for run := range 3 {
		for i := range 4 {
			name := filepath.Join(source, "-w", fmt.Sprintf("%d%d.jsonl", i, run))
			if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
				t.Fatal(err)
			}
			text := fmt.Sprintf(`{"type":"user","uuid":"%s","message":{"role":"user","content":"ebb"}}`+"\n", name)
			if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		o := sitegen.ArchiveOptions{Sources: []string{source}, Archive: kept, Machine: "m"}
		if _, err := sitegen.Archive(t.Context(), o); err != nil {
			t.Fatal(err)
		}
	}
	a, err := store.Open(t.Context(), kept)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	var streams []string
	for _, v := range toRestore(a, a.Keys(), true) {
		streams = append(streams, v.record.Parts[0].Stream)
	}
	if n := len(slices.Compact(slices.Clone(streams))); len(streams) != 12 || n != 3 {
		t.Errorf("12 files of 3 frames are restored from %q", streams)
	}
}
