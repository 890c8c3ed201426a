package e2e

import (
	"testing"

	"github.com/chromedp/chromedp"
)

// smallLog has a session of one evening in New York, which is two days in UTC, and a question with a chosen answer.
const smallLog = `{"type":"user","uuid":"00000000-0000-4000-8000-000000000000","timestamp":"2026-03-02T23:00:00Z","message":{"role":"user","content":"Ask me."}}
{"type":"assistant","uuid":"00000000-0000-4000-8000-000000000001","parentUuid":"00000000-0000-4000-8000-000000000000","timestamp":"2026-03-02T23:01:00Z","message":{"id":"m1","role":"assistant","content":[{"type":"tool_use","id":"t1","name":"AskUserQuestion","input":{"questions":[{"question":"Which oven?","header":"Oven","options":[{"label":"Old","description":""},{"label":"New","description":""}]}]}}]}}
{"type":"user","uuid":"00000000-0000-4000-8000-000000000002","parentUuid":"00000000-0000-4000-8000-000000000001","timestamp":"2026-03-03T00:30:00Z","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"New"}]},"toolUseResult":{"questions":[],"answers":{"Which oven?":"New"}}}
{"type":"assistant","uuid":"00000000-0000-4000-8000-000000000003","parentUuid":"00000000-0000-4000-8000-000000000002","timestamp":"2026-03-03T00:31:00Z","message":{"id":"m2","role":"assistant","content":[{"type":"text","text":"The new oven is **lit**."}]}}
`

// TestSessionDetails: a date is shown once for a range within a day, links name their targets, and a chosen answer is
// visible in forced colours.
func TestSessionDetails(t *testing.T) {
	t.Parallel()
	root, page := sessionSite(t, "5e55d0c5-0000-4000-8000-000000000002", smallLog)
	tb := openTab(t, root, withScript)
	tb.zone(t, "America/New_York")
	tb.load(t, page)
	const span = `[...document.querySelectorAll("main time[data-f=datetime]")].filter((el) => el.nextElementSibling?.matches("time")).map((el) => el.textContent + " – " + el.nextElementSibling.textContent).join()`
	if got, want := eval[string](t, tb, span), "Mon 2 Mar 2026, 18:00 – 19:31"; got != want {
		t.Errorf("the span in New York is %q, want %q", got, want)
	}
	tb.zone(t, "UTC")
	tb.load(t, page)
	if got, want := eval[string](t, tb, span), "Mon 2 Mar 2026, 23:00 – Tue 3 Mar 2026, 00:31"; got != want {
		t.Errorf("the span in UTC is %q, want %q", got, want)
	}
	for expression, want := range map[string]string{
		`document.title`: "Ask me. · ~-pier · session",
		`document.querySelector("meta[name=description]").content`: "done: The new oven is lit.",
	} {
		if got := eval[string](t, tb, expression); got != want {
			t.Errorf("%s is %q, want %q", expression, got, want)
		}
	}
	eval[chromedp.Void](t, tb, openAll)
	tb.emulateMedia(t, "forced-colors", "active")
	if !eval[bool](t, tb, `(() => {
		const colour = (el) => getComputedStyle(el, "::before").backgroundColor;
		const on = document.querySelector(".ask .on"), off = document.querySelector(".ask li:not(.on)");
		return colour(on) !== colour(off) && getComputedStyle(on, "::before").forcedColorAdjust === "none";
	})()`) {
		t.Error("in forced colours a chosen answer looks like the others")
	}
	report(t, page, tb.takeFindings())
	tb.load(t, "index.html#q=ask")
	tb.await(t, `document.querySelector(".bar output").textContent === "1 of 1 session"`, "the count in the singular")
}

// TestForcedColours: information shown by colour, such as the end of a session or the current position, is visible in
// forced colours too.
func TestForcedColours(t *testing.T) {
	t.Parallel()
	root := builtSite(t)
	tb := openTab(t, root, withScript)
	tb.view(t, 1280, "light")
	for page, expression := range map[string]string{
		"index.html": `(() => {
			const at = document.querySelector(".out a[aria-current]"), colour = (el) => getComputedStyle(el).color;
			return colour(at) === colour(at.querySelector(".n")) && colour(at) !== getComputedStyle(at).backgroundColor;
		})()`,
		sessionPages(t, root, 1)[0]: `(() => {
			const mark = getComputedStyle(document.querySelector(".verdict .mark"));
			const area = document.querySelector(".plot .area");
			return mark.borderTopStyle === "solid" && (!area || getComputedStyle(area).fill === "none");
		})()`,
	} {
		tb.load(t, page)
		tb.emulateMedia(t, "forced-colors", "active")
		if !eval[bool](t, tb, `matchMedia("(forced-colors: active)").matches && `+expression) {
			t.Errorf("%s: in forced colours, information is only shown by colour", page)
		}
		report(t, page, tb.takeFindings())
	}
}

// TestDistinctNames: no two landmarks for navigation have the same name, and boxes that scroll sideways are reachable
// by keyboard.
func TestDistinctNames(t *testing.T) {
	t.Parallel()
	tb, page := openLong(t, "2.html")
	tb.view(t, 390, "light")
	eval[chromedp.Void](t, tb, openAll)
	tb.await(t, `document.querySelectorAll("main pre[tabindex='0']").length > 0`, "blocks that can be reached")
	for _, f := range eval[[]string](t, tb, `(() => {
		const wrong = [], names = [...document.querySelectorAll("nav")].map((el) => el.ariaLabel);
		if (new Set(names).size < names.length) wrong.push("navs are named " + names.join(", "));
		for (const el of document.querySelectorAll("main pre:not(.gut)")) {
			const does = el.checkVisibility() && el.scrollWidth > el.clientWidth + 1 && getComputedStyle(el).overflowX !== "visible";
			if (does && el.tabIndex < 0) wrong.push("a block scrolls and cannot be reached: " + el.textContent.slice(0, 40));
		}
		return wrong;
	})()`) {
		t.Errorf("%s: %s", page, f)
	}
	report(t, page, tb.takeFindings())
}
