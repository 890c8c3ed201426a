package sitegen

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"viewer/internal/testing/htmlcheck"
)

func TestSample(t *testing.T) {
	out := t.TempDir()
	report, err := Build(context.Background(), Options{Sample: Sample(), Out: out, Version: "test"})
	if err != nil {
		t.Fatal(err)
	}
	if len(report.Problems) > 0 || report.Ledger.Generics() > 0 || report.Sessions == 0 {
		t.Errorf("%d sessions, problems %v, unknown kinds %v: want sessions, and none of the others", report.Sessions,
			report.Problems, report.Ledger.Generic)
	}
	checkLedger(t, report)
	htmlcheck.Run(t, string(read(t, filepath.Join(out, "index.html"))),
		htmlcheck.In(".sample li a[href^='s/']", htmlcheck.HasText("Missing high water")),
		htmlcheck.Has(".sample li a[href*='.html#']"), // links to failures
		htmlcheck.In(".sample code", htmlcheck.IsText("viewer build ~/.claude/projects -o site")))
	// The sample shows Go templates.
	findings, err := htmlcheck.Sweep(os.DirFS(out), htmlcheck.Options{TranscriptText: true})
	if err != nil || len(findings) > 0 {
		t.Errorf("got findings %v, error %v; want none", findings, err)
	}
}
