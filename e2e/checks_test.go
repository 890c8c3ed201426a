package e2e

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// The checks examine the loaded page and return their findings, so that they can also be tested with bad pages.

var (
	widths  = []int64{1280, 420, 305} // the last is 320 less a scroll bar of 15
	schemes = []string{"light", "dark"}
)

// forget removes what the page stores about its reader.
const forget = `localStorage.clear(); sessionStorage.clear(); if (location.origin === "null") document.cookie.split("; ").forEach((kept) => {
	document.cookie = kept.split("=")[0] + "=; path=/; max-age=0";
})`

// checkLooks checks for horizontal overflow at each width, as the page is loaded (in Firefox only at the narrowest) and
// with everything open, and checks the background in light and dark.
func checkLooks(t testing.TB, tb *tab) []string {
	t.Helper()
	var findings []string
	overflow := func(state string, widths []int64) {
		for _, width := range widths {
			tb.size(t, width, 900)
			if wide := eval[[]string](t, tb, overflowing); len(wide) > 0 {
				findings = append(findings, fmt.Sprintf("%s, the page overflows at %d px: %s", state, width,
					strings.Join(wide, ", ")))
			}
		}
	}
	tb.emulateMedia(t, "prefers-color-scheme", "light")
	loaded := widths
	if inFirefox(t) {
		loaded = loaded[len(loaded)-1:]
	}
	overflow("as it comes", loaded)
	eval[chromedp.Void](t, tb, openAll)
	// Back from the narrowest, because a browser lays the page out again for each new width.
	overflow("with everything open", slices.Sorted(slices.Values(widths)))

	var light []float64
	for _, scheme := range schemes {
		tb.view(t, 1280, scheme)
		light = append(light, eval[float64](t, tb, lightness))
	}
	if light[0] < 0.6 || light[1] > 0.4 {
		findings = append(findings,
			fmt.Sprintf("lightness of the background is %.2f in light and %.2f in dark, want near 1 and 0", light[0], light[1]))
	}
	return findings
}

// overflowing returns the innermost elements that make the document wider than the window.
const overflowing = `(() => {
	const root = document.documentElement, width = root.clientWidth;
	if (root.scrollWidth <= width) return [];
	const clips = (el) => { for (let e = el; e && e !== document.body; e = e.parentElement)
		if (getComputedStyle(e).overflowX !== "visible") return true; return false };
	const range = document.createRange();
	const textRight = (el) => { range.selectNodeContents(el); return range.getBoundingClientRect().right };
	const all = [...document.body.querySelectorAll("*")];
	const out = all.filter((el) => el.getBoundingClientRect().right > width + 0.5);
	let wide = out.filter((el) => !clips(el.parentElement));
	// A long word extends beyond its element.
	if (!wide.length) wide = all.filter((el) => !el.childElementCount && textRight(el) > width + 0.5 && !clips(el));
	// A scrolling box does not clip an element that is positioned relative to an ancestor of the box.
	if (!wide.length) wide = out.filter((el) => /absolute|fixed/.test(getComputedStyle(el).position));
	// Generated content before and after elements has no box to measure: find the element that fixes the overflow when
	// it is hidden.
	if (!wide.length) for (let el = document.body; el; el = [...el.children].find((child) => {
		child.style.setProperty("display", "none", "important");
		const helps = root.scrollWidth <= width;
		child.style.removeProperty("display");
		return helps;
	})) wide = [el];
	const inner = wide.filter((el) => !wide.some((other) => other !== el && el.contains(other)));
	const own = (el) => (el.id ? "#" + el.id : "") + [...el.classList].map((c) => "." + c).join("");
	const name = (el) => (own(el) || !el.parentElement ? "" : name(el.parentElement) + " > ") + el.localName + own(el);
	return [root.scrollWidth + " px wide", ...inner.slice(0, 3).map(name)];
})()`

// lightness returns the lightness of the visible background, from 0 to 1.
const lightness = `(() => {
	const paint = document.createElement("canvas").getContext("2d");
	paint.fillStyle = "#fff"; paint.fillRect(0, 0, 1, 1);
	for (const el of [document.documentElement, document.body]) {
		paint.fillStyle = getComputedStyle(el).backgroundColor; paint.fillRect(0, 0, 1, 1);
	}
	const [r, g, b] = paint.getImageData(0, 0, 1, 1).data;
	return (0.2126 * r + 0.7152 * g + 0.0722 * b) / 255;
})()`

// levels are the levels in order. Each shows the classes up to its own; prompts are always shown.
var levels = []struct{ id, shows string }{
	{"level-prompts", ""},
	{"level-chat", "at-chat"},
	{"level-tools", "at-tools"},
	{"level-everything", "at-everything"},
	{"level-sent", ""},
}

// checkLevels clicks through the levels in both directions, and checks what each of them hides.
func checkLevels(t testing.TB, tb *tab) []string {
	t.Helper()
	var findings []string
	back := slices.Clone(levels)
	slices.Reverse(back)
	for _, l := range append(slices.Clone(levels), back...) {
		tb.click(t, "label[for="+l.id+"]")
		findings = append(findings, shownAt(t, tb, l.id)...)
	}
	return findings
}

// checkLevelKeys switches levels by keyboard: the radio buttons are one group and must be reachable.
func checkLevelKeys(t testing.TB, tb *tab) []string {
	t.Helper()
	tb.click(t, "label[for=level-prompts]")
	eval[chromedp.Void](t, tb, `document.querySelector("#level-prompts").focus()`)
	tb.press(t, kb.ArrowRight)
	if !eval[bool](t, tb, `document.querySelector("#level-chat").checked`) {
		return []string{"the right arrow key does not go from level-prompts to level-chat: the radios cannot be focused, or are no group"}
	}
	return shownAt(t, tb, "level-chat")
}

// shownAt returns the elements that are hidden or shown at a level but should not be.
func shownAt(t testing.TB, tb *tab, level string) []string {
	t.Helper()
	var above, below []string
	seen := false
	for _, l := range levels {
		switch {
		case l.shows != "" && seen:
			above = append(above, "."+l.shows)
		case l.shows != "":
			below = append(below, "."+l.shows)
		}
		seen = seen || l.id == level
	}
	return eval[[]string](t, tb, fmt.Sprintf(`(() => {
		const level = %q, above = %s, below = %s, wrong = [];
		if (!document.getElementById(level)?.checked) return [level + " is not checked after a click on its label"];
		const gone = (el) => getComputedStyle(el).display === "none";
		const anyGone = (el) => { for (; el; el = el.parentElement) if (gone(el)) return true; return false };
		const count = (sel, bad) => {
			const n = [...document.querySelectorAll(sel)].filter(bad).length;
			return n ? n + " of " + document.querySelectorAll(sel).length + " " + sel : "";
		};
		const isStep = (el) => el.closest(".turn:has(> .steps[open])"); // its line of the level Story was opened
		for (const sel of above) { const n = count(sel, (el) => !anyGone(el) && !isStep(el)); if (n) wrong.push("at " + level + " " + n + " are visible") }
		for (const sel of below) { const n = count(sel, gone); if (n) wrong.push("at " + level + " " + n + " are hidden") }
		const n = count(".prompt", (el) => !el.closest(".at-chat, .at-tools, .at-everything") && anyGone(el));
		if (n) wrong.push("at " + level + " " + n + " are hidden");
		return wrong;
	})()`, level, list(above), list(below)))
}

// checkFolding opens and closes the first visible <details> by a click on its summary.
func checkFolding(t testing.TB, tb *tab) []string {
	t.Helper()
	tb.view(t, 1280, "light")
	found := eval[bool](t, tb, `(() => {
		const fold = [...document.querySelectorAll("main details:not([open])")].find((d) => d.firstElementChild?.checkVisibility());
		if (fold) fold.firstElementChild.setAttribute("data-e2e", "");
		return !!fold;
	})()`)
	if !found {
		return []string{"no closed <details> that a reader sees: the page folds nothing"}
	}
	const state = `(() => {
		const s = document.querySelector("[data-e2e]"), body = s.nextElementSibling;
		return (s.parentElement.open ? "open" : "closed") + (body?.checkVisibility({contentVisibilityAuto: false}) ? ", body visible" : ", body hidden");
	})()`
	var findings []string
	for _, want := range []string{"open, body visible", "closed, body hidden"} {
		tb.click(t, "[data-e2e]")
		if got := eval[string](t, tb, state); got != want {
			findings = append(findings, fmt.Sprintf("after a click on its summary a fold is %s, want %s", got, want))
		}
	}
	return findings
}

// foldedIDs returns ids inside of closed <details>: the first, the last, and the most deeply nested one.
func foldedIDs(t testing.TB, tb *tab) []string {
	t.Helper()
	return eval[[]string](t, tb, `(() => {
		const depth = (el) => { let n = 0; for (let d = el.parentElement; d; d = d.parentElement) n += d.localName === "details"; return n };
		const ids = [...document.querySelectorAll("main details:not([open]) [id]")].filter((el) => !el.closest("summary"));
		const deepest = ids.toSorted((a, b) => depth(b) - depth(a))[0];
		return [...new Set([ids[0], deepest, ids.at(-1)].filter(Boolean).map((el) => el.id))];
	})()`)
}

// checkUnfolds checks that the script opens the <details> around the target of the address, for browsers that do not do
// it themselves: it closes them, and reports a new address.
func checkUnfolds(t testing.TB, tb *tab, id string) []string {
	t.Helper()
	eval[chromedp.Void](t, tb, fmt.Sprintf(`{
		for (let el = document.getElementById(%q); el; el = el.parentElement) if (el.localName === "details") el.open = false;
		dispatchEvent(new HashChangeEvent("hashchange"));
	}`, id))
	return checkDeepLink(t, tb, id)
}

// checkDeepLink checks a page that was opened with #id: all <details> around the target are open, and it is in the
// window. Current browsers do that themselves, also without script.
func checkDeepLink(t testing.TB, tb *tab, id string) []string {
	t.Helper()
	return eval[[]string](t, tb, fmt.Sprintf(`(() => {
		const el = document.getElementById(%q), wrong = [];
		let closed = 0;
		for (let d = el.parentElement; d; d = d.parentElement) closed += d.localName === "details" && !d.open;
		if (closed) wrong.push("#" + el.id + " is inside " + closed + " closed <details>");
		if (!el.checkVisibility()) wrong.push("#" + el.id + " is not visible");
		const box = el.getBoundingClientRect();
		if (box.bottom < 0 || box.top > innerHeight) wrong.push("#" + el.id + " is out of the window: top " + Math.round(box.top) + " of " + innerHeight);
		return wrong;
	})()`, id))
}

func list(words []string) string {
	if words == nil {
		words = []string{}
	}
	text, err := json.Marshal(words)
	if err != nil {
		panic(err) // strings can always be encoded
	}
	return string(text)
}
