package normalize

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"viewer/internal/sources/all"
	"viewer/internal/testing/golden"
	"viewer/internal/transcript"
)

// steps are the folders of testdata. Each has at least one case.
var steps = []string{
	"merge", "split", "classify", "context", "envelope", "group", "branch", "turn", "agent", "facts", "trap",
}

// TestOutline builds the sessions of testdata/<step>/*.txtar. A case has
//
//	in.jsonl               the session
//	agent-<id>.jsonl       the file of an agent
//	agent-<id>.meta.json   its side file
//	other.jsonl            another session of the project, for titles
//	shared.txt             uuids of records that another session draws
//	want.outline           see outline
//	want.ids               where ids matter: see ids
func TestOutline(t *testing.T) {
	for _, step := range steps {
		for _, path := range golden.Glob(t, "testdata/"+step+"/*.txtar") {
			t.Run(step+"/"+strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
				a := golden.Open(t, path)
				if a.Comment == "" {
					t.Errorf("%s: the first line must say what the case is for", path)
				}
				in := inputOf(t, path)
				c := Build(in)
				a.Compare(t, "want.outline", outline(c))
				if a.Has("want.ids") {
					a.Compare(t, "want.ids", ids(c))
				}
				checkPlaces(t, in, c)
				own := slices.DeleteFunc(slices.Clone(in.Main.Records), func(r transcript.Record) bool {
					return in.Shared[r.UUID]
				})
				if got, want := c.Prompts(), countPrompts(own); got != want {
					t.Errorf("Prompts() = %d, want %d: see countPrompts", got, want)
				}
			})
		}
	}
}

// TestSources builds the sessions of other writers, testdata/sources/<writer>_<kind>.txtar, like TestOutline. Their
// cases have want.facts, too: see factsOf.
func TestSources(t *testing.T) {
	for _, path := range golden.Glob(t, "testdata/sources/*.txtar") {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			a := golden.Open(t, path)
			data := []byte(a.Section(t, "in.jsonl"))
			main := all.Sources.Read("in.jsonl", data, transcript.Options{})
			if writer, _, _ := strings.Cut(filepath.Base(path), "_"); main.Writer.ID() != writer {
				t.Errorf("the writer is %s, want %s as in the name of the case", main.Writer.ID(), writer)
			}
			in := Input{ID: "in", Main: &main}
			c := Build(in)
			a.Compare(t, "want.outline", outline(c))
			a.Compare(t, "want.facts", factsOf(c))
			checkPlaces(t, in, c)
		})
	}
}

// factsOf describes what a session says of itself, and its requests: the model where it changes, the rest of the tokens
// that outlines have not, and the cost.
func factsOf(c *Conversation) string {
	w := new(outliner)
	f := &c.Facts
	for _, fact := range []struct{ name, text string }{
		{"session", f.SessionID}, {"folder", f.CWD}, {"branches", strings.Join(f.Branches, ", ")},
		{"versions", strings.Join(f.Versions, ", ")},
	} {
		if fact.text != "" {
			w.line("%s %s", fact.name, fact.text)
		}
	}
	if !f.Start.IsZero() {
		w.line("from %s to %s", f.Start.UTC().Format(time.RFC3339Nano), f.End.UTC().Format(time.RFC3339Nano))
	}
	model := ""
	for own := range c.All() {
		for _, t := range own.Turns {
			for _, r := range t.Requests {
				u := r.Usage
				u.Input, u.Output = 0, 0
				used := ""
				if u != (transcript.Usage{}) {
					used = fmt.Sprintf(" read=%d written=%d (%d, %d) searches=%d", u.CacheRead, u.CacheWrite,
						u.CacheWrite5m, u.CacheWrite1h, u.WebSearches)
				}
				if r.CostUSD > 0 {
					used += fmt.Sprintf(" $%v", r.CostUSD)
				}
				if used != "" || r.Model != model {
					model = r.Model
					w.line("request %s %s%s", cmp.Or(r.ID, "-"), cmp.Or(model, "-"), used)
				}
			}
		}
	}
	return w.b.String()
}

// inputOf reads the session of a case.
func inputOf(t testing.TB, path string) Input {
	t.Helper()
	archive, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	sections := make(map[string][]byte)
	for _, f := range archive.Files {
		sections[f.Name] = f.Data
	}
	if _, ok := sections["in.jsonl"]; !ok {
		t.Fatalf("%s has no section -- in.jsonl --: add it", path)
	}
	main := transcript.Read("in.jsonl", sections["in.jsonl"])
	in := Input{ID: "in", Main: &main, Summaries: summaries(main.Records)}
	for _, f := range archive.Files {
		switch {
		case f.Name == "shared.txt":
			in.Shared = make(map[string]bool)
			for _, id := range strings.Fields(string(f.Data)) {
				in.Shared[id] = true
			}
		case f.Name == "other.jsonl":
			other := transcript.Read(f.Name, f.Data)
			for leaf, title := range summaries(other.Records) {
				in.Summaries[leaf] = title
			}
		case strings.HasPrefix(f.Name, "agent-") && strings.HasSuffix(f.Name, ".jsonl"):
			id := strings.TrimSuffix(strings.TrimPrefix(f.Name, "agent-"), ".jsonl")
			file := transcript.Read(f.Name, f.Data)
			in.Agents = append(in.Agents, AgentFile{ID: id, File: &file, Meta: sections["agent-"+id+".meta.json"]})
		}
	}
	return in
}
