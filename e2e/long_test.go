package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestLongDeepLinks opens page 3 of a long session at ids inside of closed <details>.
func TestLongDeepLinks(t *testing.T) {
	t.Parallel()
	for _, m := range modes {
		t.Run(m.name, func(t *testing.T) {
			page := longFolder(t) + "/3.html"
			tb := openTab(t, longSite(t), m)
			tb.view(t, 1280, "light")
			tb.load(t, page)
			ids := eval[[]string](t, tb, `[...document.querySelectorAll("main details:not([open]) .tool[id]")].filter((el) => !el.checkVisibility()).map((el) => el.id)`)
			if len(ids) < 3 {
				t.Fatalf("page 3 has %d calls inside of closed <details>, want more", len(ids))
			}
			for _, id := range []string{ids[0], ids[len(ids)/2], ids[len(ids)-1]} {
				tb.reopen(t, page+"#"+id)
				report(t, page, checkDeepLink(t, tb, id))
				if m.script {
					report(t, page, checkUnfolds(t, tb, id))
				}
				report(t, page, tb.takeFindings())
			}
		})
	}
}

// TestLongOutline goes from the outline of the first page to a prompt on page 3, and back by the links between pages.
func TestLongOutline(t *testing.T) {
	t.Parallel()
	for _, m := range modes {
		t.Run(m.name, func(t *testing.T) {
			tb := openTab(t, longSite(t), m)
			tb.view(t, 1280, "light")
			tb.load(t, longFolder(t)+"/index.html")
			hash := eval[string](t, tb, `(() => { const a = document.querySelector(".toc a[href^='3.html#']"); a.setAttribute("data-e2e", ""); return a.hash })()`)
			tb.click(t, "[data-e2e]")
			tb.await(t, `location.pathname.endsWith("/3.html") && document.readyState === "complete"`, "page 3")
			report(t, "3.html", checkDeepLink(t, tb, strings.TrimPrefix(hash, "#")))
			for _, want := range []string{"2.html", "index.html"} {
				tb.click(t, "a[rel=prev]")
				tb.await(t,
					fmt.Sprintf(`location.pathname.endsWith("/%s") && document.readyState === "complete"`, want), want)
			}
			report(t, "index.html", tb.takeFindings())
		})
	}
}

// TestLongLooks checks the pages of a long session for overflow, with everything open and with the search.
func TestLongLooks(t *testing.T) {
	t.Parallel()
	tb := openTab(t, longSite(t), withScript)
	for _, page := range longPages(t) {
		name := longFolder(t) + "/" + page
		tb.view(t, 1280, "light")
		tb.load(t, name)
		report(t, name, checkLooks(t, tb))
		tb.press(t, "/")
		tb.press(t, "the")
		for _, width := range widths {
			tb.view(t, width, "light")
			if wide := eval[[]string](t, tb, overflowing); len(wide) > 0 {
				t.Errorf("%s: with the search the page overflows at %d px: %s", name, width, strings.Join(wide, ", "))
			}
		}
		eval[chromedp.Void](t, tb, forget)
		report(t, name, tb.takeFindings())
	}
}
