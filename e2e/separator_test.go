package e2e

import (
	"testing"

	"github.com/chromedp/chromedp"
)

// strandedSeparators returns the blocks with a visible separator of ours, "·", at the beginning or the end of a line.
const strandedSeparators = `(() => {
	const found = new Set(), range = document.createRange(), inline = (el) => /inline|contents/.test(getComputedStyle(el).display);
	const box = (node, at) => { range.setStart(node, at); range.setEnd(node, at + 1); return range.getClientRects()[0] };
	const walker = (el) => document.createTreeWalker(el, NodeFilter.SHOW_TEXT);
	// separators at the beginning of a line are cut off at the left
	const cutOff = (el, dot) => { for (let e = el; e; e = e.parentElement) {
		const clip = /^inset\(.* ([\d.]+)px\)$/.exec(getComputedStyle(e).clipPath), outer = e.getBoundingClientRect();
		if (clip && dot.right <= outer.left + +clip[1] + 0.5) return true;
		if (getComputedStyle(e).overflowX !== "visible" && (dot.left >= outer.right - 0.5 || dot.top >= outer.bottom - 0.5)) return true;
	} };
	for (let all = walker(document.body), node; node = all.nextNode();) {
		if (!node.data.includes("·") || node.parentElement.closest("pre, .prose, code, textarea, script, style")) continue;
		let block = node.parentElement;
		while (inline(block)) block = block.parentElement;
		for (let at = -1; (at = node.data.indexOf("·", at + 1)) >= 0;) {
			const dot = box(node, at);
			if (!dot?.width || cutOff(node.parentElement, dot)) continue;
			const middle = (dot.top + dot.bottom) / 2;
			let before = false, after = false;
			for (let texts = walker(block), text; text = texts.nextNode();) for (let i = 0; i < text.data.length; i++) {
				const r = /[\s·]/.test(text.data[i]) ? null : box(text, i);
				if (!r?.width || r.top > middle || r.bottom < middle) continue;
				if (r.left < dot.left) before = true; else after = true;
			}
			if (!before || !after) found.add((before ? "ends" : "begins") + " a line: " + block.textContent.trim().slice(0, 80));
		}
	}
	return [...found];
})()`

// TestSeparators: no line of facts begins or ends with the separator between them, however narrow the page.
func TestSeparators(t *testing.T) {
	t.Parallel()
	root := builtSite(t)
	tb := openTab(t, root, withScript)
	for _, page := range append([]string{"index.html", "insights.html"}, sessionPages(t, root, 3)...) {
		tb.load(t, page)
		eval[chromedp.Void](t, tb, openAll)
		for _, width := range append(widths, 900, 360) {
			tb.view(t, width, "light")
			for _, line := range eval[[]string](t, tb, strandedSeparators) {
				t.Errorf("%s, %d px: a separator %s", page, width, line)
			}
		}
	}
}

// TestSeparatorsNoticed: the check finds separators at the ends of lines.
func TestSeparatorsNoticed(t *testing.T) {
	t.Parallel()
	tb := openTab(t, builtSite(t), withScript)
	tb.load(t, "index.html")
	got := eval[[]string](t, tb, `(() => {
		const p = document.createElement("p");
		p.style.width = "6em";
		p.textContent = "lamplighter · harbourmaster";
		document.body.replaceChildren(p);
	})(), `+strandedSeparators)
	if len(got) != 1 {
		t.Errorf("found %q, want one", got)
	}
}
