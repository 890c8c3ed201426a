package e2e

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestSiteSent checks the level As sent: the lines about what happened to each message are only visible there, nothing
// overflows, and messages that were never sent are dimmed.
func TestSiteSent(t *testing.T) {
	t.Parallel()
	root := builtSite(t)
	for _, m := range modes {
		t.Run(m.name, func(t *testing.T) {
			never := 0
			tb := openTab(t, root, m)
			for _, page := range sessionPages(t, root, 8) {
				tb.load(t, page)
				for _, width := range widths {
					tb.view(t, width, "light")
					tb.click(t, "label[for=level-tools]")
					report(t, page, eval[[]string](t, tb, `[...document.querySelectorAll(".sent")].filter((el) => el.checkVisibility()).map((el) => "at level-tools a .sent shows: " + el.textContent)`))
					tb.click(t, "label[for=level-sent]")
					report(t, page, shownAt(t, tb, "level-sent"))
					report(t, page, eval[[]string](t, tb, sentFaults))
					if wide := eval[[]string](t, tb, overflowing); len(wide) > 0 {
						t.Errorf("%s: at level-sent, %d px: the page overflows: %s", page, width, wide)
					}
				}
				eval[chromedp.Void](t, tb, openAll)
				tb.click(t, "label[for=level-sent]")
				if wide := eval[[]string](t, tb, overflowing); len(wide) > 0 {
					t.Errorf("%s: at level-sent, with everything open, the page overflows: %s", page, wide)
				}
				never += eval[int](t, tb, `document.querySelectorAll(".sent.no").length`)
				report(t, page, tb.takeFindings())
				eval[chromedp.Void](t, tb, forget)
			}
			if never == 0 {
				t.Error("found no message that was never sent")
			}
		})
	}
}

// TestSentNarrow checks calls whose facts and tasks are long words: at this level nothing clips them.
func TestSentNarrow(t *testing.T) {
	t.Parallel()
	word := strings.Repeat("high_water", 6)
	root, page := sessionSite(t, "ffffffff-0000-4000-8000-000000000000", `{"type":"assistant","uuid":"00000001-0000-4000-8000-000000000000","parentUuid":null,"cwd":"/home/ada/pier","version":"2.1.210","timestamp":"2026-11-20T20:00:00Z","message":{"id":"m1","role":"assistant","model":"claude-opus-4-8","content":[{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"git push"}},{"type":"tool_use","id":"t2","name":"TodoWrite","input":{"todos":[{"content":"Read `+word+`","status":"pending"}]}}]}}
{"type":"user","uuid":"00000002-0000-4000-8000-000000000000","parentUuid":"00000001-0000-4000-8000-000000000000","cwd":"/home/ada/pier","version":"2.1.210","timestamp":"2026-11-20T20:00:09Z","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"done"}]},"toolUseResult":{"stdout":"done","stderr":"","interrupted":false,"gitOperation":{"push":{"branch":"`+word+`"}}}}
`)
	tb := openTab(t, root, withScript)
	tb.load(t, page)
	eval[chromedp.Void](t, tb, openAll)
	tb.click(t, "label[for=level-sent]")
	if !eval[bool](t, tb, `!!document.querySelector("main .todo span") && document.querySelector("main [open] > .row .b").textContent.startsWith("pushed high_water")`) {
		t.Fatal("found no task or no fact on the page")
	}
	for _, width := range widths {
		tb.view(t, width, "light")
		if wide := eval[[]string](t, tb, overflowing); len(wide) > 0 {
			t.Errorf("%s: at %d px the page overflows: %s", page, width, wide)
		}
	}
	report(t, page, tb.takeFindings())
}

// sentFaults returns what is wrong at the level As sent.
const sentFaults = `(() => {
	const wrong = [], folded = (el) => el.parentElement.closest("details:not([open])") || el.closest("details:not([open]) > :not(summary)");
	const all = [...document.querySelectorAll("main .sent:not(:empty)")];
	for (const el of all) if (!folded(el) && !el.checkVisibility()) wrong.push("does not show: " + el.textContent);
	if (!all.length) wrong.push("no .sent on the page");
	const ink3 = document.querySelector("#main").appendChild(document.createElement("i"));
	ink3.style.color = "var(--ink3)"; // set by script, which the policy allows
	const dim = getComputedStyle(ink3).color;
	ink3.remove();
	for (const el of document.querySelectorAll(".sent.no + :not(.sent, details, .tool)"))
		if (getComputedStyle(el).color !== dim) wrong.push("not dimmed: " + el.className + " " + getComputedStyle(el).color + ", want " + dim);
	return wrong;
})()`
