package sitegen

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"viewer/internal/testing/corpus"
	"viewer/internal/testing/htmlcheck"
)

// realSessions lists the projects folders of real sessions, which exist only on machines of developers.
func realSessions(t *testing.T) []string {
	t.Helper()
	return withSessions(t, corpus.Share(corpus.Glob(t, realFolders...)))
}

// realFolders are the folders of real sessions that tests build.
var realFolders = []string{"dev/*", "large/*", "excerpts-2.1.270/projects", "synthetic/*", "sdk/*"}

func withSessions(t *testing.T, paths []string) []string {
	t.Helper()
	return slices.DeleteFunc(paths, func(path string) bool {
		info, err := os.Stat(path)
		return err != nil || !info.IsDir() || !hasSessions(t, path)
	})
}

func hasSessions(t *testing.T, dir string) bool {
	t.Helper()
	has, err := HasSessions(dir)
	if err != nil {
		t.Fatal(err)
	}
	return has
}

func buildInto(t *testing.T, dir string, sources ...string) Report {
	t.Helper()
	report, err := Build(context.Background(), Options{Sources: sources, Out: dir, Version: "test"})
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// TestCorpus builds every folder of real sessions. The ledger must balance, and no page may have a finding.
func TestCorpus(t *testing.T) {
	for _, source := range realSessions(t) {
		t.Run(filepath.Base(source), func(t *testing.T) {
			out := t.TempDir()
			report := buildInto(t, out, source)
			checkLedger(t, report)
			checkGeneric(t, report)
			findings, err := htmlcheck.Sweep(os.DirFS(out), htmlcheck.Options{TranscriptText: true})
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range findings {
				t.Error(f)
			}
			checkPageSizes(t, out)
			checkCase(t, out)
			checkResults(t, out, Options{Sources: []string{source}, Version: "test"})
		})
	}
}

func checkLedger(t *testing.T, r Report) {
	t.Helper()
	l := r.Ledger
	if !l.Balanced() {
		t.Errorf("the ledger is not balanced: read %d = drawn %d + generic %d + hidden %d + lost %d, missed %d", l.Read,
			l.Drawn, l.Generics(), l.Hiddens(), l.Lost, l.Missed)
	}
}

// artificial are the kinds in the corpora that no program wrote: they come from tests of other viewers. All other kinds
// are drawn by their own template or hidden by a rule.
var artificial = map[string]string{
	"record":                               "lines of a demo that hold no type",
	"record session-id":                    "a first line that only a test has",
	"record tool":                          "a type of a test for all message types",
	"tool DataAnalyzer":                    "a tool of a made-up server",
	"tool FailingTool":                     "a tool that a test lets fail",
	"tool FileReader":                      "a tool of a made-up server",
	"tool SchemaValidator":                 "a tool of a made-up server",
	"tool TodoWrite, input not understood": "a test gives it a text for its list",
	"tool ble_discover":                    "tools of a demo without the name of their server",
	"tool ble_scan_get_results":            "the same",
}

// checkGeneric fails for each kind that only has a generic drawing.
func checkGeneric(t *testing.T, r Report) {
	t.Helper()
	for kind, n := range r.Ledger.Generic {
		name := strings.TrimSpace(kind)
		if at := strings.LastIndex(name, ", "); artificial[name] == "" && at > 0 {
			name = name[:at] // cut off the version
		}
		if artificial[name] == "" {
			t.Errorf("%d of kind %q has only a generic drawing: give it a description or a drawing, and a case",
				n, kind)
		}
	}
}

// TestCorpusStreams builds the execution files of CI runs, which are JSON arrays, with the same checks.
func TestCorpusStreams(t *testing.T) {
	for _, source := range corpus.Glob(t, "sdk/*/*.json") {
		t.Run(filepath.Base(source), func(t *testing.T) {
			report := buildInto(t, t.TempDir(), source)
			checkLedger(t, report)
			checkGeneric(t, report)
			if report.Ledger.Read == 0 || report.Ledger.Lost > 0 {
				t.Errorf("%d records read and %d lost, want some and none", report.Ledger.Read, report.Ledger.Lost)
			}
		})
	}
}

// checkPageSizes checks that every page has at most 600 KB of HTML.
func checkPageSizes(t *testing.T, dir string) {
	t.Helper()
	pages := 0
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".html" {
			return err
		}
		pages++
		info, err := d.Info()
		if err == nil && info.Size() > 600<<10 {
			t.Errorf("%s has %d KB, want at most 600", path, info.Size()>>10)
		}
		return err
	})
	if err != nil || pages == 0 {
		t.Fatalf("got %d pages, error %v; want some", pages, err)
	}
}

const testdata = "../../testdata/projects"

// TestTestdata makes the same checks for the sessions of testdata. Their texts do not look like faults, except for the
// template actions in the hostile one, which html/template would never leave unexecuted.
func TestTestdata(t *testing.T) {
	out := t.TempDir()
	checkLedger(t, buildInto(t, out, testdata))
	findings, err := htmlcheck.Sweep(os.DirFS(out), htmlcheck.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range findings {
		if !strings.Contains(f, "a template action was not executed") {
			t.Error(f)
		}
	}
	checkPageSizes(t, out)
	checkCase(t, out)
	checkResults(t, out, Options{Sources: []string{testdata}, Version: "test"})
}
