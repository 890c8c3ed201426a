package e2e

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// scrollToReadingPosition scrolls a prompt in the given part of the page to where readers look, and returns its id.
const scrollToReadingPosition = `((part) => {
	const prompts = [...document.querySelectorAll("main .prompt[id]")], el = prompts[Math.floor(prompts.length * part)];
	scrollBy({ top: el.getBoundingClientRect().top - Math.round(innerHeight * 0.3), behavior: "instant" });
	return el.id;
})`

// TestPlace changes levels and folds in the middle of a page: the prompt that is read must stay at its height.
func TestPlace(t *testing.T) {
	t.Parallel()
	tb, _ := openLong(t, "2.html")
	height := func(id string) float64 {
		return eval[float64](t, tb, fmt.Sprintf(`document.getElementById(%q).getBoundingClientRect().top`, id))
	}
	for _, part := range []float64{0.2, 0.5, 0.8} {
		key(t, tb, "4")
		id := eval[string](t, tb, fmt.Sprintf("%s(%v)", scrollToReadingPosition, part))
		want := height(id)
		keys := []string{"e", "x", "t", "t"}
		for i := range levels {
			for j := range i {
				keys = append(keys, fmt.Sprint(i+1), fmt.Sprint(j+1), fmt.Sprint(i+1)) // every pair, in both directions
			}
		}
		for _, k := range append(keys, "4") {
			key(t, tb, k)
			room := eval[float64](t, tb, `Math.min(scrollY, document.documentElement.scrollHeight - innerHeight - scrollY)`)
			if got := height(id); math.Abs(got-want) > 2 && room > 0 {
				t.Errorf("at %v of the page, %s moved from %.0f to %.0f px with a press of %s", part, id, want, got, k)
			}
		}
		if got := height(id); math.Abs(got-want) > 2 {
			t.Errorf("at %v of the page, %s ended at %.0f px, want %.0f", part, id, got, want)
		}
	}
}

// TestPlaceOfCall switches from a call to a level that hides it, and back: it must be in the same place.
func TestPlaceOfCall(t *testing.T) {
	t.Parallel()
	tb, page := openLong(t, "2.html")
	id := eval[string](t, tb, `(() => {
		const rows = [...document.querySelectorAll("main .tool[id] > .row")].filter((el) => el.checkVisibility());
		const row = rows[Math.floor(rows.length / 2)];
		scrollBy({ top: row.getBoundingClientRect().top - Math.round(innerHeight * 0.3), behavior: "instant" });
		return row.parentElement.id;
	})()`)
	height := fmt.Sprintf(`document.getElementById(%q).getBoundingClientRect().top`, id)
	was := eval[float64](t, tb, height)
	for _, k := range []string{"1", "2", "4", "3"} {
		key(t, tb, k)
	}
	if now := eval[float64](t, tb, height); math.Abs(now-was) > 2 {
		t.Errorf("%s: after other levels the call moved from %.0f to %.0f px", page, was, now)
	}
}

// TestReload: what the reader opened and closed is the same after a reload, and as written when the page is opened
// anew.
func TestReload(t *testing.T) {
	t.Parallel()
	root, page := sessionSite(t, "5e55d0c5-0000-4000-8000-000000000012", foldersLog+failedLog)
	tb := openTab(t, root, withScript)
	tb.load(t, page)
	const folds = `[...document.querySelectorAll("main details")].map((el) => el.open ? "open" : "closed").join(" ")`
	written := eval[string](t, tb, folds)
	want := eval[string](t, tb, `(() => {
		const changed = "main .tool, main .box > details, main > details, main details details";
		for (const el of document.querySelectorAll(changed)) el.open = !el.open;
		return `+folds+`;
	})()`)
	for range 2 {
		eval[chromedp.Void](t, tb, `window.old = true; setTimeout(() => location.reload())`)
		tb.await(t, `!window.old && "ready" in (document.documentElement?.dataset ?? {})`,
			"the page to be loaded again")
		if got := eval[string](t, tb, folds); got != want {
			t.Errorf("after a reload the folds are %s, want %s", got, want)
		}
	}
	tb.load(t, "index.html")
	tb.load(t, page)
	if got := eval[string](t, tb, folds); got != written {
		t.Errorf("in the page that is opened anew the folds are %s, want %s", got, written)
	}
	if !strings.Contains(want, "open") || !strings.Contains(want, "closed") || want == written {
		t.Errorf("the folds are %s, want some of both", want)
	}
	report(t, page, tb.takeFindings())
}

// key presses a key without waiting for a page that it may load.
func key(t *testing.T, tb *tab, k string) {
	t.Helper()
	eval[chromedp.Void](t, tb,
		fmt.Sprintf(`document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key: %q, bubbles: true, cancelable: true }))`, k))
}

// clickVisible clicks in the middle of a visible element. Unlike click it does not scroll.
func (tb *tab) clickVisible(t testing.TB, selector string) {
	t.Helper()
	at := eval[[]float64](t, tb, fmt.Sprintf(`(() => {
		const box = [...document.querySelectorAll(%q)].find((el) => el.checkVisibility())?.getBoundingClientRect();
		return box ? [box.x + box.width / 2, box.y + box.height / 2] : [];
	})()`, selector))
	if len(at) == 0 {
		t.Fatalf("found no %s to click", selector)
	}
	if err := tb.clickAt(at[0], at[1]); err != nil {
		t.Fatalf("clicking %s: %v", selector, err)
	}
}
