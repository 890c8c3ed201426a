package changes

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"viewer/internal/testing/plaingit"
)

// A fileHistory is a real file and what the log of a session says about it. Each line contains its author.
type fileHistory struct {
	random *rand.Rand
	lines  []string
	steps  []Step
	marks  int
	logged bool // the log has the current text
	others bool // others write to the file too
}

func (w *fileHistory) text() string { return strings.Join(w.lines, "") }

// line returns a new line of a writer: the number of a step, or a name.
func (w *fileHistory) line(writer any) string {
	w.marks++
	if w.random.IntN(8) == 0 {
		return "\t}\n"
	}
	return fmt.Sprintf("this is line number %d of %v\n", w.marks, writer)
}

// write replaces some lines, and returns the old and the new text.
func (w *fileHistory) write(writer any) (from, to string, at int) {
	at = w.random.IntN(len(w.lines) + 1)
	n := min(w.random.IntN(4), len(w.lines)-at)
	var lines []string
	for range w.random.IntN(4) {
		lines = append(lines, w.line(writer))
	}
	from, to = strings.Join(w.lines[at:at+n], ""), strings.Join(lines, "")
	w.lines = slices.Replace(slices.Clone(w.lines), at, at+n, lines...)
	return from, to, at
}

// step writes by the next call.
func (w *fileHistory) step() {
	n := len(w.steps)
	before := w.text()
	t := texts{}
	if w.random.IntN(3) > 0 {
		t.Before = &before
	}
	op := fileOp{Kind: change, Path: "a.go"}
	switch w.random.IntN(5) {
	case 0:
		for range 3 {
			w.write(n)
		}
		after := w.text()
		t.After = &after
		if !w.logged { // a call that writes a whole file has read it, so the log has the old text
			t.Before = &before
		}
	case 1:
		op.Kind, t.Before = observe, &before
	default:
		at := w.random.IntN(len(w.lines) + 1)
		from := strings.Join(w.lines[at:min(at+3, len(w.lines))], "")
		if from == "" || strings.Count(before, from) != 1 {
			return
		}
		to := w.line(n) + from
		if w.random.IntN(2) == 0 {
			to = w.line(n)
		}
		w.lines = split(strings.Replace(before, from, to, 1))
		t.Edits = replaced(from, to, false)
		if w.random.IntN(2) == 0 {
			old, new := split(before), split(w.text())
			t.Hunks = plainHunks(hunksOf(entries(old, Begin), entries(new, Begin), compare(old, new), nil))
		}
	}
	w.logged = w.logged || t.Before != nil || t.After != nil // an edit may succeed beside a change that is not logged
	op.Load = func() texts { return t }
	w.steps = append(w.steps, Step{Call{Turn: n / 4}, []fileOp{op}})
}

// TestReplayRandom lets calls and others write to a file at random. If only calls write, the replay gives the real
// text, and each line belongs to its call. If others write, none of their lines belongs to a call.
func TestReplayRandom(t *testing.T) {
	exact, lost := 0, 0
	for seed := range uint64(1500) {
		w := &fileHistory{random: rand.New(rand.NewPCG(seed, 7)), others: seed%2 == 1}
		for range w.random.IntN(12) {
			w.lines = append(w.lines, w.line("begin"))
		}
		for range 1 + w.random.IntN(12) {
			if w.others && w.random.IntN(3) == 0 {
				w.write("nobody")
				w.logged = false
			}
			w.step()
		}
		w.steps = append(w.steps, observed(w.text()))
		r := Replay(w.steps, Options{Texts: true})
		if len(r.Files) == 0 {
			continue
		}
		f := r.Files[0]
		if f.End != Present || f.After != w.text() {
			t.Fatalf("seed %d: %d, text %q, want %q", seed, f.End, f.After, w.text())
		}
		if got, ok := exchange(split(f.Before), f.Net.Hunks, false); !ok || strings.Join(got, "") != f.After {
			t.Fatalf("seed %d: the net diff gives %q, want %q", seed, got, f.After)
		}
		for i, by := range f.Writers {
			writer := "begin"
			if _, s, ok := strings.Cut(w.lines[i], " of "); ok {
				writer = strings.TrimSpace(s)
			} else {
				continue // a line that equals others
			}
			switch {
			case by >= 0 && writer != fmt.Sprint(by):
				t.Fatalf("seed %d: line %q of another author is assigned to call %d", seed, w.lines[i], by)
			case by >= 0:
				exact++
			case writer != "begin" && writer != "nobody":
				lost++
				if !w.others && !f.Late && by != Begin {
					t.Fatalf("seed %d: line %q is assigned to %d", seed, w.lines[i], by)
				}
			}
		}
	}
	if exact < 10*lost {
		t.Errorf("the call of %d lines was found, of %d not; want at least 10 times as many", exact, lost)
	}
	t.Logf("the call of %d lines was found, of %d not", exact, lost)
}

func observed(text string) Step {
	return Step{Ops: []fileOp{{Kind: observe, Path: "a.go", Load: func() texts { return texts{Before: &text} }}}}
}

// TestNetIsGitDiff compares net diffs with those of git, for real texts.
func TestNetIsGitDiff(t *testing.T) {
	plaingit.Use(t)
	dir := t.TempDir()
	random := rand.New(rand.NewPCG(5, 6))
	for i := range 12 {
		text := func() string {
			var b strings.Builder
			for range random.IntN(60) {
				fmt.Fprintf(&b, "line %d%s", random.IntN(40), []string{"\n", "\r\n"}[i%2])
			}
			if i%3 == 0 {
				return strings.TrimSuffix(b.String(), "\n")
			}
			return b.String()
		}
		old, new := text(), text()
		if i%4 == 0 && old != "" && new != "" {
			old, new = byteOrderMark+old, byteOrderMark+new
		}
		r := Replay([]Step{wrote(old, new)}, Options{Texts: true})
		f := r.Files[0]
		if f.After != new && i%2 == 0 {
			t.Errorf("got text %q, want %q", f.After, new)
		}
		added, removed := numstat(t, dir, old, new)
		if f.Net.Added != added || f.Net.Removed != removed {
			t.Errorf("%d: got +%d -%d, want +%d -%d", i, f.Net.Added, f.Net.Removed, added, removed)
		}
	}
}

func wrote(old, new string) Step {
	return do(change, "a.go", texts{Before: &old, After: &new})
}

// numstat returns the numbers of added and removed lines that git counts.
func numstat(t *testing.T, dir, old, new string) (added, removed int) {
	t.Helper()
	for name, text := range map[string]string{"old": old, "new": new} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	c := exec.Command("git", "diff", "--no-index", "--minimal", "--numstat", "old", "new")
	c.Dir = dir
	out, _ := c.Output() // git exits with 1 if there is a difference
	_, _ = fmt.Sscan(string(out), &added, &removed)
	return added, removed
}
