package sitegen

import (
	"context"
	"os"
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
		t.Errorf("%d sessions, problems %v, unknown kinds %v: the sample must be clean", report.Sessions,
			report.Problems, report.Ledger.Generic)
	}
	checkLedger(t, report)
	findings, err := htmlcheck.Sweep(os.DirFS(out), htmlcheck.Options{TranscriptText: true}) // it shows Go templates
	if err != nil || len(findings) > 0 {
		t.Errorf("%v %v", findings, err)
	}
}
