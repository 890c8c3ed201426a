package e2e

import (
	"fmt"
	"path"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// toLink returns the link of the element that the address names, if the element is open and in the window, or "".
const toLink = `(() => {
	const el = document.getElementById(location.hash.slice(1)), box = el?.getBoundingClientRect();
	return el && el.checkVisibility() && box.top >= 0 && box.top < innerHeight ? (el.matches("a") ? el : el.querySelector("a"))?.getAttribute("href") || "none" : "";
})()`

// TestChangeLines follows links from calls to their lines among the net changes, and back.
func TestChangeLines(t *testing.T) {
	t.Parallel()
	for _, how := range []mode{withScript, withoutScript} {
		tb := openTab(t, longSite(t), how)
		tb.view(t, 1280, "light")
		folder := longFolder(t)
		tb.load(t, path.Join(folder, "2.html"))
		links := eval[[]string](t, tb, `[...document.querySelectorAll(".left a")].map((a) => a.closest("details").id + " " + a.getAttribute("href"))`)
		if len(links) < 3 {
			t.Fatalf("%s: %d calls link to their lines, want at least 3", how.name, len(links))
		}
		lines := 0
		for _, l := range links[:3] {
			call, href, _ := strings.Cut(l, " ")
			tb.load(t, path.Join(folder, href))
			back := eval[string](t, tb, toLink)
			if back == "" {
				t.Errorf("%s: #%s links to %s, which is not visible", how.name, call, href)
			}
			if !strings.Contains(href, "#by-") { // it links to a file
				continue
			}
			lines++
			tb.load(t, path.Join(folder, back))
			if eval[string](t, tb, toLink) == "" || eval[string](t, tb, `location.hash`) != "#"+call {
				t.Errorf("%s: the lines of #%s link to %s, which is not visible", how.name, call, back)
			}
		}
		if lines == 0 {
			t.Errorf("%s: no call links to lines: %q", how.name, links)
		}
	}
}

// TestChangesPage: the lines of the margin are beside those of the code, on a phone too, and files can be opened by
// keyboard.
func TestChangesPage(t *testing.T) {
	t.Parallel()
	tb, page := openLong(t, "changes.html")
	for _, width := range []int64{1280, 390} {
		tb.view(t, width, "dark")
		const beside = `[...document.querySelectorAll(".changed[open] .by")].flatMap((box) => {
			const heights = [...box.children].filter((el) => el.checkVisibility()).map((el) => el.scrollHeight);
			return Math.max(...heights) - Math.min(...heights) > 24 ? [heights.join(" ")] : [];
		})`
		if wrong := eval[[]string](t, tb, beside); len(wrong) > 0 {
			t.Errorf("%s at %d px: columns of a diff have different heights: %q", page, width, wrong)
		}
		const wide = `document.documentElement.scrollWidth - innerWidth`
		if over := eval[int](t, tb, wide); over > 0 {
			t.Errorf("%s at %d px: the page is %d px too wide", page, width, over)
		}
	}
	tb.press(t, kb.Tab)
	eval[chromedp.Void](t, tb, `document.querySelector(".changed > summary").focus()`)
	open := eval[bool](t, tb, `document.querySelector(".changed").open`)
	tb.press(t, kb.Enter)
	tb.await(t, fmt.Sprintf(`document.querySelector(".changed").open === %t`, !open), "the file to fold")
	if findings := tb.takeFindings(); len(findings) > 0 {
		t.Errorf("%s: got findings %q, want none", page, findings)
	}
}
