package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// directionLog has prompts and answers in Arabic, Hebrew and English.
const directionLog = `{"type":"user","uuid":"00000000-0000-4000-8000-000000000000","timestamp":"2026-03-02T09:00:00Z","message":{"role":"user","content":"متى المد العالي في بريست؟"}}
{"type":"assistant","uuid":"00000000-0000-4000-8000-000000000001","parentUuid":"00000000-0000-4000-8000-000000000000","timestamp":"2026-03-02T09:01:00Z","message":{"id":"m1","role":"assistant","content":[{"type":"text","text":"# المد\n\nالمد العالي في 08:14.\n\n- הגאות בשעה 20:40.\n- المد \u0060tide -h ./...\u0060\n\nHigh water is at 08:14.\n\n| مرفأ | Time |\n|---|---|\n| بريست | 08:14 |"}]}}
{"type":"user","uuid":"00000000-0000-4000-8000-000000000002","parentUuid":"00000000-0000-4000-8000-000000000001","timestamp":"2026-03-02T09:02:00Z","message":{"role":"user","content":"Thank you."}}
{"type":"assistant","uuid":"00000000-0000-4000-8000-000000000003","parentUuid":"00000000-0000-4000-8000-000000000002","timestamp":"2026-03-02T09:03:00Z","message":{"id":"m2","role":"assistant","content":[{"type":"text","text":"See you at the pier."}]}}
`

// TestDirection: each paragraph of a text runs and is aligned in the direction of its letters, the bullets of a
// list are on the side where its lines begin, and code runs from left to right.
// Firefox aligns texts of limited height at the left.
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
	tb.load(t, page)
	if got := eval[string](t, tb, `(() => {
		const range = document.createRange(), code = document.querySelector("li code").firstChild;
		const left = (i) => { range.setStart(code, i); range.setEnd(code, i + 1); return range.getBoundingClientRect().left };
		const bullets = getComputedStyle(document.querySelector(".prose ul"));
		return bullets.paddingLeft + " " + (parseFloat(bullets.paddingRight) > 9) + " " + (left(0) < left(code.length - 1));
	})()`); got != "0px true true" {
		t.Errorf("room for bullets at the left, at the right, and code that runs to the right are %s", got)
	}
}

// deepLog has an answer with a list of 60 levels and one with 40 levels of quotes.
var deepLog = func() string {
	record := func(n int, role, text string) string {
		const format = `{"type":%q,"uuid":"00000000-0000-4000-8000-%012d","timestamp":"2026-03-02T09:%02d:00Z",` +
			`"message":{"id":"m%[2]d","role":%[1]q,"content":[{"type":"text","text":%[4]q}]}}` + "\n"
		return fmt.Sprintf(format, role, n, n, text)
	}
	var list, quotes strings.Builder
	for i := range 60 {
		fmt.Fprintf(&list, "%s- level %d of the list\n", strings.Repeat("  ", i), i)
	}
	for i := range 40 {
		fmt.Fprintf(&quotes, "%s quote %d\n", strings.Repeat(">", i+1), i)
	}
	return record(0, "user", "Nest.") + record(1, "assistant", list.String()) + record(2, "user", "More.") +
		record(3, "assistant", quotes.String())
}()

// wordLog has a branch, a model, the address of a picture, and an answer to choose, each in one long word.
var wordLog = func() string {
	const format = `{"type":"user","uuid":"00000000-0000-4000-8000-000000000000","timestamp":"2026-03-02T09:00:00Z","gitBranch":"mara/WORD","message":{"role":"user","content":[{"type":"text","text":"Look."},{"type":"image","source":{"type":"url","url":"https://tides.example/WORD"}}]}}
{"type":"assistant","uuid":"00000000-0000-4000-8000-000000000001","timestamp":"2026-03-02T09:01:00Z","message":{"id":"m1","role":"assistant","model":"WIDE","usage":{"input_tokens":9,"output_tokens":9},"content":[{"type":"tool_use","id":"t1","name":"AskUserQuestion","input":{"questions":[{"question":"Which?","header":"Pier","options":[{"label":"North","description":"WORD"},{"label":"South","description":""}]}]}}]}}
{"type":"user","uuid":"00000000-0000-4000-8000-000000000002","timestamp":"2026-03-02T09:02:00Z","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"South"}]},"toolUseResult":{"questions":[],"answers":{"Which?":"South"}}}
`
	word := strings.Repeat("lamplighter_", 9)
	return strings.NewReplacer("WORD", word, "WIDE", strings.ToUpper(word)).Replace(format)
}()

// TestLongWords: long words are broken, and make neither the page nor a box wider than the screen.
func TestLongWords(t *testing.T) {
	t.Parallel()
	root, page := sessionSite(t, "5e55d0c5-0000-4000-8000-000000000017", wordLog)
	tb := openTab(t, root, withScript)
	tb.load(t, page)
	tb.view(t, 305, "light")
	eval[chromedp.Void](t, tb, openAll)
	report(t, page, eval[[]string](t, tb, overflowing))
	report(t, page, eval[[]string](t, tb, `[...document.querySelectorAll(".meta, .whole, .ask li")].filter((el) => el.scrollWidth > el.clientWidth).map((el) => el.outerHTML.slice(0, 80) + " is cut off")`))

	tb.load(t, "insights.html")
	tb.view(t, 256, "light")
	report(t, "insights.html", eval[[]string](t, tb, overflowing))
	report(t, page, tb.takeFindings())
}

// TestDeepNesting: lists and quotes in many others do not make the page wider than the screen.
func TestDeepNesting(t *testing.T) {
	t.Parallel()
	root, page := sessionSite(t, "5e55d0c5-0000-4000-8000-000000000012", deepLog)
	tb := openTab(t, root, withScript)
	tb.load(t, page)
	if n := eval[int](t, tb, `document.querySelectorAll(".prose ul").length`); n < 60 {
		t.Errorf("the page has %d lists, want 60", n)
	}
	report(t, page, checkLooks(t, tb))
	report(t, page, tb.takeFindings())
}
