package e2e

import (
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestSitePages opens every page: no console messages, no violations of the policy, no requests to elsewhere, and no
// overflow.
func TestSitePages(t *testing.T) {
	t.Parallel()
	root := builtSite(t)
	for _, m := range modesOf(t) {
		t.Run(m.name, func(t *testing.T) {
			tb := openTab(t, root, m)
			for _, page := range pagesOf(t, root) {
				tb.load(t, page)
				report(t, page, checkLooks(t, tb))
				report(t, page, tb.takeFindings())
				// The next page must not find stored settings.
				eval[chromedp.Void](t, tb, forget)
			}
		})
	}
}

// TestSiteLevels clicks through the levels of the largest session pages.
func TestSiteLevels(t *testing.T) {
	t.Parallel()
	root := builtSite(t)
	for _, m := range modesOf(t) {
		t.Run(m.name, func(t *testing.T) {
			tb := openTab(t, root, m)
			tb.view(t, 1280, "light")
			for _, page := range sessionPages(t, root, 3) {
				tb.load(t, page)
				report(t, page, checkLevels(t, tb))
				report(t, page, checkLevelKeys(t, tb))
				report(t, page, tb.takeFindings())
				eval[chromedp.Void](t, tb, forget)
			}
		})
	}
}

// TestSiteRemembersLevel loads a page again: the level is the one that the reader chose.
func TestSiteRemembersLevel(t *testing.T) {
	t.Parallel()
	root := builtSite(t)
	page := sessionPages(t, root, 1)[0]
	tb := openTab(t, root, withScript)
	tb.view(t, 1280, "light")
	tb.load(t, page)
	tb.click(t, "label[for=level-chat]")
	tb.load(t, page)
	report(t, page, shownAt(t, tb, "level-chat"))
	report(t, page, tb.takeFindings())
}

// TestSiteFolding opens and closes a fold.
func TestSiteFolding(t *testing.T) {
	t.Parallel()
	root := builtSite(t)
	for _, m := range modes {
		t.Run(m.name, func(t *testing.T) {
			tb := openTab(t, root, m)
			for _, page := range sessionPages(t, root, 3) {
				tb.load(t, page)
				report(t, page, checkFolding(t, tb))
				report(t, page, tb.takeFindings())
				eval[chromedp.Void](t, tb, forget)
			}
		})
	}
}

// TestSiteDeepLinks opens pages at ids inside of closed <details>.
func TestSiteDeepLinks(t *testing.T) {
	t.Parallel()
	root := builtSite(t)
	links := 0
	tb := openTab(t, root, withScript)
	for _, page := range sessionPages(t, root, 3) {
		tb.load(t, page)
		for _, id := range foldedIDs(t, tb) {
			links++
			tb.reopen(t, page+"#"+id)
			report(t, page, checkDeepLink(t, tb, id))
			report(t, page, checkUnfolds(t, tb, id))
			report(t, page, tb.takeFindings())
		}
	}
	if links == 0 {
		t.Error("found no session page with an id inside of a closed <details>")
	}
}

func report(t *testing.T, page string, findings []string) {
	t.Helper()
	for _, f := range findings {
		t.Errorf("%s: %s", page, f)
	}
}

// pagesOf returns the pages of a site, and fails if there are none.
func pagesOf(t testing.TB, root string) []string {
	t.Helper()
	var pages []string
	err := fs.WalkDir(os.DirFS(root), ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && path.Ext(name) == ".html" {
			pages = append(pages, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(pages) == 0 {
		t.Fatalf("the site in %s has no pages", root)
	}
	return pages
}

// sessionPages returns the first pages of the n sessions with the largest ones.
func sessionPages(t testing.TB, root string, n int) []string {
	t.Helper()
	size := map[string]int64{}
	var pages []string
	for _, page := range pagesOf(t, root) {
		if strings.HasPrefix(page, "s/") && path.Base(page) == "index.html" {
			info, err := fs.Stat(os.DirFS(root), page)
			if err != nil {
				t.Fatal(err)
			}
			size[page] = info.Size()
			pages = append(pages, page)
		}
	}
	if len(pages) == 0 {
		t.Fatalf("the site in %s has no session pages s/*/index.html", root)
	}
	slices.SortStableFunc(pages, func(a, b string) int { return int(size[b] - size[a]) })
	return pages[:min(n, len(pages))]
}
