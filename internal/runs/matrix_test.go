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
	"viewer/internal/testing/htmlcheck"
	"viewer/internal/testing/runlog"
)

// writeMatrix writes runs of tasks by models, each in a folder task/model.
func writeMatrix(t *testing.T, dir string, tasks, models int) {
	t.Helper()
	for i := range tasks {
		for j := range models {
			steps := []string{fmt.Sprintf("ask Mend task %03d", i), "read a.go", "run go test ./..."}
			for range (i + j) % 3 {
				steps = append(steps, "edit a.go")
			}
			outcome := "success"
			if (i*7+j*3)%5 == 0 {
				outcome = "error_max_turns"
			}
			id := fmt.Sprintf("%04d%04d-0000-4000-8000-000000000000", i, j)
			writeRun(t, filepath.Join(dir, fmt.Sprintf("task-%03d/m%d/%s.jsonl", i, j, id)), runlog.Run{
				ID: id, Folder: fmt.Sprintf("/srv/t%03d", i), Model: fmt.Sprintf("claude-model-%d", j),
				Outcome: outcome, Cost: float64(i+j) / 100, Steps: runlog.Steps(append(steps, "say Done.")...),
			})
		}
	}
}

// buildMatrix builds the site of a matrix.
func buildMatrix(
	t *testing.T, out string, columns, rows compare.Axis, files []string, sources ...string,
) *compare.Matrix {
	t.Helper()
	ctx := context.Background()
	o := sitegen.Options{Sources: sources, Out: out, Prune: true}
	runs, err := Read(ctx, o, files)
	if err != nil {
		t.Fatal(err)
	}
	defer runs.Close()
	shown := runs.Matrix(columns, rows)
	if _, err := Build(ctx, o, runs, shown); err != nil {
		t.Fatal(err)
	}
	return shown.Matrix
}

func readPage(t *testing.T, elements ...string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(elements...))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestMatrix(t *testing.T) {
	dir := t.TempDir()
	writeMatrix(t, filepath.Join(dir, "runs"), 4, 3)
	put := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	// Results of Harbor for one run, JUnit XML for another, exit codes for a third. The other results are those in the
	// logs.
	put("runs/task-000/m0/result.json",
		`{"task_name":"bench/tides","trial_name":"t","verifier_result":{"rewards":{"reward":1}}}`)
	put("runs/task-000/m1/junit.xml", `<?xml version="1.0"?><testsuites><testsuite>
<testcase name="a"/><testcase name="b"><failure>no</failure></testcase></testsuite></testsuites>`)
	put("codes.txt", "# codes\ntask-001/m2 3\n00010001-0000-4000-8000-000000000000, 0\n")
	out := filepath.Join(dir, "out")
	m := buildMatrix(t, out, compare.ByModel, compare.ByFolder, []string{filepath.Join(dir, "codes.txt")},
		filepath.Join(dir, "runs"))
	if len(m.Tasks) != 4 || len(m.Columns) != 3 {
		t.Fatalf("got %d tasks by %d models, want 4 by 3", len(m.Tasks), len(m.Columns))
	}
	page := readPage(t, out, "compare.html")
	cell := func(row, column int) string {
		return fmt.Sprintf(".matrix tbody tr:nth-child(%d) td:nth-child(%d)", row, column+1)
	}
	htmlcheck.Run(t, page,
		htmlcheck.In("h1", htmlcheck.IsText("4 tasks by model")),
		htmlcheck.In(cell(1, 1), htmlcheck.HasText("passed")),
		htmlcheck.In(cell(1, 2)+" a", htmlcheck.IsText("failed"), htmlcheck.HasAttr("title", "1 of 2 tests failed")),
		htmlcheck.In(cell(1, 3)+" a", htmlcheck.IsText("succeeded")),
		htmlcheck.In(cell(2, 2)+" a", htmlcheck.IsText("passed"), htmlcheck.HasAttr("title", "exit 0")),
		htmlcheck.In(cell(2, 3)+" a", htmlcheck.IsText("failed"), htmlcheck.HasAttr("title", "exit 3")),
		htmlcheck.In(cell(4, 3), htmlcheck.HasText("$0.05")),
		htmlcheck.Count(".matrix tbody th a", 4),
	)
	checkPages(t, out)
	// With rows by task, the name from Harbor is that of the row. The others are named by their prompts.
	m = buildMatrix(t, out, compare.ByAgent, compare.ByTask, nil, filepath.Join(dir, "runs"))
	if m.Tasks[4].Name != "bench/tides" || len(m.Tasks) != 5 || len(m.Columns) != 1 {
		t.Errorf("got rows %+v", m.Tasks)
	}
	checkPages(t, out)
}

func checkPages(t *testing.T, out string) {
	t.Helper()
	findings, err := htmlcheck.Sweep(os.DirFS(out), htmlcheck.Options{TranscriptText: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range findings {
		t.Error(f)
	}
}

// TestFoldersOfRuns compares two folders with runs of the same tasks.
func TestFoldersOfRuns(t *testing.T) {
	dir := t.TempDir()
	writeMatrix(t, filepath.Join(dir, "x/before"), 3, 1)
	writeMatrix(t, filepath.Join(dir, "x/after"), 2, 1)
	for _, task := range []string{"task-000", "task-001"} { // with other runs
		name := filepath.Join(dir, "x/after", task, "m0")
		files, _ := filepath.Glob(filepath.Join(name, "*.jsonl"))
		data := strings.ReplaceAll(readPage(t, files[0]), "-0000-4000-8000-", "-0000-4000-9000-")
		if err := os.WriteFile(strings.Replace(files[0], "-8000-", "-9000-", 1), []byte(data), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Remove(files[0]); err != nil {
			t.Fatal(err)
		}
	}
	out := filepath.Join(dir, "out")
	m := buildMatrix(t, out, compare.BySource, compare.ByTask, nil,
		filepath.Join(dir, "x/before"), filepath.Join(dir, "x/after"))
	if len(m.Tasks) != 3 || len(m.Columns) != 2 || m.Columns[0].Name != "before" || m.Columns[1].Name != "after" {
		t.Fatalf("got %d tasks and columns %+v", len(m.Tasks), m.Columns)
	}
	checkPages(t, out)
	htmlcheck.Run(t, readPage(t, out, "compare.html"), htmlcheck.Count(".matrix tbody th a", 2))
	htmlcheck.Run(t, readPage(t, out, "c", m.Tasks[0].ID+".html"),
		htmlcheck.HasText("The runs took the same steps from beginning to end."))
}
