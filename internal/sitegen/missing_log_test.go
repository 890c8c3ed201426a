package sitegen

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestMissingLog shows the agents of a session whose log is missing, until the log exists again. Pages that were made
// from a log stay if it is deleted.
func TestMissingLog(t *testing.T) {
	const id = "17c3e8a4-0b6d-4f92-a7e1-c58d2b90f463"
	source, out := t.TempDir(), t.TempDir()
	own := filepath.Join(source, "-home-mara-kiln", id)
	for i := range 3 {
		file := filepath.Join(own, "subagents", fmt.Sprintf("agent-a%d.jsonl", i))
		if i == 2 {
			file = filepath.Join(own, "subagents", "workflows", "wf_1", "agent-a2.jsonl")
		}
		write(t, file,
			fmt.Appendf(nil, `{"type":"user","uuid":"a%d","isSidechain":true,"sessionId":"%s","cwd":"/home/mara/kiln","timestamp":"2026-05-1%dT10:00:00Z","message":{"role":"user","content":"Fire the kiln %d"}}`+"\n", i, id, i, i))
	}
	log := filepath.Join(source, "-home-mara-kiln", id+".jsonl")
	o := Options{Sources: []string{source}, Out: out, Version: "test"}
	check := func(step string, r Report, missing, kept int, title string, want ...string) {
		t.Helper()
		if r.Sessions != 1 || r.Kept != kept || r.Ledger.LogMissing != missing || !r.Ledger.Balanced() ||
			len(r.Problems) > 0 {
			t.Errorf("%s: %d sessions, %d kept, %d without log, problems %v", step, r.Sessions, r.Kept,
				r.Ledger.LogMissing, r.Problems)
		}
		dirs, _ := os.ReadDir(filepath.Join(out, "s"))
		if len(dirs) != 1 || dirs[0].Name() != id {
			t.Errorf("%s: the sessions are %v, want one", step, dirs)
		}
		page := string(read(t, filepath.Join(out, "s", id, "index.html")))
		for _, text := range append(want, "<h1>"+title) {
			if !strings.Contains(page, text) {
				t.Errorf("%s: the page lacks %q", step, text)
			}
		}
	}
	const title = "Session 17c3e8a4, log is missing, 3 agents"
	check("no log", mustBuild(t, o), 1, 0, title,
		"The log of this session is missing: 3 agents are what is left of it.",
		"Fire the kiln 0", "Fire the kiln 2", ">kiln</a>")
	if r := mustBuild(t, o); r.Rendered > 0 {
		t.Errorf("without changes %d sessions were drawn, want none", r.Rendered)
	}
	some := o
	some.Filter.Sessions, some.Filter.Since = []string{"17c3"}, at("2026-05-12T00:00:00Z")
	listed, _, err := List(context.Background(), some, ListOptions{})
	if err != nil || len(listed) != 1 || listed[0].Title != title || listed[0].Start.IsZero() {
		t.Errorf("got the list %v, error %v", listed, err)
	}
	write(t, log, []byte(`{"type":"user","uuid":"b","sessionId":"`+id+
		`","message":{"role":"user","content":"Mind the kiln"}}`+"\n"))
	check("the log is back", mustBuild(t, o), 0, 0, "Mind the kiln", "Fire the kiln 1",
		"Agents that no call could be found for")
	if err := os.Remove(log); err != nil {
		t.Fatal(err)
	}
	check("the log is missing again", mustBuild(t, o), 0, 1, "Mind the kiln")
	check("and again", mustBuild(t, o), 0, 1, "Mind the kiln")
	o.Prune = true
	check("pruned", mustBuild(t, o), 1, 0, title)
}

// TestMissingLogChanges: the facts of a session whose log is missing are those of its agents, whichever of them change
// and whenever that was.
func TestMissingLogChanges(t *testing.T) {
	const id = "17c3e8a4-0b6d-4f92-a7e1-c58d2b90f463"
	source := t.TempDir()
	agents := filepath.Join(source, "-home-mara-kiln", id, "subagents")
	record := func(agent, folder string, hour int) {
		file := filepath.Join(agents, agent)
		write(t, file, fmt.Appendf(nil, `{"type":"user","uuid":"a%d","isSidechain":true,"sessionId":"%s","cwd":"%s",`+
			`"timestamp":"2026-05-10T%02d:00:00Z","message":{"role":"user","content":"Fire"}}`+"\n", hour, id, folder, hour))
		touch(t, file, at(fmt.Sprintf("2026-05-10T%02d:00:00Z", hour)))
	}
	record("agent-a.jsonl", "/home/mara/kiln", 10)
	record("agent-b.jsonl", "/home/mara/glaze", 11)
	record("agent-c.jsonl", "/home/mara/clay", 12)
	o := Options{Sources: []string{source}, Out: t.TempDir(), Version: "test"}
	mustBuild(t, o)
	touch(t, filepath.Join(agents, "agent-b.jsonl"), at("2026-05-10T14:00:00Z"))
	mustBuild(t, o)
	compareClean(t, o)
	remove(t, filepath.Join(agents, "agent-a.jsonl")) // which was not the last
	mustBuild(t, o)
	compareClean(t, o)
}
