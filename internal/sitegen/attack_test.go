package sitegen

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"viewer/internal/testing/attacks"
	"viewer/internal/testing/corpus"
	"viewer/internal/testing/htmlcheck"
)

// writeAttacks writes the sessions of package attacks into a folder: each text in some places, or in all with
// VIEWER_TORTURE.
func writeAttacks(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	files, err := attacks.Folder(attacks.Options{Full: os.Getenv("VIEWER_TORTURE") != ""})
	if err != nil {
		t.Fatal(err)
	}
	unnamed := 0
	for f := range files {
		if runtime.GOOS == "windows" && !onWindows(f.Path) {
			unnamed++
			continue
		}
		name := filepath.Join(dir, filepath.FromSlash(f.Path))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if unnamed > 0 {
		t.Logf("%d files have names that are invalid on this system", unnamed)
	}
	return dir
}

// onWindows reports whether a path is valid on Windows.
func onWindows(path string) bool {
	for part := range strings.SplitSeq(path, "/") {
		forbidden := func(r rune) bool { return r < ' ' || strings.ContainsRune(`<>:"|?*\`, r) }
		if strings.ContainsFunc(part, forbidden) || strings.HasSuffix(part, ".") || strings.HasSuffix(part, " ") {
			return false
		}
	}
	return true
}

// TestAttacksTorture builds a site of sessions that try to inject markup. The ledger must balance, and pages may only
// contain what our templates write.
func TestAttacksTorture(t *testing.T) {
	corpus.Long(t)
	if testing.Short() {
		t.Skip("takes some seconds, many with the race detector")
	}
	source, out := writeAttacks(t), t.TempDir()
	report := buildInto(t, out, source)
	checkLedger(t, report)
	findings, err := htmlcheck.Sweep(os.DirFS(out), htmlcheck.Options{TranscriptText: true, AnyText: true,
		ForeignMarkup: true})
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range findings {
		if i == 40 {
			t.Fatalf("and %d more", len(findings)-i)
		}
		t.Error(f)
	}
	pages := 0
	err = filepath.WalkDir(out, func(path string, d os.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".html") {
			pages++
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	cases, err := attacks.Cases()
	if err != nil {
		t.Fatal(err)
	}
	places, err := attacks.Places()
	if err != nil {
		t.Fatal(err)
	}
	if report.Ledger.Lost > 0 {
		t.Errorf("%d records cannot be read, want none: their texts are not tested", report.Ledger.Lost)
	}
	t.Logf("%d texts, %d places: %d sessions, %d records, of which %d cannot be read, %d pages, %d violations",
		len(cases), len(places), report.Sessions, report.Ledger.Read, report.Ledger.Lost, pages, len(findings))
}
