package input

import (
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"runtime"
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

// TestWalkProblems: a name of a session that cannot be read is a problem that says why.
func TestWalkProblems(t *testing.T) {
	top, outside := t.TempDir(), filepath.Join(t.TempDir(), "out.jsonl")
	if err := os.WriteFile(outside, []byte("{}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for link, to := range map[string]string{
		"gone.jsonl": "nothing", "outside.jsonl": outside, "folder.jsonl": ".", "round.jsonl": "round.jsonl",
		".#a.jsonl": "mara@host.1", "gone.txt": "nothing",
	} {
		if err := os.Symlink(to, filepath.Join(top, link)); err != nil {
			t.Fatal(err)
		}
	}
	want := map[string]string{
		"folder.jsonl":  "a link to a folder, which is not followed; give the folder as a source of its own",
		"gone.jsonl":    "a link to a file that does not exist",
		"outside.jsonl": "a link out of the source, which is not followed; give the file as a source of its own",
	}
	if runtime.GOOS != "windows" { // has other words
		want["round.jsonl"] = "too many levels of symbolic links"
		listener, err := net.Listen("unix", filepath.Join(top, "s.jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		defer listener.Close()
		want["s.jsonl"] = "a socket, not a regular file"
		if err := os.Symlink("s.jsonl", filepath.Join(top, "to.jsonl")); err != nil {
			t.Fatal(err)
		}
		want["to.jsonl"] = "a link to a socket, not to a regular file"
	}
	src, err := OpenPath(top)
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	slow, quick := walk{Source: src}, walk{Source: src}
	if err := errors.Join(slow.walkRoot(context.Background(), "."), quick.walk(context.Background(), ".")); err != nil {
		t.Fatal(err)
	}
	for _, w := range []walk{slow, quick} {
		got := make(map[string]string)
		for _, p := range w.problems {
			if runtime.GOOS != "windows" || p.Pos.File != "round.jsonl" {
				got[p.Pos.File] = p.Text
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("problems (-want +got):\n%s", diff)
		}
	}
}
