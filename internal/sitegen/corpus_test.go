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

// realSessions lists projects folders of real sessions, which lie beside the project where it is developed and nowhere
// else.
func realSessions(t *testing.T) []string {
	t.Helper()
	return withSessions(t, corpus.Share(corpus.Glob(t, realFolders...)))
}

// realFolders are the folders of real sessions that are swept.
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

// TestCorpus builds every folder of real sessions: all of it is accounted for,
// and no page has a fault that can be found by looking.
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
			checkResults(t, out, Options{Sources: []string{source}, Version: "test"})
		})
	}
}

func checkLedger(t *testing.T, r Report) {
	t.Helper()
	l := r.Ledger
	if !l.Balanced() {
		t.Errorf("the ledger does not add up: read %d = drawn %d + generic %d + hidden %d + lost %d, missed %d", l.Read,
			l.Drawn, l.Generics(), l.Hiddens(), l.Lost, l.Missed)
	}
}

// artificial are the kinds of the corpora that no program wrote: tests of other
// viewers invented them. Everything else has a drawing or a rule.
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

// checkGeneric fails for each kind that was drawn without knowing more.
func checkGeneric(t *testing.T, r Report) {
	t.Helper()
	for kind, n := range r.Ledger.Generic {
		name := strings.TrimSpace(kind)
		if at := strings.LastIndex(name, ", "); artificial[name] == "" && at > 0 {
			name = name[:at] // of the version
		}
		if artificial[name] == "" {
			t.Errorf("%d of kind %q drawn without knowing more: give it a description or a drawing, and a case", n, kind)
		}
	}
}

// TestCorpusStreams builds the execution files of CI runs, which are JSON
// arrays: the same ledger, the same pages.
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

// checkPageSizes holds every page under 600 KB of HTML.
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
			t.Errorf("%s has %d KB", path, info.Size()>>10)
		}
		return err
	})
	if err != nil || pages == 0 {
		t.Fatalf("%d pages, %v", pages, err)
	}
}

const testdata = "../../testdata/projects"

// TestTestdata does the same for our own sessions, whose text is known to hold
// nothing that looks like a fault, but for the template actions of the hostile
// one: html/template would not leave any of ours behind.
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
	checkResults(t, out, Options{Sources: []string{testdata}, Version: "test"})
}
