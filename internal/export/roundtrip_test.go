package export

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"viewer/internal/sources/all"
	"viewer/internal/stats"
	"viewer/internal/testing/corpus"
	"viewer/internal/testing/golden"
	"viewer/internal/testing/schemacheck"
	"viewer/internal/tools"
	"viewer/internal/transcript"
	"viewer/normalize"
)

// TestTrajectoriesRoundTrip writes sessions as trajectories, validates these, and reads them again: they must have the
// same prompts, calls and results, the calls must end alike, and tokens and cost must be the same.
func TestTrajectoriesRoundTrip(t *testing.T) {
	files := golden.Sections(t, "../../normalize/testdata/sources/*.txtar", "in.jsonl")
	for _, name := range corpus.Files(t, isSession, "../../testdata/projects") {
		files[name] = readFile(t, name)
	}
	schema := schemacheck.LoadFile(t, "testdata/atif.schema.json")
	kinds := make(map[string]int)
	for name, data := range files {
		kinds[checkRoundTrip(t, schema, name, data)]++
	}
	for writer, roots := range map[string][]string{
		"Claude Code": corpus.Optional(t, "dev", "large"), "Codex": corpus.Optional(t, "agents/codex"),
		"": corpus.Optional(t, "agents/[^c]*", "agents/copilot", "agents/cursor"),
	} {
		names := corpus.Files(t, isSession, roots...)
		slices.SortFunc(names, func(a, b string) int { return strings.Compare(filepath.Base(a), filepath.Base(b)) })
		some := corpus.Share(names)
		if len(some) < 40 && writer != "" { // some of which are not sessions
			some = names[:min(40, len(names))]
		}
		for _, name := range some {
			kinds["beside "+checkRoundTrip(t, schema, name, readFile(t, name))]++
		}
		if n := kinds["beside "+writer]; writer != "" && len(roots) > 0 && n < 10 {
			t.Errorf("got %d sessions of %s in ../shared, want 10", n, writer)
		}
	}
	t.Logf("%v", kinds)
	if kinds["Claude Code"] < 20 || kinds["Codex"] < 10 {
		t.Errorf("got sessions %v, want at least 20 of Claude Code and 10 of Codex", kinds)
	}
}

func readFile(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// checkRoundTrip checks one session, and returns the name of its writer.
func checkRoundTrip(t *testing.T, schema *jsonschema.Schema, name string, data []byte) string {
	t.Helper()
	was := sourceSession(name, data)
	out, err := ATIF(was, Options{Level: Everything})
	if errors.Is(err, errNoSteps) {
		return "without steps"
	}
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if err := checkTrajectory(schema, out); err != nil {
		t.Errorf("%s: %v", name, err)
	}
	is := sourceSession("/trajectory.json", out)
	if got := is.Conversation.Writer.Name; got != "ATIF" {
		t.Fatalf("%s: the trajectory was written by %q, want ATIF", name, got)
	}
	before, after := contentsOf(was.Conversation), contentsOf(is.Conversation)
	if !slices.Equal(before, after) {
		t.Errorf("%s: (-before +after)\n%.2000s", name, cmp.Diff(before, after))
	}
	u, v := usageOf(was.Conversation), usageOf(is.Conversation)
	if u != v {
		t.Errorf("%s: tokens %+v became %+v", name, u, v)
	}
	if a, b := was.Totals, is.Totals; !takenBack(was.Conversation) {
		if a.Tokens() != b.Tokens() {
			t.Errorf("%s: %d tokens of the session became %d", name, a.Tokens(), b.Tokens())
		}
		if d := a.Cost.Total() - b.Cost.Total(); d < -1000 || d > 1000 { // a billionth of a dollar
			t.Errorf("%s: cost %+v became %+v", name, a.Cost, b.Cost)
		}
	}
	return was.Conversation.Writer.String()
}

// sourceSession reads a file of any writer.
func sourceSession(name string, data []byte) Session {
	file := all.Sources.Read(name, data, transcript.Options{})
	c := normalize.Build(normalize.Input{ID: "session", Main: &file})
	prices := stats.ListPrices()
	return Session{Conversation: c, Totals: stats.Of(c, prices), CostOf: stats.RequestCosts(prices)}
}

// contentsOf returns the prompts, calls and results of a conversation and its agents, in order.
func contentsOf(c *normalize.Conversation) []string {
	var told []string
	add := func(what, text string) { told = append(told, what+" "+strings.TrimSpace(text)) }
	prompted := make(map[*transcript.Record]bool)
	prompt := func(m *normalize.Message) {
		if m.Kind == normalize.Prompt && m.Rule == "" {
			if !prompted[m.Record] {
				prompted[m.Record] = true
				add("prompt", "")
			}
			if text := said(m); strings.TrimSpace(text) != "" {
				add("said", text)
			}
		}
	}
	var inside []*normalize.Agent
	for _, t := range c.Turns {
		for _, m := range t.Prompt {
			prompt(m)
		}
		for _, item := range t.Items {
			switch it := item.(type) {
			case *normalize.Message:
				prompt(it)
			case *normalize.Group:
				if it.Call != nil {
					add("call", it.Call.Name+" "+string(arguments(it)))
					if it.Result != nil || it.State == normalize.Unlogged {
						add("call", it.Call.Name+" "+it.State.String())
					}
				}
				if r := it.Result; r != nil {
					text := ""
					if r.Block.IsError && it.State != normalize.Done { // an approved plan has an error
						text = "error "
					}
					for i := range r.Block.Content {
						words, _ := resultWords(&r.Block.Content[i])
						text += words
					}
					add("result", text)
				}
				inside = append(inside, it.Agents...)
			}
		}
	}
	slices.Sort(told) // a step has all results after all calls, which changes the order
	for _, a := range append(inside, c.Agents...) {
		told = append(told, "agent")
		told = append(told, contentsOf(a.Conversation)...)
	}
	return told
}

// takenBack reports whether a conversation has attempts that were taken back, which a trajectory leaves out.
func takenBack(c *normalize.Conversation) bool {
	for inner := range c.All() {
		if inner.TakenBack {
			return true
		}
	}
	return false
}

// usageOf returns the sum of the tokens that a trajectory has: without those of rewound attempts.
func usageOf(c *normalize.Conversation) (sum transcript.Usage) {
	for _, t := range c.Turns {
		for _, r := range t.Requests {
			if u := r.Usage; !r.Repeats {
				sum.Input, sum.Output = sum.Input+max(0, u.Input), sum.Output+max(0, u.Output)
				sum.CacheRead, sum.CacheWrite = sum.CacheRead+u.CacheRead, sum.CacheWrite+u.CacheWrite
			}
		}
	}
	for g := range c.Groups() {
		for _, a := range g.Agents {
			sum = sum.Add(usageOf(a.Conversation))
		}
	}
	for _, a := range c.Agents {
		sum = sum.Add(usageOf(a.Conversation))
	}
	return sum
}

// TestTracesRoundTrip writes sessions as traces and reads them again: they must have the same calls, prompts and
// tokens, and as many calls that failed.
func TestTracesRoundTrip(t *testing.T) {
	files := golden.Sections(t, "../../normalize/testdata/sources/*.txtar", "in.jsonl")
	roots := append(corpus.Optional(t, "dev"), "../../testdata/projects")
	for _, name := range corpus.Files(t, isSession, roots...) {
		files[name] = readFile(t, name)
	}
	n := 0
	for name, data := range files {
		was := sourceSession(name, data)
		out, err := OTLP(was, Options{Level: Everything})
		if errors.Is(err, errNoSteps) || repeatsCalls(was.Conversation) {
			continue
		}
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		is := sourceSession("/traces.jsonl", out)
		if got := is.Conversation.Writer.Name; got != "OpenTelemetry" {
			t.Fatalf("%s: the traces were written by %q, want OpenTelemetry", name, got)
		}
		if d := cmp.Diff(tracedOf(was.Conversation), tracedOf(is.Conversation)); d != "" {
			t.Errorf("%s: (-before +after)\n%.1500s", name, d)
		}
		if a, b := failedIn(was), failedIn(is); a != b && !takenBack(was.Conversation) {
			t.Errorf("%s: %d calls failed, then %d", name, a, b)
		}
		if u, v := usageOf(was.Conversation), usageOf(is.Conversation); u != v {
			t.Errorf("%s: tokens %+v became %+v", name, u, v)
		}
		n++
	}
	if n < 80 {
		t.Errorf("got %d sessions, want at least 80", n)
	}
}

// tracedOf returns the prompts and calls of a conversation that traces keep, in any order. Commands that the human
// typed are prompts in them.
func tracedOf(c *normalize.Conversation) (all []string) {
	for _, line := range contentsOf(c) {
		kind, rest, _ := strings.Cut(line, " ")
		_, what, _ := strings.Cut(rest, " ")
		isCall := kind == "call" && strings.HasPrefix(what, "{")
		if isCall || kind == "said" && !strings.HasPrefix(rest, "!") && !strings.HasPrefix(rest, "/") {
			all = append(all, line)
		}
	}
	slices.Sort(all)
	return all
}

// failedIn returns how many calls did not succeed, also those whose command failed after its call.
func failedIn(s Session) (n int) {
	context := callContext(s)
	for c := range s.Conversation.All() {
		for g := range c.Groups() {
			switch {
			case g.Call == nil, g.State == normalize.Pending, g.State == normalize.Unlogged:
			case g.State != normalize.Done, tools.Describe(g, context).Exit != "":
				n++
			}
		}
	}
	return n
}

// repeatsCalls reports whether several calls of a conversation have the same id.
func repeatsCalls(c *normalize.Conversation) bool {
	seen := make(map[string]bool)
	for inner := range c.All() {
		for g := range inner.Groups() {
			if g.Call == nil {
				continue
			}
			if id := callID(g); seen[id] {
				return true
			} else {
				seen[id] = true
			}
		}
	}
	return false
}
