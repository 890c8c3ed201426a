package runs

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"viewer/internal/compare"
	"viewer/internal/sitegen"
	"viewer/internal/testing/corpus"
	"viewer/internal/testing/htmlcheck"
	"viewer/internal/testing/runlog"
)

// buildComparison builds the site of some runs side by side, and checks its pages and links.
func buildComparison(t *testing.T, out string, sources ...string) {
	t.Helper()
	ctx := context.Background()
	o := sitegen.Options{Sources: sources, Out: out, Prune: true}
	runs, err := Read(ctx, o, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer runs.Close()
	shown, err := runs.SideBySide()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Build(ctx, o, runs, shown); err != nil {
		t.Fatal(err)
	}
	checkPages(t, out)
}

// writeRun writes an invented run to a file.
func writeRun(t *testing.T, name string, r runlog.Run) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, r.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	return name
}

func TestCompareRuns(t *testing.T) {
	dir := t.TempDir()
	start := []string{"ask Mend the <b>tides</b>", "read tide.go", "run go test ./...", "read moon.go", "run ls"}
	write := func(name string, codex bool, model string, more ...string) string {
		return writeRun(t, filepath.Join(dir, name+".jsonl"), runlog.Run{
			ID: name, Folder: "/srv/" + name, Model: model, Codex: codex,
			Steps: runlog.Steps(append(start[:len(start):len(start)], more...)...),
		})
	}
	a := write("one", false, "claude-sonnet-4-6", "edit tide.go", "run! go vet ./...", "say Done.")
	b := write("two", true, "gpt-5.3-codex", "edit tide.go", "run go vet ./...", "edit moon.go", "say Done, too.")
	out := filepath.Join(dir, "out")
	buildComparison(t, out, a, b)
	page, err := os.ReadFile(filepath.Join(out, "compare.html"))
	if err != nil {
		t.Fatal(err)
	}
	htmlcheck.Run(t, string(page),
		htmlcheck.HasText("The runs begin with the same 7 steps and part at step 8."),
		htmlcheck.In(".askedall", htmlcheck.IsText("Mend the <b>tides</b>")),
		htmlcheck.In("#page-partings", htmlcheck.HasText("B Patch moon.go"), htmlcheck.HasText("A ends here")),
		htmlcheck.In(".aligned details summary", htmlcheck.IsText("5 steps that all took")),
		htmlcheck.In(".aligned tr:not(.shared) small.bad", htmlcheck.IsText("exit 1")),
		htmlcheck.In("#page-files tbody tr:first-child small", htmlcheck.IsText("the same change")),
		htmlcheck.In("tr#p-1", htmlcheck.HasText("moon.go")),
	)
	// A second build gives the same, and a plain build of the site has no comparison.
	before, err := os.ReadFile(filepath.Join(out, "index.html"))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(before), `href="compare.html"`) {
		t.Error("the first page of the site has no link to the comparison")
	}
	if _, err := sitegen.Build(context.Background(), sitegen.Options{Sources: []string{a, b}, Out: out}); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(out, "compare.html")); err == nil {
		t.Error("a build without comparison leaves compare.html")
	}
}

// TestCompareMany: eight runs of many steps are on several pages, none of which is too large.
func TestCompareMany(t *testing.T) {
	dir := t.TempDir()
	var sources []string
	for r := range compare.MostRuns {
		steps := []string{"ask Count"}
		for i := range 250 {
			steps = append(steps, "run step "+strings.Repeat(string(rune('a'+(i*(r+3)+r)%23)), 60))
		}
		name := string(rune('a' + r))
		sources = append(sources, writeRun(t, filepath.Join(dir, name+".jsonl"), runlog.Run{
			ID: name, Folder: "/srv/x", Model: "m", Steps: runlog.Steps(steps...)}))
	}
	out := filepath.Join(dir, "out")
	buildComparison(t, out, sources...)
	pages, err := filepath.Glob(filepath.Join(out, "compare*.html"))
	if err != nil || len(pages) < 2 {
		t.Fatalf("got %d pages, want several", len(pages))
	}
	for _, name := range pages {
		if info, err := os.Stat(name); err != nil || info.Size() > 600<<10 {
			t.Errorf("%s has %d bytes, over 600 KB", name, info.Size())
		}
	}
}

// TestCompareReal compares real runs: of the CI action, and of two coding agents.
func TestCompareReal(t *testing.T) {
	for _, pattern := range []string{"sdk/*/*.json*", "agents/codex/entireio+entire-graph/*/*/*/*/*.jsonl",
		"agents/gemini/*/*", "agents/pi/*/*"} {
		sources := corpus.Glob(t, pattern)
		out := t.TempDir()
		most := 2
		if corpus.Full() {
			most = 3
		}
		sources = sources[:min(most, len(sources))]
		for i := range len(sources) - 1 {
			o := sitegen.Options{Sources: sources[i : i+2]}
			runs, err := Read(context.Background(), o, nil)
			if err != nil {
				t.Fatal(err)
			}
			runs.Close()
			if n := len(runs.Runs); n < 2 || n > compare.MostRuns {
				continue
			}
			buildComparison(t, filepath.Join(out, string(rune('a'+i))), o.Sources...)
		}
	}
}

// TestSecretsOfPlaces: the names of folders and tasks and the reasons of verdicts are redacted, and no run has the path
// of its file.
func TestSecretsOfPlaces(t *testing.T) {
	dir := t.TempDir()
	secret := "ghp_" + strings.Repeat("aB3dE6gH9", 4)
	folder := filepath.Join(dir, "runs", "of-"+secret)
	writeRun(t, filepath.Join(folder, "a.jsonl"), runlog.Run{
		ID: "a", Folder: "/srv/a", Model: "m", Steps: runlog.Steps("ask Count", "say 3"),
	})
	result := `{"task_name":"t/` + secret + `","exception_info":{"exception_type":"` + secret + `"}}`
	if err := os.WriteFile(filepath.Join(folder, "result.json"), []byte(result), 0o644); err != nil {
		t.Fatal(err)
	}
	runs, err := Read(context.Background(), sitegen.Options{Sources: []string{filepath.Join(dir, "runs")}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer runs.Close()
	r := &runs.Runs[0]
	if r.Folder == "" || r.Task == "" || r.Verdict == nil || r.Verdict.Result.Reason == "" {
		t.Fatalf("got %+v, want a folder, a task and a reason", r)
	}
	if text := fmt.Sprint(r.Folder, r.Task, r.Verdict.Result.Reason); strings.Contains(text, secret) || r.Path != "" {
		t.Errorf("got %s in %q, want no secret and no path", text, r.Path)
	}
}
