package render

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"viewer/internal/testing/plaingit"
)

// TestChangesAsGit edits files as tools do. The lines that pages count must be those of git diff between the commits
// before and after, for the session and for each file.
func TestChangesAsGit(t *testing.T) {
	plaingit.Use(t)
	for seed := range uint64(8) {
		rng := rand.New(rand.NewPCG(seed, 7))
		l, dir := &editLog{files: make(map[string]string)}, t.TempDir()
		git := func(args ...string) string {
			c := exec.Command("git", args...)
			c.Dir = dir
			out, err := c.CombinedOutput()
			if err != nil {
				t.Fatalf("git %q: %v\n%s", args, err, out)
			}
			return string(out)
		}
		n := 0
		lines := func(count int) string {
			var b strings.Builder
			for range count {
				n++
				fmt.Fprintf(&b, "line %d\n", n) // all lines differ, so that there is only one shortest diff
			}
			return b.String()
		}
		save := func() {
			for path, text := range l.files {
				name := filepath.Join(dir, filepath.FromSlash(strings.TrimPrefix(path, "/tide/")))
				if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			git("add", "-A")
			git("commit", "--quiet", "--allow-empty", "-m", "so")
		}
		git("init", "--quiet")
		for i := range 5 {
			l.files[fmt.Sprintf("/tide/dir %d/old.txt", i)] = lines(20 + rng.IntN(40))
		}
		save()
		paths := []string{"/tide/new.txt", "/tide/<new>.go"}
		for i := range 5 {
			paths = append(paths, fmt.Sprintf("/tide/dir %d/old.txt", i))
		}
		for i := range 60 {
			if i%9 == 0 {
				l.prompt("Go on")
			}
			path := paths[rng.IntN(len(paths))]
			text := l.files[path]
			all := strings.SplitAfter(text, "\n")
			switch at := rng.IntN(len(all)); {
			case len(all) < 4 || rng.IntN(12) == 0:
				l.write(path, lines(10+rng.IntN(30)))
			case all[at] == "": // after the last line
			case rng.IntN(3) == 0:
				l.edit(path, all[at], all[at]+lines(1+rng.IntN(5)))
			default:
				l.edit(path, strings.Join(all[at:min(at+1+rng.IntN(3), len(all))], ""), lines(rng.IntN(3)))
			}
		}
		save()
		var want, got []string
		added, removed := 0, 0
		for _, line := range strings.Split(strings.TrimSpace(git("diff", "--numstat", "-z", "HEAD~1")), "\x00") {
			var plus, minus int
			if _, err := fmt.Sscan(strings.ReplaceAll(line, "\t", " "), &plus, &minus); err == nil {
				added, removed = added+plus, removed+minus
				want = append(want, fmt.Sprintf("%d %d %s", plus, minus, line[strings.LastIndex(line, "\t")+1:]))
			}
		}
		d := DrawSession(l.session())
		for _, f := range d.Files {
			if !f.Undone {
				got = append(got, fmt.Sprintf("%d %d %s", f.Added, f.Removed, f.Path))
			}
			if f.UnknownAdded+f.UnknownRemoved > 0 {
				t.Errorf("seed %d: %s has +%d −%d of unknown origin, want none",
					seed, f.Path, f.UnknownAdded, f.UnknownRemoved)
			}
		}
		if strings.Join(got, "\n") != strings.Join(want, "\n") || len(want) < 5 {
			t.Errorf("seed %d: got\n%s\nwant, as git diff,\n%s",
				seed, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		o := d.Summary.Outcome
		if o.Added != added || o.Removed != removed || o.Files != len(want) {
			t.Errorf("seed %d: got %d files +%d −%d, want %d files +%d −%d as git diff",
				seed, o.Files, o.Added, o.Removed,
				len(want), added, removed)
		}
		checkLines(t, d)
	}
}
