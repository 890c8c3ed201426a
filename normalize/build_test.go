package normalize

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"viewer/internal/testing/corpus"
	"viewer/internal/testing/golden"
	"viewer/internal/transcript"
)

// TestBuildEmpty: Build accepts an empty file.
func TestBuildEmpty(t *testing.T) {
	f := transcript.Read("in.jsonl", nil)
	in := Input{ID: "in", Main: &f}
	c := Build(in)
	checkPlaces(t, in, c)
	if c.ID != "in" || len(c.Turns) != 0 || titleOf(&c.Facts) != "" || c.Prompts() != 0 {
		t.Errorf("ID, turns, title, prompts = %q, %d, %q, %d, want in, 0, none, 0", c.ID, len(c.Turns),
			titleOf(&c.Facts), c.Prompts())
	}
}

func TestBuildID(t *testing.T) {
	f := transcript.Read("renamed.jsonl",
		[]byte(`{"type":"mode"}`+"\n"+`{"type":"user","sessionId":"s1","message":"a"}`))
	if got := Build(Input{ID: "renamed", Main: &f}).ID; got != "s1" {
		t.Errorf("ID = %q, want s1: the id in the records, not the name of the file", got)
	}
}

// TestBuildProblems: the problems of all files are in one list.
func TestBuildProblems(t *testing.T) {
	f := transcript.Read("in.jsonl",
		[]byte("noise\n"+`{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t1"}]}}`))
	a := transcript.Read("agent-a1.jsonl", []byte("more noise\n"))
	w := transcript.Read("agent-w1.jsonl", []byte(`{"type":"user","message":{"content":"Warmup"},"cwd":7}`))
	c := Build(Input{ID: "in", Main: &f, Agents: []AgentFile{{ID: "a1", File: &a}, {ID: "w1", File: &w}}})
	var got []string
	for _, p := range c.Problems {
		got = append(got, p.Pos.String())
	}
	if got, want := strings.Join(got, " "), "in.jsonl:1 in.jsonl:2 agent-a1.jsonl:1 agent-w1.jsonl:1"; got != want {
		t.Errorf("problems at %s, want %s", got, want)
	}
	if len(f.Problems) != 1 {
		t.Errorf("Build changed the problems of the file: %v", f.Problems)
	}
}

// TestBuildTwice: the same input gives the same conversation, regardless of the order of maps.
func TestBuildTwice(t *testing.T) {
	for _, path := range golden.Glob(t, "testdata/*/*.txtar") {
		one, two := Build(inputOf(t, path)), Build(inputOf(t, path))
		if a, b := outline(one)+ids(one), outline(two)+ids(two); a != b {
			t.Errorf("%s: two builds differ:\n%s\n%s", path, a, b)
		}
	}
}

// TestBuildLarge: the time grows linearly with the number of agents, calls and records, so that a hostile session
// cannot block a build.
func TestBuildLarge(t *testing.T) {
	const n = 20_000
	var main, agent bytes.Buffer
	in := Input{ID: "in"}
	for i := range n {
		fmt.Fprintf(&main, `{"type":"assistant","uuid":"u%d","message":{"id":"m","content":[{"type":"tool_use","id":"t","name":"Task","input":{"prompt":"p"}}]}}`+"\n", i)
		fmt.Fprintf(&main, `{"type":"user","isSidechain":true,"uuid":"s%d","parentUuid":"s%d","message":"x"}`+"\n", i, i+1)
		agent.Reset()
		if i < 500 {
			fmt.Fprintf(&agent, `{"type":"user","message":"p"}`)
			f := transcript.Read(fmt.Sprintf("agent-%d.jsonl", i), bytes.Clone(agent.Bytes()))
			in.Agents = append(in.Agents, AgentFile{ID: fmt.Sprint(i), File: &f})
		}
	}
	f := transcript.Read("in.jsonl", main.Bytes())
	in.Main = &f
	checkPlaces(t, in, Build(in))
}

// FuzzBuild checks the promises of Build for any records: no panic, and each message in one place. The seeds are the
// cases of testdata. Random changes of bytes rarely leave valid lines, so lines are also shuffled, and their values
// exchanged.
func FuzzBuild(f *testing.F) {
	paths := golden.Glob(f, "testdata/*/*.txtar")
	for i, path := range paths {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			f.Fatal(err)
		}
		var main, agent []byte
		for _, s := range archive.Files {
			switch {
			case s.Name == "in.jsonl":
				main = s.Data
			case strings.HasSuffix(s.Name, ".jsonl"):
				agent = s.Data
			}
		}
		f.Add(main, agent, uint64(0))
		f.Add(main, agent, uint64(i+1))
	}
	for i, records := range realRecords(f) {
		f.Add(records, []byte(nil), uint64(i+1))
	}
	f.Fuzz(func(t *testing.T, main, agent []byte, seed uint64) {
		if seed != 0 {
			rng := rand.New(rand.NewPCG(seed, 1))
			main, agent = shuffle(rng, main), shuffle(rng, agent)
		}
		session := transcript.Read("in.jsonl", main)
		one := transcript.Read("agent-1.jsonl", agent)
		two := transcript.Read("agent-2.jsonl", agent)
		in := Input{ID: "in", Main: &session, Agents: []AgentFile{
			{ID: "1", File: &one, Meta: []byte(`{"toolUseId":"t1"}`)}, {ID: "2", File: &two},
		}, Summaries: summaries(session.Records)}
		c := Build(in)
		checkPlaces(t, in, c)
		outline(c)
	})
}

// realRecords returns the first records of real sessions, without long ones, if they exist on this machine.
func realRecords(f *testing.F) [][]byte {
	paths, reason := corpus.Find(f, "*/*/*/*.jsonl")
	if reason != "" {
		f.Log(reason)
	}
	var runs [][]byte
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		var run []byte
		for line := range bytes.Lines(data) {
			if len(line) < 2000 && len(run) < 30_000 {
				run = append(run, line...)
			}
		}
		runs = append(runs, run)
	}
	return runs
}

// shuffle exchanges strings between the lines of a file, repeats lines, and changes their order.
func shuffle(rng *rand.Rand, data []byte) []byte {
	lines := bytes.Split(bytes.Clone(data), []byte("\n"))
	if len(lines) > 200 {
		lines = lines[:200]
	}
	var words [][]byte
	for _, l := range lines {
		for i, w := range bytes.Split(l, []byte(`"`)) {
			if i%2 == 1 && !bytes.HasSuffix(w, []byte(`\`)) {
				words = append(words, w)
			}
		}
	}
	for range rng.IntN(6) {
		switch i, j := rng.IntN(len(lines)), rng.IntN(len(lines)); rng.IntN(3) {
		case 0:
			lines[i], lines[j] = lines[j], lines[i]
		case 1:
			lines = append(lines, lines[i])
		case 2:
			if len(words) > 0 {
				from, to := words[rng.IntN(len(words))], words[rng.IntN(len(words))]
				lines[i] = bytes.Replace(lines[i], []byte(`"`+string(from)+`"`), []byte(`"`+string(to)+`"`), 1)
			}
		}
	}
	return bytes.Join(lines, []byte("\n"))
}
