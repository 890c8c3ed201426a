package input

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestWalk finds the files of sessions and links to them inside of the source, and no others. A link that cannot be
// followed is a problem.
func TestWalk(t *testing.T) {
	top, outside := t.TempDir(), t.TempDir()
	deep := "p/" + strings.Repeat("d/", 35) + "deep.jsonl"
	for _, name := range []string{
		"p/a.jsonl", "p/a/subagents/agent-1.jsonl", "p/a/tool-results/out.txt", "p/a/notes.txt", "p/.hidden/b.jsonl",
		"q.jsonl", "p.x/c.jsonl", deep,
	} {
		file := filepath.Join(top, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte("{}\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for link, to := range map[string]string{
		"p/inside.jsonl": "a.jsonl", "p/gone.jsonl": "nothing", "p/outside.jsonl": outside, "p/folder": "a",
		"p/away": outside, "p/folder.jsonl": "a", "p/round": "round",
	} {
		if err := os.Symlink(to, filepath.Join(top, link)); err != nil {
			t.Fatal(err)
		}
	}
	src, err := OpenPath(top)
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	found, problems, err := src.List(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	var paths []string
	for _, e := range found {
		paths = append(paths, e.Path)
	}
	want := []string{
		"p.x/c.jsonl", "p/a.jsonl", "p/a/subagents/agent-1.jsonl", "p/a/tool-results/out.txt", deep,
		"p/inside.jsonl", "q.jsonl",
	}
	if diff := cmp.Diff(want, paths); diff != "" {
		t.Errorf("found (-want +got):\n%s", diff)
	}
	slow, quick := walk{Source: src}, walk{Source: src} // the ways for this system and for any other
	if err := errors.Join(slow.walkRoot(context.Background(), "."), quick.walk(context.Background(), ".")); err != nil {
		t.Fatal(err)
	}
	byPath := func(a, b Entry) int { return strings.Compare(a.Path, b.Path) }
	slices.SortFunc(slow.found, byPath)
	slices.SortFunc(quick.found, byPath)
	if !slices.Equal(quick.found, slow.found) || !slices.Equal(quick.problems, slow.problems) {
		t.Errorf("found %v\nwith problems %v, want %v\nand %v", quick.found, quick.problems, slow.found, slow.problems)
	}
	var unread []string
	for _, p := range problems {
		unread = append(unread, p.Pos.File)
	}
	for _, name := range []string{"p/away", "p/folder", "p/outside.jsonl"} {
		if !slices.Contains(unread, name) {
			t.Errorf("problems of %v, want these to include %s", unread, name)
		}
	}
}
