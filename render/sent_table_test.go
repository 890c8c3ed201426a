package render

import (
	"testing"

	"viewer/internal/transcript"
	"viewer/normalize"
)

// TestSentTables: pages of the same conversation share one table.
func TestSentTables(t *testing.T) {
	f := transcript.Read("in.jsonl", []byte(`{"type":"user","uuid":"u1","message":{"content":"On"}}`))
	c := normalize.Build(normalize.Input{ID: "in", Main: &f})
	made := func(pages int) float64 {
		all := make([]job, pages)
		for i := range all {
			all[i].conversation = c
		}
		if tables := sentTablesOf(all); len(tables) != 1 || tables[c] == nil {
			t.Fatalf("%d tables of one conversation, want 1", len(tables))
		}
		return testing.AllocsPerRun(10, func() { sentTablesOf(all) })
	}
	if one, many := made(1), made(100); many > one {
		t.Errorf("%v allocations for a page, %v for a hundred; want the same", one, many)
	}
}
