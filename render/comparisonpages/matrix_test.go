package comparisonpages

import (
	"fmt"
	"strings"
	"testing"

	"viewer/internal/compare"
	"viewer/internal/export"
	"viewer/internal/packed"
	"viewer/internal/report"
	"viewer/render/indexpages"
)

// TestMatrixPages: 500 tasks by 8 models are on pages of less than 600 KB. Scripts have the rows of all pages but the
// first, and each task has a page.
func TestMatrixPages(t *testing.T) {
	const tasks, models = 500, 8
	c := &compare.Comparison{}
	for i := range tasks * models {
		c.Runs = append(c.Runs, compare.Run{
			Title:  "A run",
			Page:   fmt.Sprintf("s/%08d-0000-4000-8000-000000000000/index.html", i),
			Agent:  "Claude Code",
			Models: []string{fmt.Sprintf("claude-model-%d", i%models)}, Turns: i % 90,
			Asked:    fmt.Sprintf("Mend task %03d of the harbour & its tides", i/models),
			AskedKey: fmt.Sprint(i / models),
			Outcome:  []report.Outcome{report.Success, report.Failed}[i*7%11%2],
			Reason:   "the limit of turns was reached",
			Spent:    export.Spent{CostUSD: float64(i) / 1000},
		})
		c.Keys = append(c.Keys, fmt.Sprint(i))
	}
	c.Load = func(i int) compare.Run {
		r := c.Runs[i]
		r.Steps = []compare.Step{
			{Asked: true, Name: "Prompt", Text: r.Asked, Page: r.Page, Anchor: "a", Key: r.AskedKey},
		}
		return r
	}
	c.Matrix = compare.NewMatrix(c.Runs, compare.ByModel, compare.ByTask)
	rows, scripts, beside, pages := 0, 0, 0, 0
	for _, page := range Plan(indexpages.Site{}, c) {
		html := string(page.HTML())
		if len(html) > 600_000 {
			t.Errorf("%s has %d bytes, over 600 KB", page.Name, len(html))
		}
		switch {
		case strings.HasPrefix(page.Name, "c/"):
			beside++
		case strings.HasSuffix(page.Name, ".js"):
			text, err := packed.Read(page.HTML())
			if err != nil {
				t.Fatal(page.Name, err)
			}
			scripts += strings.Count(text, "data-passed=")
		default:
			pages++
			if rows += strings.Count(html, "data-passed="); pages == 1 {
				scripts += rows // the first page needs no script
			}
		}
	}
	if rows != tasks || scripts != tasks || beside != tasks || pages < 2 {
		t.Errorf("got %d rows on %d pages, %d with scripts, %d pages of tasks", rows, pages, scripts, beside)
	}
}

// TestUnknownFigures: what no run of a column tells is unknown, not zero, and a median is of the runs that tell it.
func TestUnknownFigures(t *testing.T) {
	unpriced := export.Spent{Unpriced: []string{"tern"}}
	c := &compare.Comparison{Runs: []compare.Run{
		{Models: []string{"tern"}, Spent: unpriced}, {Models: []string{"tern"}, Spent: unpriced},
		{Models: []string{"gull"}, Seconds: 120}, {Models: []string{"gull"}}, {Models: []string{"gull"}},
		{Models: []string{"gull"}, Spent: export.Spent{CostUSD: 2, Unpriced: []string{"tern"}}},
	}}
	c.Matrix = compare.NewMatrix(c.Runs, compare.ByModel, compare.ByTask)
	d := matrixDrawing{Comparison: c}
	got := map[string]string{}
	for _, row := range d.columnFigures() {
		for i, cell := range row.Cells {
			got[row.Name+" of "+c.Matrix.Columns[i].Name] = strings.TrimSuffix(cell.Text+", "+cell.Note, ", ")
		}
	}
	for what, want := range map[string]string{
		"Cost of tern": "unknown", "Cost of gull": "$2.00, not all known for 1 run",
		"Time, median of tern": "unknown", "Time, median of gull": "2m",
	} {
		if got[what] != want {
			t.Errorf("%s is %q, want %q", what, got[what], want)
		}
	}
}
