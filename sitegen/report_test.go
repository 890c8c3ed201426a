package sitegen

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"viewer/report"
)

// TestReportOfRealRuns reports on the execution files and streams that lie
// beside the project where it is developed: each of them succeeded, says what it
// cost, and its last word stands on the page.
func TestReportOfRealRuns(t *testing.T) {
	files, err := filepath.Glob("../../shared/corpus/sdk/*/*.json*")
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Skip("there are no real runs here")
	}
	for _, name := range files {
		sessions, err := OpenSessions(context.Background(), Options{Sources: []string{name}})
		if err != nil {
			t.Fatal(err)
		}
		f := ReportOn(sessions, "report.html")
		if f.Sessions != 1 || f.Outcome != report.Success || f.CostUSD == 0 || f.ListPrice || f.Seconds == 0 || f.Turns == 0 {
			t.Errorf("%s: %d sessions, %s, $%v (list price %v), %v s, %d turns", name, f.Sessions, f.Outcome, f.CostUSD, f.ListPrice, f.Seconds, f.Turns)
		}
		page, answer := string(SinglePage(sessions...)), f.Runs[0].Answer
		if answer == "" || !strings.Contains(page, answer) {
			t.Errorf("%s: the answer %q is not on the page", name, answer)
		}
		// The page beside the summary: what a link points to is there.
		for _, c := range f.Runs[0].Files {
			if !strings.Contains(page, `id="`+c.Anchor+`"`) {
				t.Errorf("%s: #%s of %s is not on the page", name, c.Anchor, c.Path)
			}
		}
	}
}

// TestReportPlaces: the links of a summary into a site lead to the pages on
// which their anchors stand.
func TestReportPlaces(t *testing.T) {
	out := t.TempDir()
	o := Options{Sources: []string{"../testdata/projects"}, Out: out}
	if _, err := Build(context.Background(), o); err != nil {
		t.Fatal(err)
	}
	sessions, err := OpenSessions(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	const base = "https://ci.example.org/"
	summary := string(report.Summary(ReportOn(sessions, ""), report.SummaryOptions{BaseURL: base}))
	n := 0
	for _, part := range strings.Split(summary, "]("+base)[1:] {
		address, _, _ := strings.Cut(part, ")")
		page, anchor, _ := strings.Cut(address, "#")
		html, err := os.ReadFile(filepath.Join(out, filepath.FromSlash(page)))
		if err != nil {
			t.Error(err)
			continue
		}
		if anchor != "" && !strings.Contains(string(html), `id="`+anchor+`"`) {
			t.Errorf("#%s is not on %s", anchor, page)
		}
		n++
	}
	if n < 50 {
		t.Errorf("only %d links", n)
	}
}
