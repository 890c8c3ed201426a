package sitegen

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"viewer/internal/sitegen/redaction"
	"viewer/internal/sources"
	"viewer/internal/sources/all"
	"viewer/internal/testing/tern"
	"viewer/internal/transcript"
)

// TestNewSource adds a source as docs/extending.md shows. Its sessions must be found by their contents, belong to the
// project of their folder, and be processed like all others: redacted, followed while they grow, and drawn completely.
func TestNewSource(t *testing.T) {
	log, err := os.ReadFile("../testing/tern/tides.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "2026", "03", "agent-of-another-name.jsonl")
	write(t, file, log)
	appendTo(t, file, `{"sec": 9, "user": "The code is HARBOUR-4711"}`+"\n"+`{"sec": 10, "user": `+"\n")
	array := "[" + strings.ReplaceAll(strings.TrimSpace(strings.Replace(string(log), "7d3f", "7d40", 1)), "\n", ",") +
		"]"
	write(t, filepath.Join(dir, "2026", "04", "tides.json"), []byte(transcript.Pretty([]byte(array))))
	write(t, filepath.Join(dir, "-home-mara-tides", "c1.jsonl"), []byte(
		`{"type":"user","uuid":"u1","sessionId":"c1","cwd":"/home/mara/tides","message":{"role":"user","content":"Hello"}}`+"\n"))
	write(t, filepath.Join(dir, "2026", "05", "agent.jsonl"), []byte(
		`{"tern": 1, "id": "a1", "of": "7d3f", "dir": "/home/mara/boats"}`+"\n"+
			`{"sec": 1, "bot": "I count boats."}`+"\n"))
	o := Options{
		Sources: []string{dir}, Out: t.TempDir(), Version: "test", Prune: true,
		writers: append(sources.List{tern.Source{}}, all.Sources...), Redaction: redaction.Settings{
			Patterns: []string{"HARBOUR-[0-9]+"},
		},
	}
	w := watchFile(t, o, file)
	r := w.build()
	if r.Sessions != 3 || r.Totals.Prompts != 6 || r.Totals.Tools != 2 || r.Totals.Agents != 1 ||
		r.Ledger.Missed != 0 || r.Ledger.Lost != 1 {
		t.Errorf("%d sessions, %d prompts, %d calls, %d agents, %d missed, %d lost",
			r.Sessions, r.Totals.Prompts, r.Totals.Tools, r.Totals.Agents, r.Ledger.Missed, r.Ledger.Lost)
	}
	if len(r.Problems) != 1 || r.Problems[0].Pos.String() != "2026/03/agent-of-another-name.jsonl:12" {
		t.Errorf("problems %v, want the incomplete line with its position", r.Problems)
	}
	facts := string(read(t, filepath.Join(o.Out, "sessions.json")))
	if n := strings.Count(facts, `"project": "tides"`); n != 3 {
		t.Errorf("%d sessions are in the project, want 3: %s", n, facts)
	}
	page := string(read(t, filepath.Join(o.Out, "s", "7d3f", "index.html")))
	for _, c := range []struct {
		text string
		want bool
	}{
		{"When is high water?", true}, {"cat tides.txt", true}, {"06:12 and 18:40", true},
		{"encrypted\u00a0·\u00a020 B", true}, {"gull-2", true},
		{`<u>"full"</u>`, true}, {"sent", false}, {"HARBOUR-4711", false}, {"2026-03-02T09:00:07Z", true},
		{`id="line-5-c8-2"`, true}, {"I count boats.", true},
	} {
		if strings.Contains(page, c.text) != c.want {
			t.Errorf("the page contains %q: %v, want %v", c.text, !c.want, c.want)
		}
	}
	for _, name := range []string{"c1", "7d40"} {
		page := string(read(t, filepath.Join(o.Out, "s", name, "index.html")))
		if got, want := strings.Contains(page, "level-sent"), name == "c1"; got != want {
			t.Errorf("the page of %s links to the context as sent: %v, want %v", name, got, want)
		}
	}
	for _, next := range []string{
		`{"sec": 11, "bot": "It is safe.", "call": "c2", "tool": "Bash", "input": {"command": "ls"}}`,
		`{"sec": 12, "result": "c2", "text": "boats"}`,
	} {
		appendTo(t, file, next+"\n")
		r = w.build()
		w.checkSame("an append")
	}
	if r.Read > 100 {
		t.Errorf("%d bytes were read for an appended line, want at most 100", r.Read)
	}
	if text := string(read(t, filepath.Join(o.Out, "s", "7d3f", "index.html"))); !strings.Contains(text,
		"It is safe.") {
		t.Error("the page lacks the appended text")
	}
	o.writers = nil // as without such a source
	o.Out = t.TempDir()
	if r := mustBuild(t, o); r.Totals.Prompts != 1 {
		t.Errorf("%d prompts without the source, want that of Claude Code", r.Totals.Prompts)
	}
}
