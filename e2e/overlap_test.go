package e2e

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// overlapping returns the texts that are drawn over each other, and those that the top bar cuts off at the bottom.
const overlapping = `(() => {
	const found = new Set(), range = document.createRange(), boxes = [];
	const own = (el) => el.localName + [...el.classList].map((c) => "." + c).join("");
	const shown = (node) => own(node.parentElement) + " " + JSON.stringify(node.data.trim().slice(0, 30));
	for (let all = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), node; node = all.nextNode();) {
		const el = node.parentElement;
		if (!node.data.trim() || el.closest("script, style, title, pre, .vh, .skip, .foot-bar") || !el.checkVisibility({ visibilityProperty: true })) continue;
		let clip = document.documentElement.getBoundingClientRect(), isAbove = false;
		for (let e = el; e !== document.body; e = e.parentElement) {
			const style = getComputedStyle(e);
			isAbove ||= /fixed|sticky/.test(style.position) && !e.matches(".top, .out");
			if (style.overflowX !== "visible") { clip = e.getBoundingClientRect(); break; }
		}
		if (isAbove) continue;
		range.selectNodeContents(node);
		for (const r of range.getClientRects()) {
			if (el.closest(".top") && r.bottom > el.closest(".top, .levels").getBoundingClientRect().bottom) found.add("cut off: " + shown(node));
			const quarter = r.height / 4; // lines of text may touch
			const box = { node, left: Math.max(r.left, clip.left), right: Math.min(r.right, clip.right), top: Math.max(r.top + quarter, clip.top), bottom: Math.min(r.bottom - quarter, clip.bottom) };
			if (box.right - box.left > 1 && box.bottom - box.top > 1) boxes.push(box);
		}
	}
	boxes.sort((a, b) => a.top - b.top);
	boxes.forEach((a, i) => {
		for (const b of boxes.slice(i + 1)) {
			if (b.top >= a.bottom) break;
			if (a.node !== b.node && Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1) found.add(shown(a.node) + " and " + shown(b.node) + " overlap");
		}
	});
	return [...found];
})()`

// crowded returns the pages that have the most beside each other.
func crowded(t *testing.T, root string) []string {
	t.Helper()
	return append([]string{"index.html", "insights.html"}, sessionPages(t, root, 3)...)
}

// TestOverlap: no text is drawn over another one, at any width.
func TestOverlap(t *testing.T) {
	t.Parallel()
	root := builtSite(t)
	tb := openTab(t, root, withScript)
	for _, name := range crowded(t, root) {
		tb.load(t, name)
		eval[chromedp.Void](t, tb, `document.querySelectorAll(".out .fails").forEach((el) => el.textContent = "125 failed")`)
		eval[chromedp.Void](t, tb, `document.querySelectorAll(".out details").forEach((el) => el.open = true)`)
		for _, width := range append(widths, 1100, 900) {
			tb.view(t, width, "light")
			for _, f := range eval[[]string](t, tb, overlapping) {
				t.Errorf("%s, %d px: %s", name, width, f)
			}
		}
		tb.view(t, 1700, "light")
		eval[chromedp.Void](t, tb, `document.documentElement.dataset.pane = ""`)
		for _, f := range eval[[]string](t, tb, overlapping) {
			t.Errorf("%s, beside the pane: %s", name, f)
		}
	}
}

// cutLabels counts the prompts on the strip that are higher than the picture with them.
const cutLabels = `[...document.querySelectorAll("svg.asked text")].filter((el) => {
	const text = el.getBoundingClientRect(), picture = el.closest(".asked").getBoundingClientRect();
	return text.height && (text.top < picture.top - 2 || text.bottom > picture.bottom + 2);
}).length`

// TestManyPrompts: the numbers of many prompts below the strip are beside each other at any width, also next to the
// pane, and there are some.
func TestManyPrompts(t *testing.T) {
	t.Parallel()
	const id = "5e55d0c5-0000-4000-8000-000000000013"
	var log strings.Builder
	for i := range 130 {
		at := time.Date(2026, 3, 2, 9, 0, i*(20+i%7), 0, time.UTC)
		when := func(seconds int) string { return at.Add(time.Duration(seconds) * time.Second).Format(time.RFC3339) }
		fmt.Fprintf(&log, `{"type":"user","uuid":"00000000-0000-4000-8000-%012d","timestamp":%q,"cwd":"/home/ada/pier",`+
			`"message":{"role":"user","content":"Count the boats of tide %d."}}`+"\n", 3*i, when(0), i)
		fmt.Fprintf(&log, `{"type":"assistant","uuid":"00000000-0000-4000-8000-%012d","timestamp":%q,"message":{"id":"m%d",`+
			`"role":"assistant","content":[{"type":"tool_use","id":"t%d","name":"Bash","input":{"command":"boats"}}]}}`+"\n",
			3*i+1, when(2), i, i)
		fmt.Fprintf(&log, `{"type":"user","uuid":"00000000-0000-4000-8000-%012d","timestamp":%q,"message":{"role":"user",`+
			`"content":[{"type":"tool_result","tool_use_id":"t%d","content":"4"}]}}`+"\n", 3*i+2, when(9), i)
	}
	root, page := sessionSite(t, id, log.String())
	tb := openTab(t, root, withScript)
	tb.load(t, page)
	check := func(where string, least int) {
		t.Helper()
		for _, f := range eval[[]string](t, tb, overlapping) {
			t.Errorf("%s: %s", where, f)
		}
		shown, _ := seenAt(t, tb, "svg.asked text")
		if shown < least {
			t.Errorf("%s: %d numbers are shown, want %d", where, shown, least)
		}
		out := eval[int](t, tb, `[...document.querySelectorAll("svg.asked text")].filter((el) => el.checkVisibility() &&
			el.getBoundingClientRect().right > el.closest(".strip").getBoundingClientRect().right).length`)
		if out > 0 {
			t.Errorf("%s: %d numbers are beside the strip", where, out)
		}
	}
	for _, width := range []int64{1280, 1100, 900, 420, 320} {
		tb.view(t, width, "light")
		check(fmt.Sprintf("%d px", width), 9)
	}
	tb.view(t, 1700, "light")
	eval[chromedp.Void](t, tb, `document.documentElement.dataset.pane = ""`)
	check("beside the pane", 9)
	report(t, page, tb.takeFindings())
}

// TestLargeLetters: pages have space for letters of twice the size, which readers set in their browser.
func TestLargeLetters(t *testing.T) {
	t.Parallel()
	root := builtSite(t)
	tb := openTab(t, root, withScript)
	err := chromedp.Do(tb.ctx, chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		_, err := cdp.Call(ctx, target, page.SetFontSizes, page.SetFontSizesParams{
			FontSizes: &page.FontSizes{Standard: 32, Fixed: 26},
		})
		return err
	}))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range crowded(t, root) {
		tb.load(t, name)
		for _, width := range []int64{1280, 420, 375} {
			tb.view(t, width, "light")
			for _, f := range eval[[]string](t, tb, overlapping) {
				t.Errorf("%s, %d px: %s", name, width, f)
			}
			if wide := eval[[]string](t, tb, overflowing); len(wide) > 0 {
				t.Errorf("%s, the page overflows at %d px: %s", name, width, strings.Join(wide, ", "))
			}
			if cut := eval[int](t, tb, cutLabels); cut > 0 {
				t.Errorf("%s, %d px: %d prompts on the strip are cut", name, width, cut)
			}
		}
	}
}

// TestOverlapNoticed: the check finds a text over another one.
func TestOverlapNoticed(t *testing.T) {
	t.Parallel()
	tb := openTab(t, testSite(t, "bad"), withScript)
	tb.load(t, "index.html")
	got := eval[[]string](t, tb, `(document.body.innerHTML = "<p>lamplighter</p><p>harbourmaster</p><p>tide</p>",
		document.querySelector("p").style.marginBottom = "-1.6em", `+overlapping+`)`)
	if len(got) != 1 || !strings.Contains(got[0], "lamplighter") {
		t.Errorf("the check found %q, want one overlap", got)
	}
}
