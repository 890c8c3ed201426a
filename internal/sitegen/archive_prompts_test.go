package sitegen

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"viewer/internal/transcript"
)

// TestArchivedPrompts: sessions of which only prompts are left are listed from an archive. A session whose log exists
// again is shown from its log.
func TestArchivedPrompts(t *testing.T) {
	config, kept := t.TempDir(), filepath.Join(t.TempDir(), "kept")
	projects := filepath.Join(config, "projects")
	const gone, there = "17c3e8a4-0b6d-4f92-a7e1-c58d2b90f463", "27c3e8a4-0b6d-4f92-a7e1-c58d2b90f463"
	log := func(id, text string) []byte {
		return []byte(`{"type":"user","uuid":"u1","sessionId":"` + id + `","cwd":"/w",` +
			`"message":{"role":"user","content":"` + text + `"}}` + "\n")
	}
	write(t, filepath.Join(projects, "-w", there+".jsonl"), log(there, "Of the log"))
	write(t, filepath.Join(config, "history.jsonl"), []byte(
		`{"display":"How high is the tide","timestamp":1772359200000,"project":"/w","sessionId":"`+gone+`"}`+"\n"+
			`{"display":"And tomorrow","timestamp":1772362800000,"project":"/w","sessionId":"`+gone+`"}`+"\n"+
			`{"display":"Of the history","timestamp":1772359200000,"project":"/w","sessionId":"`+there+`"}`+"\n"+
			`{"display":"Outside","timestamp":1,"project":"/w","sessionId":"../../x"}`+"\n"+
			`{"display":"Of no session","timestamp":1,"project":"/w"}`+"\n"+`{"displ`))
	archive := func() {
		t.Helper()
		o := ArchiveOptions{Sources: []string{projects}, Archive: kept, Machine: "m"}
		_, err := Archive(context.Background(), o)
		if err != nil {
			t.Fatal(err)
		}
	}
	titles := func(sources ...string) []string {
		t.Helper()
		listed, _, err := List(context.Background(), Options{Sources: sources, Version: "test"}, ListOptions{})
		if err != nil {
			t.Fatal(err)
		}
		var all []string
		for _, s := range listed {
			all = append(all, s.Title)
		}
		slices.Sort(all)
		return all
	}
	archive()
	stubs := []string{"How high is the tide", "Of the log"}
	if got := titles(kept); !slices.Equal(got, stubs) {
		t.Errorf("the archive has %q, want %q", got, stubs)
	}
	if got := titles(projects, kept); !slices.Equal(got, stubs) {
		t.Errorf("together with the folder it has %q, want %q", got, stubs)
	}
	// The file of prompts cannot be read.
	name, err := filepath.Glob(filepath.Join(kept, "data", "*", "*"))
	if err != nil || len(name) == 0 {
		t.Fatal(name, err)
	}
	broken := filepath.Join(t.TempDir(), "kept")
	if err := os.CopyFS(broken, os.DirFS(kept)); err != nil {
		t.Fatal(err)
	}
	for _, name := range name {
		write(t, filepath.Join(broken, strings.TrimPrefix(name, kept)), []byte("not what was archived"))
	}
	r, err := Check(context.Background(), Options{Sources: []string{broken, projects}, Version: "test"})
	if err != nil || !slices.ContainsFunc(r.Problems, func(p transcript.Problem) bool {
		return strings.HasSuffix(p.Pos.File, "/history.jsonl")
	}) {
		t.Errorf("got problems %v, error %v; want a problem of history.jsonl", r.Problems, err)
	}
	// The log exists again.
	write(t, filepath.Join(projects, "-w", gone+".jsonl"), log(gone, "It is back"))
	archive()
	if got, want := titles(kept), []string{"It is back", "Of the log"}; !slices.Equal(got, want) {
		t.Errorf("with the log again, the archive has %q, want %q", got, want)
	}
}
