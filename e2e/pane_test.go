package e2e

import (
	"fmt"
	"math"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// inPane returns the state and contents of the pane.
const inPane = `(() => {
	const pane = document.querySelector(".pane"), at = document.querySelector("[data-selected]");
	const tools = [...document.querySelectorAll("main .turn .tool[id]")], text = (el) => el?.textContent;
	if (!pane?.checkVisibility()) return "closed";
	if (text(at.querySelector(".nm")) !== text(pane.querySelector(".nm")) || text(at.querySelector(".body")) !== text(pane.querySelector(".body")))
		return "the pane shows another call than the selected one";
	const said = text(pane.querySelector("output")), want = (tools.indexOf(at) + 1) + " of " + tools.length;
	if (said !== want) return "the pane says " + said + ", want " + want;
	const ids = [...document.querySelectorAll("[id]")].map((el) => el.id);
	return new Set(ids).size === ids.length ? at.id : "an id is there twice";
})()`

// TestPane selects calls on a wide screen: by a click, by keys and by the buttons in the pane. The text stays in place,
// and on a narrower screen rows open below as before.
func TestPane(t *testing.T) {
	t.Parallel()
	tb, page := openLong(t, "index.html")
	tb.view(t, 1920, "light")
	ids := eval[[]string](t, tb, `[...document.querySelectorAll("main .turn .tool[id]")].map((el) => el.id)`)
	is := func(how, want string) {
		t.Helper()
		if got := eval[string](t, tb, inPane); got != want {
			t.Errorf("after %s: got %s, want %s", how, got, want)
		}
	}
	is("loading", "closed")
	at := eval[int](t, tb, scrollToReadingPosition+`(0.4) && [...document.querySelectorAll("main .turn .tool[id]")].findIndex((el) =>
		el.checkVisibility() && el.matches("details:not([open])") && el.getBoundingClientRect().top > 80)`)
	row := func(i int) string { return fmt.Sprintf(`main [id=%q] > .row`, ids[i]) }
	eval[bool](t, tb, fmt.Sprintf(`(() => {
		scrollBy(0, document.querySelector(%q).getBoundingClientRect().top - 270);
		return true;
	})()`, row(at)))
	height := func() float64 {
		return eval[float64](t, tb, fmt.Sprintf(`document.querySelector(%q).getBoundingClientRect().top`, row(at)))
	}
	was := height()
	tb.clickVisible(t, row(at))
	is("a click on a row", ids[at])
	if got := height(); math.Abs(got-was) > 2 {
		t.Errorf("opening the pane moves the row by %.1f px", got-was)
	}
	if eval[bool](t, tb, fmt.Sprintf(`document.getElementById(%q).open`, ids[at])) {
		t.Error("the <details> of the row is open too")
	}
	tb.await(t, `/^\d\d:\d\d:\d\d/.test(document.querySelector(".pane .fields dt")?.textContent === "time" &&
		document.querySelector(".pane .fields time").textContent)`, "the time of the call")
	tb.press(t, "n")
	is("n", ids[at+1])
	report(t, page, eval[[]string](t, tb, inSight))
	tb.press(t, "p")
	is("p", ids[at])
	tb.clickVisible(t, ".pane .down")
	is("the button", ids[at+1])
	tb.clickVisible(t, ".pane .down")
	is("the button again", ids[at+2])
	tb.clickVisible(t, ".pane .up")
	is("the other button", ids[at+1])
	for _, scheme := range schemes {
		tb.view(t, 1600, scheme)
		if wide := eval[[]string](t, tb, overflowing); len(wide) > 0 {
			t.Errorf("with the pane the page overflows: %v", wide)
		}
	}
	tb.press(t, "1")
	is("another level", ids[at+1])
	tb.press(t, "3")
	tb.press(t, kb.Escape)
	is("Escape", "closed")

	tb.press(t, "f")
	is("f without a pane", "closed")
	tb.clickVisible(t, `main .tool > .row:focus`)
	is("a click on what failed", eval[string](t, tb, focusedFailure))
	if found := inaccessible(t, tb); len(found) > 0 {
		t.Errorf("with the pane: got findings %v", found)
	}
	tb.view(t, 870, "light")
	tb.await(t, inPane+` === "closed"`, "the pane to close on a narrower screen")
	if wide := eval[[]string](t, tb, overflowing); len(wide) > 0 {
		t.Errorf("on a screen just wide enough for the outline the page overflows: %v", wide)
	}
	report(t, page, tb.takeFindings())
}
