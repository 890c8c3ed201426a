package changes

import (
	"bytes"
	"cmp"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"viewer/internal/testing/corpus"
	"viewer/internal/transcript"
	"viewer/normalize"
)

// TestCorpus replays real sessions. If the log has a later text of a file, the replay up to there must give it, or an
// unknown writer must be reported. Net diffs must have the size of those of git.
func TestCorpus(t *testing.T) {
	sessions := corpus.Share(corpus.Files(t, func(path string) bool {
		name := filepath.Base(path)
		return strings.HasSuffix(name, ".jsonl") && !strings.HasPrefix(name, "agent-") && name != "journal.jsonl"
	}, corpus.Glob(t, "dev")...))
	_, noGit := exec.LookPath("git")
	dir := t.TempDir()
	equal, different, files, compared, patched := 0, 0, 0, 0, 0
	for _, name := range sessions {
		c := sessionAt(t, name)
		steps := Steps(c)
		all := Replay(steps, Options{Texts: true}).Files
		if noGit == nil {
			patched += checkPatch(t, name, all, c.Facts.CWD)
		}
		for _, f := range all {
			files++
			checkWriters(t, name, steps, f)
			same, not := checkTexts(t, name, steps, f)
			equal, different = equal+same, different+not
			if f.Begin != Unclear && f.End != Unclear && noGit == nil && len(f.Before)+len(f.After) < 1<<20 {
				compared++
				added, removed := numstat(t, dir, f.Before, f.After)
				// For lines that occur many times, git does not find the shortest diff.
				if f.Net.Added-f.Net.Removed != added-removed || f.Net.Added > added {
					t.Errorf("%s: %s: got +%d -%d, git counts +%d -%d", name, f.Path, f.Net.Added, f.Net.Removed, added,
						removed)
				}
			}
		}
	}
	t.Logf("%d files, %d compared with git, %d patched by git; of later texts of the log %d are as replayed, %d of "+
		"unknown writer", files, compared, patched, equal, different)
	if equal < 20 {
		t.Errorf("%d texts were compared, want at least 20: is the folder right?", equal)
	}
}

// checkWriters checks that each line that is assigned to a call occurs in the text that the call wrote.
func checkWriters(t *testing.T, name string, steps []Step, f File) {
	t.Helper()
	for i, line := range SplitLines(f.After) {
		if f.Writers == nil || f.Writers[i] < 0 {
			continue
		}
		found := false
		for _, op := range steps[f.Writers[i]].Ops {
			texts := load(&op)
			if texts.After != nil {
				found = found || strings.Contains(*texts.After, line)
			}
			for _, e := range texts.Edits { // the line may continue after the inserted text
				for l := range strings.Lines(e.New) {
					found = found || strings.Contains(line, strings.TrimSpace(l))
				}
				found = found || e.New == ""
			}
		}
		if !found {
			t.Errorf("%s: %s: line %q is assigned to step %d, which did not write it", name, f.Path, line, f.Writers[i])
		}
	}
}

// checkPatch applies the patch of all files whose first text is known with git.
func checkPatch(t *testing.T, name string, all []File, folder string) int {
	t.Helper()
	dir := t.TempDir()
	var p Patch
	want := make(map[string]string)
	n := 0
	for _, f := range all {
		if f.Begin == Unclear || f.End == Unclear {
			continue
		}
		if from, ok := Below(cmp.Or(f.From, f.Path), folder); ok && f.Begin == Present {
			writeFile(t, dir, from, f.Before)
		}
		if to, ok := Below(f.Path, folder); ok && !ofGit(to) {
			want[to] = f.After
			if f.End == Absent {
				want[to] = "(none)"
			}
		}
		p.Add(&f, folder)
		n++
	}
	applyPatch(t, name, dir, p.Bytes())
	for file, text := range want {
		got, err := os.ReadFile(filepath.Join(dir, file))
		if err != nil {
			got = []byte("(none)")
		}
		if string(got) != text {
			t.Errorf("%s: %s: the patch gives %q, want %q", name, file, got, text)
		}
	}
	return n - len(p.Outside)
}

func writeFile(t *testing.T, dir, name, text string) {
	t.Helper()
	name = filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func applyPatch(t *testing.T, name, dir string, patch []byte) {
	t.Helper()
	if len(patch) == 0 {
		return
	}
	for _, flag := range []string{"--check", "--quiet"} {
		c := exec.Command("git", "apply", "--whitespace=nowarn", flag)
		c.Dir, c.Stdin = dir, bytes.NewReader(patch)
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("%s: git apply %s: %v\n%s\n%s", name, flag, err, out, patch)
		}
	}
}

// checkTexts compares each text of a file in the log with the replay up to there.
func checkTexts(t *testing.T, name string, steps []Step, f File) (equal, different int) {
	t.Helper()
	foreign := make(map[int]bool)
	for _, x := range f.Foreign {
		foreign[x.Before] = true
	}
	for i, s := range steps {
		for _, op := range s.Ops {
			if path := Clean(op.Path, ""); path != f.Path || op.Load == nil {
				continue
			}
			texts := op.Load()
			if texts.Before == nil {
				continue
			}
			var so []Step
			for _, earlier := range steps[:i] {
				if Clean(earlier.Ops[0].Path, "") == f.Path {
					so = append(so, earlier)
				}
			}
			for _, then := range Replay(so, Options{Texts: true}).Files {
				switch {
				case then.End == Present && then.After == *texts.Before:
					equal++
				case foreign[i]:
					different++
				case then.End == Present:
					t.Errorf("%s: %s differs before step %d, but no other writer is reported", name, f.Path, i)
				}
			}
		}
	}
	return equal, different
}

// sessionAt reads a session and its agents.
func sessionAt(t *testing.T, path string) *normalize.Conversation {
	t.Helper()
	read := func(path string) *transcript.File {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		f := transcript.Options{Originals: true}.Read(path, data)
		return &f
	}
	stem := strings.TrimSuffix(path, ".jsonl")
	in := normalize.Input{ID: filepath.Base(stem), Main: read(path)}
	agents, _ := filepath.Glob(stem + "/subagents/agent-*.jsonl")
	beside, _ := filepath.Glob(filepath.Dir(path) + "/agent-*.jsonl")
	for _, p := range append(agents, beside...) {
		f := read(p)
		if len(f.Records) == 0 || f.Records[0].SessionID != in.ID {
			continue
		}
		meta, _ := os.ReadFile(strings.TrimSuffix(p, ".jsonl") + ".meta.json")
		id := strings.TrimPrefix(strings.TrimSuffix(filepath.Base(p), ".jsonl"), "agent-")
		in.Agents = append(in.Agents, normalize.AgentFile{ID: id, File: f, Meta: meta})
	}
	return normalize.Build(in)
}
