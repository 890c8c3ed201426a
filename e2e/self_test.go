package e2e

import (
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestGoodPage: the checks find nothing on a handwritten page that follows every rule.
func TestGoodPage(t *testing.T) {
	t.Parallel()
	root := testSite(t, "good")
	for _, m := range modes {
		t.Run(m.name, func(t *testing.T) {
			const page = "index.html"
			tb := openTab(t, root, m)
			tb.load(t, page)
			report(t, page, checkFolding(t, tb))
			report(t, page, checkLevels(t, tb))
			report(t, page, checkLevelKeys(t, tb))
			report(t, page, checkLooks(t, tb))
			report(t, page, tb.takeFindings())
		})
	}
}

func TestGoodDeepLinks(t *testing.T) {
	t.Parallel()
	root := testSite(t, "good")
	tb := openTab(t, root, withScript)
	tb.load(t, "index.html")
	ids := foldedIDs(t, tb)
	if want := []string{"t2", "t3"}; !slices.Equal(ids, want) {
		t.Fatalf("ids inside closed folds are %q, want %q", ids, want)
	}
	for _, id := range ids {
		tb := openTab(t, root, withScript)
		tb.load(t, "index.html#"+id)
		report(t, "index.html", checkDeepLink(t, tb, id))
		report(t, "index.html", tb.takeFindings())
	}
}

// TestBadPage: each check finds the faults of a page that breaks every rule.
func TestBadPage(t *testing.T) {
	t.Parallel()
	root := testSite(t, "bad")
	tb := openTab(t, root, withScript)
	tb.load(t, "index.html#t3")
	missing := "loading failed: net::ERR_FILE_NOT_FOUND"
	if inFirefox(t) {
		missing = "loading failed: " + tb.url("none.png")
	}
	wants(t, "the tab", tb.takeFindings(),
		"console message (log): hello",
		"exception: Uncaught Error: thrown on purpose",
		"policy violation: style-src-attr",
		"policy violation: script-src-elem",
		"policy violation: img-src https://example.com/1.png",
		missing,
	)
	wants(t, "checkDeepLink", checkDeepLink(t, tb, "t3"), "#t3 is inside 2 closed <details>", "#t3 is not visible")
	wants(t, "checkFolding", checkFolding(t, tb),
		"after a click on its summary a fold is closed, body hidden, want open, body visible")
	wants(t, "checkLevels", checkLevels(t, tb),
		"at level-prompts 1 of 1 .at-chat are visible",
		"at level-prompts 1 of 1 .prompt are hidden",
		"at level-tools 1 of 1 .at-everything are visible",
		"at level-everything 1 of 1 .at-chat are hidden",
	)
	wants(t, "checkLooks", checkLooks(t, tb),
		"as it comes, the page overflows at 305 px: 9",
		"div.wide",
		"lightness of the background is 1.00 in light and 1.00 in dark",
	)
}

// TestRequestsOutside: a request outside of the site is found, even if no policy forbids it.
func TestRequestsOutside(t *testing.T) {
	t.Parallel()
	tb := openTab(t, filepath.Join(testSite(t, "good"), "assets"), withoutScript)
	tb.load(t, "../index.html")
	wants(t, "the tab", tb.takeFindings(), "request outside of the site: file:")
}

func TestFindChromium(t *testing.T) {
	path, err := findChromium()
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(path, "--version").Output()
	if err != nil {
		t.Fatalf("%s --version: %v", path, err)
	}
	t.Logf("%s", out)
}

func TestChromiumMissing(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	_, err := findChromium()
	if err == nil || !strings.Contains(err.Error(), "apt-get install chromium") {
		t.Errorf("without Chromium: got error %v, want one that says how to install it", err)
	}
}

func testSite(t testing.TB, name string) string {
	t.Helper()
	root, err := filepath.Abs(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return root
}

func wants(t *testing.T, who string, got []string, wants ...string) {
	t.Helper()
	for _, want := range wants {
		if !slices.ContainsFunc(got, func(f string) bool { return strings.Contains(f, want) }) {
			t.Errorf("%s found\n\t%s\nwant a finding with\n\t%s", who, strings.Join(got, "\n\t"), want)
		}
	}
}

// TestFilesCannotReadOthers: the Firefox of the tests is as strict as that of a reader: no file may read another.
func TestFilesCannotReadOthers(t *testing.T) {
	t.Parallel()
	tb := openTab(t, testSite(t, "good"), withScript)
	tb.load(t, "index.html")
	got := evalPromise[string](t, tb, `fetch("../bad/index.html").then(() => "read", () => "refused")`)
	if got != "refused" {
		t.Errorf("fetching another file from a file on disk: got %s, want refused", got)
	}
}

func TestFirefoxMissing(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	_, err := findFirefox()
	if err == nil || !strings.Contains(err.Error(), "apt-get install firefox-esr") {
		t.Errorf("without Firefox: got error %v, want one that says how to install it", err)
	}
}
