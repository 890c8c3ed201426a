package e2e

import (
	"fmt"
	"strings"
	"testing"
)

// focusedFailure returns the id of the failed call whose row has the focus and is visible, or "".
const focusedFailure = `(() => {
	const el = document.activeElement, call = el?.closest(".tool:is(.err, .blocked)"), row = el?.getBoundingClientRect();
	return call && el.matches(".row") && row.top >= 46 && row.bottom <= innerHeight ? call.id : "";
})()`

// TestFailures goes from one failed call to the next by keys and by the buttons of the bar, over all pages, and at a
// level that hides calls.
func TestFailures(t *testing.T) {
	t.Parallel()
	tb, page := openLong(t, "index.html")
	ids := eval[[]string](t, tb, `[...document.querySelectorAll("main .turn .tool:is(.err, .blocked)")].map((el) => el.id)`)
	if len(ids) < 3 {
		t.Fatalf("page 1 has %d failed calls, want more to test with", len(ids))
	}
	is := func(how, want string) {
		t.Helper()
		if got := eval[string](t, tb, focusedFailure); got != want {
			t.Errorf("%s leads to the failed call %q, want %q", how, got, want)
		}
	}
	tb.press(t, "1")
	tb.press(t, "f")
	is("f", ids[0])
	tb.press(t, "f")
	is("f", ids[1])
	tb.clickVisible(t, ".stepper .down")
	is("the button", ids[2])
	if got, want := eval[string](t, tb, `document.querySelector(".stepper output").textContent`),
		fmt.Sprintf("3 of %d failed here", len(ids)); got != want {
		t.Errorf("the bar shows %q, want %q", got, want)
	}
	tb.press(t, "F")
	is("F", ids[1])
	tb.clickVisible(t, ".stepper .up")
	is("the button", ids[0])
	// The level stays raised: switching to another one keeps the place.
	tb.press(t, "3")
	is("a level", ids[0])

	tb.press(t, "f")
	tb.press(t, "f")
	is("f", ids[2])
	tb.press(t, "f")
	tb.await(t, `!location.pathname.endsWith("/index.html") && "ready" in (document.documentElement?.dataset ?? {}) && `+focusedFailure,
		"the first failed call of another page")
	if got := eval[bool](t, tb,
		`document.querySelector("main .turn .tool:is(.err, .blocked)").id === `+focusedFailure); !got {
		t.Errorf("f on page 1 leads to %s, want the first failed call of the page", eval[string](t, tb, focusedFailure))
	}
	tb.press(t, "F")
	tb.await(t, `location.pathname.endsWith("/index.html") && `+focusedFailure, "the last failed call of page 1")
	is("F on a later page", ids[len(ids)-1])
	report(t, page, tb.takeFindings())
}

// TestFailedLinks follows "1 failed" at the top of a page, in the outline, and in a row of the index to the first
// failed call.
func TestFailedLinks(t *testing.T) {
	t.Parallel()
	for _, m := range modes {
		t.Run(m.name, func(t *testing.T) {
			tb := openTab(t, longSite(t), m)
			tb.view(t, 1280, "light")
			first := longFolder(t) + "/index.html"
			for _, from := range []struct{ page, link string }{
				{first, "main .meta .bad a"},
				{first, ".out .toc li .fails"},
				{"index.html", ".srow .bad[href]"},
			} {
				tb.load(t, from.page)
				hash := eval[string](t, tb, fmt.Sprintf(`(() => {
					const link = [...document.querySelectorAll(%q)].find((a) => /^[\d,]+ (of [\d,]+ calls )?failed$/.test(a.textContent));
					link?.setAttribute("data-e2e", "");
					return link?.hash || "";
				})()`, from.link))
				if hash == "" {
					t.Errorf("%s has no %s with the number of failed calls", from.page, from.link)
					continue
				}
				tb.click(t, "[data-e2e]")
				tb.await(t, fmt.Sprintf(`location.hash === %q && document.readyState === "complete"`, hash),
					"the link of "+from.link)
				report(t, from.link, checkDeepLink(t, tb, strings.TrimPrefix(hash, "#")))
				if !eval[bool](t, tb, `document.querySelector(":target").matches(".tool:is(.err, .blocked)")`) {
					t.Errorf("%s links to an element that is not a failed call", from.link)
				}
			}
			report(t, first, tb.takeFindings())
		})
	}
}
