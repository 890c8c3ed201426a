package e2e

import (
	"testing"

	"github.com/chromedp/chromedp"
)

// TestInsightsSearch follows the number of failed calls of a tool. The search on the same page must show as many calls,
// and each of them must link to its place. Without JavaScript the number is not a link.
func TestInsightsSearch(t *testing.T) {
	t.Parallel()
	root := builtSite(t)
	tb := openTab(t, root, withScript)
	tb.view(t, 1280, "light")
	tb.load(t, "insights.html")
	const number = `document.querySelector('#tools td:nth-child(3) a[href^="#search="]')`
	if !eval[bool](t, tb, number+` !== null`) {
		t.Fatal("no number of failed calls links to a search")
	}
	want := eval[int](t, tb, `Number(`+number+`.textContent)`)
	eval[bool](t, tb, `(() => { `+number+`.closest("details").open = true; `+number+`.click(); return true; })()`)
	tb.await(t, `document.querySelector(".finder")?.dataset.asked?.includes("is:error")`, "an answer to the search")
	// Buttons show more sessions, and more hits of each.
	tb.await(t, `(() => {
		const more = document.querySelector(".finder .results button");
		more?.click();
		return !more;
	})()`, "all results")
	if got := eval[int](t, tb, `document.querySelectorAll(".finder .results .group a.hit").length`); got != want {
		t.Errorf("the search shows %d calls, want %d as on the page", got, want)
	}
	report(t, "insights.html", tb.takeFindings())

	plain := openTab(t, root, withoutScript)
	plain.view(t, 1280, "light")
	plain.load(t, "insights.html")
	if got := eval[string](t, plain, `getComputedStyle(`+number+`).pointerEvents`); got != "none" {
		t.Errorf("without JavaScript the number can be followed: pointer-events %s", got)
	}
	const total = `document.querySelector('.tot a[href^="#search"]')`
	if got := eval[string](t, plain, `getComputedStyle(`+total+`).pointerEvents`); got != "none" {
		t.Errorf("without JavaScript the total can be followed: pointer-events %s", got)
	}
}

// TestFiguresOnPhones: tables of figures fit into the window of a phone, no word in their columns is cut, and fingers
// can tell their links from each other.
func TestFiguresOnPhones(t *testing.T) {
	t.Parallel()
	root := builtSite(t)
	tb := openTab(t, root, withScript)
	pages := []string{"insights.html", "index.html", "p/ovenbell/insights.html", "p/ovenbell/index.html"}
	for _, width := range []int64{390, 320} {
		tb.view(t, width, "light")
		for _, page := range pages {
			tb.load(t, page)
			eval[chromedp.Void](t, tb, openAll)
			const wide = `[...document.querySelectorAll(".table:has(>table.figures), .bars :is(a, li > span)")]
				.filter((el) => el.scrollWidth > el.clientWidth + 1)
				.map((el) => el.scrollWidth + " of " + el.clientWidth + " px: " + el.textContent.slice(0, 60))`
			if found := eval[[]string](t, tb, wide); len(found) > 0 {
				t.Errorf("%s at %d px: boxes of figures are too narrow: %q", page, width, found)
			}
			const high = `[...document.querySelectorAll(".insight td:has(> a + a)")]
				.filter((el) => el.checkVisibility() && el.offsetHeight > 80).length`
			if n := eval[int](t, tb, high); n > 0 {
				t.Errorf("%s at %d px: %d cells have a line for each of their links", page, width, n)
			}
			const close = `[...document.querySelectorAll(".insight td > a + a")].filter((el) => {
				const own = el.getBoundingClientRect(), before = el.previousElementSibling.getBoundingClientRect();
				const middle = (box) => [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
				const [x, y] = middle(own), [left, top] = middle(before);
				return Math.hypot(x - left, y - top) < 24;
			}).length`
			if n := eval[int](t, tb, close); n > 0 {
				t.Errorf("%s at %d px: %d links are less than 24 px from the one before", page, width, n)
			}
		}
	}
}

// TestFiguresBesideOutline: the table that is not folded fits into its box where the window is barely wide enough for
// the outline, or for two boxes.
func TestFiguresBesideOutline(t *testing.T) {
	t.Parallel()
	tb := openTab(t, builtSite(t), withScript)
	for _, width := range []int64{870, 1060} {
		tb.view(t, width, "light")
		tb.load(t, "insights.html")
		if n := eval[int](t, tb, `(({scrollWidth: n, clientWidth: of}) => n - of)(document.querySelector("#trends .table"))`); n > 0 {
			t.Errorf("at %d px the table is %d px wider than its box", width, n)
		}
	}
}
