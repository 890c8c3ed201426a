package e2e

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestFilesFound goes from a search for a path to the file, and from there to the session that changed it.
func TestFilesFound(t *testing.T) {
	t.Parallel()
	tb := openTab(t, builtSite(t), withScript)
	tb.view(t, 1280, "light")
	tb.load(t, "index.html")
	tb.press(t, "/")
	asking(t, tb, "path:go ")
	const files = `[...document.querySelectorAll(".finder .files a")].map((el) => el.querySelector(".snip").firstChild.data)`
	found := eval[[]string](t, tb, files)
	if len(found) == 0 || !strings.HasSuffix(found[0], ".go") {
		t.Fatalf("a search for path:go offers the files %q", found)
	}
	asking(t, tb, "-path:go prompt")
	if other := eval[[]string](t, tb, files); len(other) > 0 {
		t.Errorf("a search without a path offers %q", other)
	}
	asking(t, tb, "path:go ")
	eval[chromedp.Void](t, tb, `document.querySelector(".finder .files a").click()`)
	tb.await(t, `document.querySelector(".page-files details[open]:target")`, "the file, opened")
	got := eval[string](t, tb, `document.querySelector(":target summary b").textContent`)
	if !strings.HasSuffix(found[0], got) {
		t.Errorf("the link to %s leads to %s", found[0], got)
	}
	const ends = `[...new Set([...document.querySelectorAll(".touched summary > .n:has(+ time)")].map((el) => Math.round(el.getBoundingClientRect().right)))]`
	if columns := eval[[]int](t, tb, ends); len(columns) != 1 {
		t.Errorf("the numbers of sessions end at %d px, want a column", columns)
	}
	eval[chromedp.Void](t, tb, `document.querySelector(":target small a").click()`)
	tb.await(t, `document.querySelector(".page-session :target")`, "the change, on the page of its session")
}
