package e2e

import (
	"fmt"
	"math"
	"testing"

	"github.com/chromedp/chromedp"
)

// tap touches a visible element.
func (tb *tab) tap(t testing.TB, selector string) {
	t.Helper()
	at := eval[[]float64](t, tb, fmt.Sprintf(`(() => {
		const box = [...document.querySelectorAll(%q)].find((el) => el.checkVisibility())?.getBoundingClientRect();
		return box && box.top >= 0 && box.bottom <= innerHeight ? [box.x + box.width / 2, box.y + Math.min(20, box.height / 2)] : [];
	})()`, selector))
	if len(at) == 0 {
		t.Fatalf("found no visible %s to touch", selector)
	}
	if err := tb.touchAt(at[0], at[1]); err != nil {
		t.Fatalf("touching %s: %v", selector, err)
	}
}

// TestTouch uses a page by touch alone, from its middle: the bar at the bottom has the functions of keys.
func TestTouch(t *testing.T) {
	t.Parallel()
	tb := openTab(t, longSite(t), withScript)
	if err := tb.resize(390, 844, true); err != nil {
		t.Fatal(err)
	}
	page := longFolder(t) + "/index.html"
	tb.load(t, page)
	if err := tb.resize(320, 640, true); err != nil {
		t.Fatal(err)
	}
	if out := eval[[]string](t, tb, `[...document.querySelectorAll(".pair button")].filter((el) => {
		const own = el.getBoundingClientRect(), pair = el.parentElement.getBoundingClientRect();
		return own.left < pair.left || own.right > pair.right;
	}).map((el) => el.dataset.act)`); len(out) > 0 {
		t.Errorf("in 320 px buttons of the bar at the bottom are outside of their frames: %v", out)
	}
	if err := tb.resize(390, 844, true); err != nil {
		t.Fatal(err)
	}
	eval[chromedp.Void](t, tb, keepCopies)
	id := eval[string](t, tb, scrollToReadingPosition+"(0.5)")
	height := func() float64 {
		return eval[float64](t, tb, fmt.Sprintf(`document.getElementById(%q).getBoundingClientRect().top`, id))
	}
	was := height()

	if small := eval[[]string](t, tb, `[...document.querySelectorAll(".foot-bar button")].filter((el) => {
		const box = el.getBoundingClientRect();
		return !el.ariaLabel || !el.checkVisibility() || box.width < 24 || box.height < 24 || box.left < 0 || box.right > innerWidth || box.bottom > innerHeight;
	}).map((el) => el.dataset.act)`); len(small) > 0 {
		t.Errorf("buttons of the bar at the bottom are missing, too small, or have no name: %v", small)
	}

	if found := inaccessible(t, tb); len(found) > 0 {
		t.Errorf("with the bar at the bottom: got findings %v", found)
	}
	tb.tap(t, ".foot-bar [data-act=outline]")
	if got := height(); math.Abs(got-was) > 0.5 {
		t.Errorf("opening the outline moves the page by %.1f px", got-was)
	}
	if !eval[bool](t, tb, `(() => {
		const box = document.querySelector(".out [aria-current]").getBoundingClientRect();
		return box.top >= 0 && box.bottom <= innerHeight - 48 && document.querySelector("[data-act=outline]").ariaExpanded === "true";
	})()`) {
		t.Error("the outline does not show the current prompt")
	}
	tb.tap(t, ".out [aria-current]")
	tb.await(t, `!document.querySelector(".out.sheet")`, "the outline to close behind the link")

	tb.tap(t, ".foot-bar [data-act=j]")
	first := eval[string](t, tb, focused)
	tb.tap(t, ".foot-bar [data-act=j]")
	tb.tap(t, ".foot-bar [data-act=k]")
	if got := eval[string](t, tb, focused); got != first || first == "body" {
		t.Errorf("next, next and previous prompt end at %s, want %s", got, first)
	}
	report(t, page, eval[[]string](t, tb, inSight))
	tb.tap(t, ".foot-bar [data-act=f]")
	if got := eval[string](t, tb, focusedFailure); got == "" {
		t.Error("the next failed call is not visible")
	}

	// A tap on a prompt offers to copy it.
	tb.tap(t, ".foot-bar [data-act=k]")
	tb.tap(t, ".prompt:focus")
	tb.tap(t, ".copy button:last-child")
	tb.await(t, `window.copied?.includes("#")`, "a link that was copied")

	// The other keys are buttons too.
	tb.tap(t, ".foot-bar [data-act=help]")
	tb.tap(t, `.keys button[aria-label="1: level"]`)
	if got := eval[string](t, tb, `document.querySelector(".levels :checked").id`); got != "level-prompts" {
		t.Errorf("the button 1 sets %s, want the lowest level", got)
	}
	tb.tap(t, ".foot-bar [data-act=find]")
	if !eval[bool](t, tb, `document.activeElement.closest(".find") !== null`) {
		t.Error("the search field has no focus")
	}
	report(t, page, tb.takeFindings())
}

// TestOpenAll opens and closes all <details> by the buttons in the bar: what is read must stay in place.
func TestOpenAll(t *testing.T) {
	t.Parallel()
	tb, page := openLong(t, "2.html")
	id := eval[string](t, tb, scrollToReadingPosition+"(0.5)")
	was := eval[float64](t, tb, fmt.Sprintf(`document.getElementById(%q).getBoundingClientRect().top`, id))
	for _, b := range []struct{ name, left string }{
		{"Open all", `document.querySelectorAll("main details:not([open], .steps)").length`},
		{"Close all", openFolds},
	} {
		tb.clickVisible(t, fmt.Sprintf(".top button[aria-label=%q]", b.name))
		if n := eval[int](t, tb, b.left); n > 0 {
			t.Errorf("%s leaves %d <details> as they were, want none", b.name, n)
		}
		now := eval[float64](t, tb, fmt.Sprintf(`document.getElementById(%q).getBoundingClientRect().top`, id))
		if math.Abs(now-was) > 2 {
			t.Errorf("%s moves the current prompt by %.0f px", b.name, now-was)
		}
	}
	// If the reader opens a <details> by hand, what moved is not moved back by the next change of level.
	tb.press(t, "3")
	if moved := eval[float64](t, tb, `(() => {
		const box = (el) => el.getBoundingClientRect(), eye = innerHeight * 0.3, shown = (el) => el.checkVisibility();
		const fold = [...document.querySelectorAll("main details:not([open]) > .row")]
			.filter(shown).sort((a, b) => b.parentElement.textContent.length - a.parentElement.textContent.length)[0];
		scrollBy({ top: box(fold).top - 60, behavior: "instant" });
		document.querySelector("#level-tools").click();
		document.querySelector("#level-chat").click();
		document.querySelector("#level-tools").click();
		const before = document.documentElement.scrollHeight;
		fold.click();
		window.mine = [...document.querySelectorAll("main [id]")].filter(shown).sort((a, b) => Math.abs(box(a).top - eye) - Math.abs(box(b).top - eye))[0];
		window.was = box(mine).top;
		return document.documentElement.scrollHeight - before;
	})()`); moved < 100 {
		t.Fatalf("the <details> is %.0f px high, want more", moved)
	}
	tb.press(t, "4")
	if by := eval[float64](t, tb, `Math.abs(mine.getBoundingClientRect().top - was)`); by > 60 {
		t.Errorf("after a <details> was opened by hand, a change of level moves the current prompt by %.0f px", by)
	}
	report(t, page, tb.takeFindings())
}
