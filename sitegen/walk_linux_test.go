package sitegen

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// TestWalks holds the walk by descriptors to that which any system can do.
func TestWalks(t *testing.T) {
	top, outside := t.TempDir(), t.TempDir()
	deep := "p/" + strings.Repeat("d/", deepest+3) + "deep.jsonl"
	for _, name := range []string{"p/a.jsonl", "p/a/subagents/agent-1.jsonl", "p/a/tool-results/out.txt", "p/a/notes.txt", "p/.hidden/b.jsonl", "q.jsonl", "p.x/c.jsonl", deep} {
		file := filepath.Join(top, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte("{}\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for link, to := range map[string]string{
		"p/inside.jsonl": "a.jsonl", "p/gone.jsonl": "nothing", "p/outside.jsonl": outside, "p/folder": "a", "p/away": outside, "p/folder.jsonl": "a", "p/round": "round",
	} {
		if err := os.Symlink(to, filepath.Join(top, link)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(top, "shut"), 0); err != nil { // which root can read
		t.Fatal(err)
	}
	src, err := openSource(top)
	if err != nil {
		t.Fatal(err)
	}
	defer src.close()
	slow, quick := walk{source: src}, walk{source: src}
	if err := slow.slowly(context.Background(), "."); err != nil {
		t.Fatal(err)
	}
	if err := quick.folders(context.Background(), "."); err != nil {
		t.Fatal(err)
	}
	if len(quick.found) != 7 || !reflect.DeepEqual(quick.found, slow.found) {
		t.Errorf("found %v, want %v", quick.found, slow.found)
	}
	if len(quick.problems) < 3 || !reflect.DeepEqual(quick.problems, slow.problems) {
		t.Errorf("problems %v, want %v", quick.problems, slow.problems)
	}
}
