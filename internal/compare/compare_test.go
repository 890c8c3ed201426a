package compare

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/export"
	"viewer/internal/report"
	"viewer/internal/sources/all"
	"viewer/internal/stats"
	"viewer/internal/testing/runlog"
	"viewer/internal/tools"
	"viewer/internal/transcript"
	"viewer/normalize"
)

// runOf reads a log.
func runOf(t testing.TB, data []byte) Run {
	t.Helper()
	file := all.Sources.Read("run.jsonl", data, transcript.Options{Originals: true})
	c := normalize.Build(normalize.Input{ID: "run", Main: &file})
	if len(c.Problems) > 0 {
		t.Fatal(c.Problems)
	}
	return runIn(c)
}

func runIn(c *normalize.Conversation) Run {
	s := export.Session{Conversation: c, Totals: stats.Of(c, stats.Prices{})}
	return Of(s, report.Source{File: "run.jsonl"}, Place{
		Folder: "s/run/", PageOf: func(string) string { return "index.html" },
		DiffOf: func(string) string { return "" },
	})
}

// TestScriptStep: a script that only runs a command is the same step as a call that runs it.
func TestScriptStep(t *testing.T) {
	key := func(tool, input string) string {
		m := &normalize.Message{
			Kind: normalize.Call, Name: tool, Record: new(transcript.Record),
			Block: &transcript.Block{Type: "tool_use", Name: tool, Input: jsontext.Value(input)},
		}
		return keys{folder: "/w"}.call(&normalize.Group{Call: m}, tools.Context{Folder: "/w"}).Key
	}
	if key("exec", `"tools.exec_command({cmd:\"go test ./...\"})"`) != key("exec_command", `{"cmd":"go test ./..."}`) {
		t.Error("the steps differ")
	}
}

// TestLaterEnd: a command that ran on and failed after its call did not succeed.
func TestLaterEnd(t *testing.T) {
	const log = `{"type":"user","uuid":"p","message":{"role":"user","content":"Build it"}}
{"type":"assistant","uuid":"a","message":{"id":"m","role":"assistant","content":[{"type":"tool_use",` +
		`"id":"t","name":"exec_command","input":{"cmd":"make"}},{"type":"tool_use","id":"u","name":"write_stdin",` +
		`"input":{"session_id":7}}]}}
{"type":"user","uuid":"b","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":""}]},` +
		`"toolUseResult":{"session":"7"}}
{"type":"user","uuid":"c","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"u","content":""}]},` +
		`"toolUseResult":{"exitCode":"2"}}
`
	if s := runOf(t, []byte(log)).Steps[1]; s.Text != "make" || s.Ended != "exit 2" {
		t.Errorf("%s ended with %q, want exit 2", s.Text, s.Ended)
	}
}

// base is the run from which the pairs are made: 12 steps, 2 of them prompts.
var base = []string{
	"ask Mend the tides", "read tide.go", "read moon.go", "run go test ./...", "edit tide.go", "run go test ./...",
	"ask Now the moon", "read moon.go", "edit moon.go", "run go vet ./...", "write notes.md", "run git status",
	"say Done.",
}

// replaced returns base with the steps from i to j replaced.
func replaced(i, j int, by ...string) []string { return slices.Concat(base[:i], by, base[j:]) }

// TestPartings compares generated pairs of runs, which must diverge where they differ.
func TestPartings(t *testing.T) {
	for _, c := range []struct {
		name          string
		other         []string
		after         int // number of equal steps at the start, -1 for all
		first, second int // steps that only the first has, and only the second
	}{
		{"the same", base, -1, 0, 0},
		{"another last word", replaced(12, 13, "say It is done."), -1, 0, 0},
		{"another prompt", replaced(0, 1, "ask Mend the moon"), 0, 1, 1},
		{"a prompt with other blanks", replaced(0, 1, "ask Mend   the\ttides"), -1, 0, 0},
		{"another second prompt", replaced(6, 7, "ask And the sun"), 6, 1, 1},
		{"another file first", replaced(1, 2, "read sun.go"), 1, 1, 1},
		{"a step more", replaced(3, 3, "read sun.go"), 3, 0, 1},
		{"a step less", replaced(2, 3), 2, 0, 0}, // moon.go is read again later
		{"two steps more at the end", replaced(12, 12, "run git diff", "run git log"), 12, 0, 2},
		{"an end in the middle", base[:8], 8, 4, 0},
		{"nothing after the prompt", base[:1], 1, 9, 0},
		{"another command", replaced(3, 4, "run go test ./tide"), 3, 0, 1},
		{"the same command with blanks", replaced(3, 4, "run go  test   ./..."), -1, 0, 0},
		{"a command that reads", replaced(1, 2, "run cat tide.go"), -1, 0, 0},
		{"a command that reads a part", replaced(1, 2, "run sed -n '1,80p' tide.go"), -1, 0, 0},
		{"a command that writes what it reads", replaced(1, 2, "run cat tide.go > copy.go"), 1, 1, 1},
		{"a file written and not edited", replaced(4, 5, "write tide.go"), -1, 0, 0},
		{"another file edited", replaced(4, 5, "edit moon.go"), 4, 1, 0},
		{"two steps in the other order", replaced(1, 3, "read moon.go", "read tide.go"), 1, 0, 0},
		{"a call that failed", replaced(3, 4, "run! go test ./..."), -1, 0, 0},
		{"a call again and again", replaced(5, 6, "run go test ./...", "run go test ./...", "run go test ./..."), 6, 0, 0},
		{"all else", []string{"ask Something else", "read a.go", "run ls", "say Yes."}, 0, 10, 3},
	} {
		for _, codex := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/codex=%v", c.name, codex), func(t *testing.T) {
				runs := []Run{
					runOf(t, runlog.Run{ID: "a", Folder: "/srv/a", Steps: runlog.Steps(base...)}.Bytes()),
					runOf(t, runlog.Run{
						ID: "b", Folder: "/home/b/tree", Codex: codex, Steps: runlog.Steps(c.other...),
					}.Bytes()),
				}
				if n := len(runs[0].Steps); n != 12 {
					t.Fatalf("%d steps in the first run, want 12: %+v", n, runs[0].Steps)
				}
				after := -1
				if all := Partings(runs); len(all) > 0 {
					after = all[0].After
				}
				if after != c.after {
					t.Errorf("the runs diverge after %d steps, want %d\n%s", after, c.after, outline(runs))
				}
				alone := Alone(runs)
				if a, b := len(alone[0]), len(alone[1]); a != c.first || b != c.second {
					t.Errorf("got %d and %d steps of only one run, want %d and %d\n%s",
						a, b, c.first, c.second, outline(runs))
				}
				checkRows(t, runs)
			})
		}
	}
}

// outline returns the steps of runs side by side, as lines.
func outline(runs []Run) string {
	var b strings.Builder
	for _, row := range Packed(Align(runs)) {
		for r, i := range row {
			text := ""
			if i != None {
				text = runs[r].Steps[i].Name + " " + runs[r].Steps[i].Text
			}
			fmt.Fprintf(&b, "%-32.32s", text)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// checkRows checks that each step is in one row, in the order of its run, and only beside equal ones.
func checkRows(t *testing.T, runs []Run) {
	t.Helper()
	next := make([]int, len(runs))
	for _, row := range Align(runs) {
		key := ""
		for r, i := range row {
			if i == None {
				continue
			}
			if i != next[r] {
				t.Fatalf("run %d: got step %d, want %d\n%s", r, i, next[r], outline(runs))
			}
			next[r]++
			if own := runs[r].Steps[i].Key; key != "" && own != key {
				t.Fatalf("run %d: step %d is beside a different one", r, i)
			} else {
				key = own
			}
		}
		if key == "" {
			t.Fatal("got an empty row")
		}
	}
	packed := make([]int, len(runs))
	for _, row := range Packed(Align(runs)) {
		for r, i := range row {
			if i != None && i != packed[r] {
				t.Fatalf("packed: run %d: got step %d, want %d", r, i, packed[r])
			} else if i != None {
				packed[r]++
			}
		}
	}
	for r := range runs {
		if next[r] != len(runs[r].Steps) || packed[r] != next[r] {
			t.Errorf("run %d has %d steps, but %d in rows and %d in lines", r, len(runs[r].Steps), next[r], packed[r])
		}
	}
}

// TestAlignMany aligns up to eight runs of random steps. The common sequence of two runs must have the greatest length.
func TestAlignMany(t *testing.T) {
	rng := rand.New(rand.NewPCG(27, 1))
	for range 300 {
		runs := make([]Run, 2+rng.IntN(7))
		for r := range runs {
			for range rng.IntN(25) {
				runs[r].Steps = append(runs[r].Steps, Step{Key: string(rune('a' + rng.IntN(6)))})
			}
		}
		checkRows(t, runs)
		shared := 0
		for _, row := range Align(runs[:2]) {
			if row.Shared() {
				shared++
			}
		}
		if want := longest(runs[0].Steps, runs[1].Steps); shared != want {
			t.Fatalf("got %d common steps, want %d", shared, want)
		}
	}
}

// longest returns the length of the longest common sequence, computed by a simple, slow algorithm.
func longest(a, b []Step) int {
	table := make([][]int, len(a)+1)
	for i := range table {
		table[i] = make([]int, len(b)+1)
	}
	for i := range a {
		for j := range b {
			if a[i].Key == b[j].Key {
				table[i+1][j+1] = table[i][j] + 1
			} else {
				table[i+1][j+1] = max(table[i][j+1], table[i+1][j])
			}
		}
	}
	return table[len(a)][len(b)]
}

// TestPartingsOfMany: for several runs, each parting says after which step which groups of runs continue.
func TestPartingsOfMany(t *testing.T) {
	var runs []Run
	for _, keys := range []string{"abcd", "abxy", "abcz", "abcd", "ab"} {
		var r Run
		for _, k := range keys {
			r.Steps = append(r.Steps, Step{Key: string(k)})
		}
		runs = append(runs, r)
	}
	got := fmt.Sprint(Partings(runs))
	if want := "[{2 [[0 2 3] [1] [4]]} {3 [[0 3] [2]]}]"; got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

// BenchmarkAlign aligns the longest runs that are compared: similar ones, and ones that share steps by chance only.
func BenchmarkAlign(b *testing.B) {
	const most = 20_000
	for _, c := range []struct {
		name        string
		runs, kinds int
		own         float64 // the share of steps that only one run has
	}{
		{"two alike", 2, 5000, 0.05}, {"two apart", 2, 50, 1},
		{"eight alike", 8, 5000, 0.05}, {"eight apart", 8, 50, 1},
	} {
		b.Run(c.name, func(b *testing.B) {
			rng := rand.New(rand.NewPCG(27, 2))
			runs := make([]Run, c.runs)
			for range most {
				same := fmt.Sprint(rng.IntN(c.kinds))
				for r := range runs {
					key := same
					if rng.Float64() < c.own {
						key = fmt.Sprint(rng.IntN(c.kinds))
					}
					runs[r].Steps = append(runs[r].Steps, Step{Key: key})
				}
			}
			b.ReportAllocs()
			for b.Loop() {
				Align(runs)
			}
		})
	}
}
