package e2e

import "testing"

// directionLog has prompts and answers in Arabic, Hebrew and English.
const directionLog = `{"type":"user","uuid":"00000000-0000-4000-8000-000000000000","timestamp":"2026-03-02T09:00:00Z","message":{"role":"user","content":"متى المد العالي في بريست؟"}}
{"type":"assistant","uuid":"00000000-0000-4000-8000-000000000001","parentUuid":"00000000-0000-4000-8000-000000000000","timestamp":"2026-03-02T09:01:00Z","message":{"id":"m1","role":"assistant","content":[{"type":"text","text":"# المد\n\nالمد العالي في 08:14.\n\n- הגאות בשעה 20:40.\n\nHigh water is at 08:14.\n\n| مرفأ | Time |\n|---|---|\n| بريست | 08:14 |"}]}}
{"type":"user","uuid":"00000000-0000-4000-8000-000000000002","parentUuid":"00000000-0000-4000-8000-000000000001","timestamp":"2026-03-02T09:02:00Z","message":{"role":"user","content":"Thank you."}}
{"type":"assistant","uuid":"00000000-0000-4000-8000-000000000003","parentUuid":"00000000-0000-4000-8000-000000000002","timestamp":"2026-03-02T09:03:00Z","message":{"id":"m2","role":"assistant","content":[{"type":"text","text":"See you at the pier."}]}}
`

// TestDirection: each paragraph of a text runs and is aligned in the direction of its letters.
// Firefox aligns list items, and texts of limited height, at the left.
func TestDirection(t *testing.T) {
	t.Parallel()
	root, page := sessionSite(t, "5e55d0c5-0000-4000-8000-000000000008", directionLog)
	tb := openTab(t, root, withScript)
	tb.view(t, 1280, "light")
	for _, name := range []string{page, "index.html"} {
		tb.load(t, name)
		found := eval[[]string](t, tb, `(() => {
			const range = document.createRange(), wrong = [];
			let rightToLeft = 0;
			for (let all = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), node; node = all.nextNode();) {
				const el = node.parentElement, block = el.closest("h1, h4, p, li, th, td, .text, .toc a > span, .ti > a");
				if (!block || block.firstChild !== node || !el.checkVisibility() || !/^\p{L}/u.test(node.data)) continue;
				range.selectNodeContents(node);
				const text = range.getBoundingClientRect(), box = block.getBoundingClientRect(), style = getComputedStyle(block);
				const left = text.left - box.left - parseFloat(style.paddingLeft), right = box.right - text.right - parseFloat(style.paddingRight);
				const isRTL = /^[\u0590-\u06ff]/.test(node.data);
				rightToLeft += isRTL;
				if (Math.abs(isRTL ? right : left) > 3) wrong.push(block.localName + " " + node.data.slice(0, 20) + ": " + Math.round(left) + " px at the left, " + Math.round(right) + " px at the right");
			}
			return rightToLeft ? wrong : ["nothing is written from right to left"];
		})()`)
		report(t, name, found)
		report(t, name, tb.takeFindings())
	}
}
