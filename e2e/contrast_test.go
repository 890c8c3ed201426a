package e2e

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestContrast computes the contrast of all text of all pages, with everything open, in light and dark. It must be at
// least 4.5, or 3 for large text (WCAG 2.2, 1.4.3).
func TestContrast(t *testing.T) {
	t.Parallel()
	root := builtSite(t)
	tb := openTab(t, root, withScript)
	texts := 0
	for _, page := range pagesOf(t, root) {
		tb.view(t, 1280, "light")
		tb.load(t, page)
		eval[chromedp.Void](t, tb, openAll)
		for _, scheme := range schemes {
			tb.view(t, 1280, scheme)
			for _, level := range []string{"level-everything", "level-sent"} {
				if !eval[bool](t, tb,
					fmt.Sprintf(`(document.getElementById(%q)?.click(), !!document.getElementById(%[1]q)) || %v`, level,
						level == "level-everything")) {
					continue // a page without levels, already checked
				}
				report(t, page+" in "+scheme+" at "+level, eval[[]string](t, tb, faint))
				texts += eval[int](t, tb, `faintTexts`)
			}
		}
		eval[chromedp.Void](t, tb, forget)
	}
	t.Logf("%d texts", texts)
	if texts < 10_000 {
		t.Errorf("got %d texts, want more", texts)
	}
}

// TestContrastOfMarks checks the highlights of search, which are not elements.
func TestContrastOfMarks(t *testing.T) {
	t.Parallel()
	tb, page := openLong(t, "2.html")
	tb.press(t, "/")
	for _, scheme := range schemes {
		tb.view(t, 1280, scheme)
		report(t, page+" in "+scheme, eval[[]string](t, tb, faint))
		for _, name := range []string{"found", "found-now"} {
			if c := eval[float64](t, tb,
				fmt.Sprintf(`(() => { const s = getComputedStyle(document.body, "::highlight(%s)"); return contrastOf(s.color, [s.backgroundColor]) })()`, name)); c < 4.5 {
				t.Errorf("in %s the contrast of ::highlight(%s) is %.2f, want at least 4.5", scheme, name, c)
			}
		}
	}
}

// TestFaintText: the check finds text with too little contrast, and no other.
func TestFaintText(t *testing.T) {
	t.Parallel()
	tb := openTab(t, testSite(t, "bad"), withScript)
	tb.load(t, "index.html")
	eval[chromedp.Void](t, tb, `document.body.innerHTML = '<p class="a">faint</p><p class="b">good</p><p class="c">large</p><p class="d">through</p><p class="e"></p>';
		const style = (sel, s) => Object.assign(document.querySelector(sel).style, s);
		style("body", { background: "#fff" });
		style(".a", { color: "#999", background: "#aaa" });
		style(".b", { color: "#767676" });
		style(".c", { color: "#949494", fontSize: "24px" });
		style(".d", { color: "#767676", opacity: "0.8" });
		document.adoptedStyleSheets = [new CSSStyleSheet()];
		document.adoptedStyleSheets[0].replaceSync('.e::before{content:"before";color:color-mix(in srgb,#fff 60%,#000)}')`)
	got := eval[[]string](t, tb, faint)
	wants(t, "the check", got, "1.23 of p.a", "3.", "of p.d", "of p.e::before")
	if len(got) != 3 {
		t.Errorf("the check found %q, want 3 findings", got)
	}
}

// faint returns the texts with too little contrast, one for each combination of colours. It converts colours to numbers
// by painting them.
const faint = `(() => {
	const paint = document.createElement("canvas").getContext("2d", { willReadFrequently: true }), known = new Map();
	const rgba = (color) => {
		if (!known.has(color)) {
			paint.clearRect(0, 0, 1, 1);
			paint.fillStyle = color;
			paint.fillRect(0, 0, 1, 1);
			const [r, g, b, a] = paint.getImageData(0, 0, 1, 1).data;
			known.set(color, [r, g, b, a / 255]);
		}
		return known.get(color);
	};
	const over = ([r, g, b, a], [R, G, B]) => [r * a + R * (1 - a), g * a + G * (1 - a), b * a + B * (1 - a), 1];
	const light = (c) => { const [r, g, b] = c.map((v) => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4); return 0.2126 * r + 0.7152 * g + 0.0722 * b };
	const canvas = rgba(getComputedStyle(document.documentElement).colorScheme.includes("dark") && matchMedia("(prefers-color-scheme: dark)").matches ? "#121212" : "#fff");
	// grounds are ordered from the text outwards
	window.contrastOf = (color, grounds, opacity = 1) => {
		const ground = grounds.reduceRight((under, g) => over(rgba(g), under), canvas);
		const [r, g, b, a] = rgba(color), ink = light(over([r, g, b, a * opacity], ground)), under = light(ground);
		return (Math.max(ink, under) + 0.05) / (Math.min(ink, under) + 0.05);
	};
	const found = new Map();
	window.faintTexts = 0;
	const check = (el, pseudo, color) => {
		const style = getComputedStyle(el, pseudo), grounds = pseudo ? [style.backgroundColor] : [];
		let opacity = pseudo ? +style.opacity : 1;
		const { left, right, top, bottom } = el.getBoundingClientRect(), x = (left + right) / 2, y = (top + bottom) / 2;
		let isPlaced = false;
		for (let e = el; e; e = e.parentElement) {
			const s = getComputedStyle(e), box = e.getBoundingClientRect();
			// An element that is positioned outside of its parent's box is not on the background of that box.
			if (!isPlaced || x >= box.left && x <= box.right && y >= box.top && y <= box.bottom || !e.parentElement) grounds.push(s.backgroundColor);
			isPlaced ||= /absolute|fixed/.test(s.position);
			opacity *= s.opacity;
		}
		faintTexts++;
		const size = parseFloat(style.fontSize), isLarge = size >= 24 || size >= 18.66 && style.fontWeight >= 700;
		const contrast = contrastOf(color ?? style.color, grounds, opacity);
		if (contrast >= (isLarge ? 3 : 4.5)) return;
		const own = (e) => e.localName + [...e.classList].map((c) => "." + c).join("");
		const look = own(el) + (pseudo ?? "");
		if (!found.has(look)) found.set(look, contrast.toFixed(2) + " of " + look + " in " + (el.parentElement ? own(el.parentElement) : "") + ": " + (pseudo ? style.content : el.textContent.trim().slice(0, 40)));
	};
	const seen = new Set();
	const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
	for (let node; node = walk.nextNode();) {
		const el = node.parentElement;
		if (!node.data.trim() || seen.has(el) || el.closest("script, style, title, .vh, option") || !el.checkVisibility()) continue;
		seen.add(el);
		check(el, null, el.closest("svg") ? getComputedStyle(el).fill : undefined);
	}
	for (const el of document.body.querySelectorAll("*")) {
		if (el.closest("svg") || !el.checkVisibility()) continue;
		for (const pseudo of ["::before", "::after", ...el.placeholder ? ["::placeholder"] : []]) {
			const { content } = getComputedStyle(el, pseudo);
			if (pseudo === "::placeholder" || /[^"\s]/.test(content) && !/^(none|normal)$/.test(content)) check(el, pseudo);
		}
	}
	return [...found.values()];
})()`
