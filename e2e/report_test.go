package e2e

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/chromedp"
)

// singleFiles returns a folder with a single file of each of some sessions, and their names. The second has pictures,
// the fourth is hostile, and the last is of all sessions, some of which share records.
func singleFiles(t testing.TB) (dir string, names []string) {
	t.Helper()
	for _, id := range append(slices.Clone(single), "all") {
		names = append(names, id+".html")
	}
	return mustBuild(t, buildSingleFiles), names
}

var single = []string{"46e0b7d9", "d3905c7e", "17c3e8a4", "f1e0d2c3"}

var buildSingleFiles = sync.OnceValues(func() (string, error) {
	dir := filepath.Join(work, "single")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	const sessions = "testdata/projects"
	for _, id := range single {
		err := runViewer("export", id, "--source", sessions, "-o", filepath.Join(dir, id+".html"))
		if err != nil {
			return "", err
		}
	}
	return dir, runViewer("report", sessions, "-o", filepath.Join(dir, "all.html"), "--summary", "")
})

// withoutPictures drops findings about embedded pictures, which the browser reports as requests.
func withoutPictures(findings []string) []string {
	return slices.DeleteFunc(findings, func(f string) bool {
		return strings.HasPrefix(f, "request outside of the site: data:image/")
	})
}

// TestSingleFile opens the files from disk: style and script match the page's own policy, the pictures are shown, and
// everything works as on the pages of a site.
func TestSingleFile(t *testing.T) {
	t.Parallel()
	dir, names := singleFiles(t)
	for _, m := range modesOf(t) {
		t.Run(m.name, func(t *testing.T) {
			tb := openTab(t, dir, m)
			for i, page := range names {
				tb.load(t, page)
				report(t, page, checkFolding(t, tb))
				if i == 0 || page == names[len(names)-1] { // a session, and the list of all: others look the same
					report(t, page, checkLooks(t, tb))
				}
				report(t, page, brokenPictures(t, tb))
				tb.view(t, 1280, "light")
				report(t, page, checkLevels(t, tb))
				report(t, page, withoutPictures(tb.takeFindings()))
				eval[chromedp.Void](t, tb, forget)
			}
		})
	}
}

// TestSingleFileDeepLinks opens the targets of links into a file.
func TestSingleFileDeepLinks(t *testing.T) {
	t.Parallel()
	dir, names := singleFiles(t)
	page := names[0]
	tb := openTab(t, dir, withScript)
	tb.load(t, page)
	ids := foldedIDs(t, tb)
	if len(ids) == 0 {
		t.Fatal("found no ids inside of closed <details>")
	}
	for _, id := range ids[:min(len(ids), 5)] {
		tb.reopen(t, page+"#"+id)
		report(t, page, checkDeepLink(t, tb, id))
		report(t, page, checkUnfolds(t, tb, id))
	}
}

// brokenPictures returns the pictures that are not shown.
func brokenPictures(t testing.TB, tb *tab) []string {
	t.Helper()
	eval[chromedp.Void](t, tb, `document.querySelectorAll("details").forEach((d) => { d.open = true })`)
	eval[chromedp.Void](t, tb, `document.querySelectorAll("img").forEach((i) => { i.loading = "eager" })`)
	tb.await(t, `[...document.images].every((i) => i.complete)`, "the pictures")
	return eval[[]string](t, tb, `[...document.images].filter((i) => !i.naturalWidth).map((i) => "a picture is not shown: " + i.alt)`)
}

// jenkins is the policy with which Jenkins publishes HTML: no script, nothing inline, no data URLs.
const jenkins = "sandbox allow-same-origin; default-src 'none'; img-src 'self'; style-src 'self';"

// serveAs serves a folder with a policy.
func serveAs(t testing.TB, dir, policy string) string {
	t.Helper()
	files := http.FileServer(http.Dir(dir))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy", policy)
		files.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// TestJenkinsSite publishes a site like Jenkins: style sheet and pictures are files of the same host, so it looks
// normal. Only what the script adds is missing.
func TestJenkinsSite(t *testing.T) {
	t.Parallel()
	root := builtSite(t)
	address := serveAs(t, root, jenkins)
	tb := openTab(t, root, withoutScript)
	for _, page := range append(sessionPages(t, root, 3), "index.html") {
		tb.open(t, address+"/"+page)
		if n := eval[int](t, tb, `document.styleSheets.length`); n != 1 {
			t.Errorf("%s: %d style sheets, want 1", page, n)
		}
		report(t, page, checkLooks(t, tb))
		report(t, page, brokenPictures(t, tb))
		for _, f := range tb.takeFindings() {
			if strings.HasPrefix(f, "policy violation: ") && !strings.HasPrefix(f, "policy violation: script-src") {
				t.Errorf("%s: %s", page, f)
			}
		}
	}
}

// TestJenkinsSingleFile publishes a single file like Jenkins. Its style is refused. The text remains, in order, with
// <details> that open, and icons of the size of a letter.
func TestJenkinsSingleFile(t *testing.T) {
	t.Parallel()
	dir, names := singleFiles(t)
	address := serveAs(t, dir, jenkins)
	page := names[0]
	tb := openTab(t, dir, withoutScript)
	tb.open(t, address+"/"+page)
	text := eval[string](t, tb, `document.body.innerText`)
	for _, want := range []string{
		"Ten years of frames lie in", "The plan so far:", "Two patterns cover all but 88 files",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%s: %q is not visible", page, want)
		}
	}
	large := eval[[]string](t, tb, `[...document.querySelectorAll("svg:has(> use)")].map((s) => s.getBoundingClientRect())
		.filter((r) => r.width > 20 || r.height > 20).map((r) => r.width + " x " + r.height)`)
	if len(large) > 0 {
		t.Errorf("%s: icons are large: %q", page, large)
	}
	report(t, page, checkFolding(t, tb))
	wants(t, "the tab", tb.takeFindings(), "policy violation: style-src-elem")
}

// TestSingleFileAccessible checks the files with axe-core.
func TestSingleFileAccessible(t *testing.T) {
	t.Parallel()
	dir, names := singleFiles(t)
	tb := openTab(t, dir, withScript)
	tb.view(t, 1280, "light")
	for _, page := range names {
		tb.load(t, page)
		report(t, page, inaccessible(t, tb))
	}
}
