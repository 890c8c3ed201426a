package e2e

import "testing"

// TestSiteSent looks at the level As sent: the lines that say what became of each message show there and
// nowhere else, nothing overflows, and what was never sent is dimmed.
func TestSiteSent(t *testing.T) {
	t.Parallel()
	root := builtSite(t)
	for _, m := range modes {
		t.Run(m.name, func(t *testing.T) {
			never := 0
			for _, page := range sessionPages(t, root, 8) {
				tb := openTab(t, root, m)
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
				never += eval[int](t, tb, `document.querySelectorAll(".sent.no").length`)
				report(t, page, tb.heard())
			}
			if never == 0 {
				t.Error("no page has a message that was never sent: nothing was tested")
			}
		})
	}
}

// sentFaults says what is wrong at the level As sent.
const sentFaults = `(() => {
	const wrong = [], folded = (el) => el.parentElement.closest("details:not([open])") || el.closest("details:not([open]) > :not(summary)");
	const all = [...document.querySelectorAll("main .sent:not(:empty)")];
	for (const el of all) if (!folded(el) && !el.checkVisibility()) wrong.push("does not show: " + el.textContent);
	if (!all.length) wrong.push("no .sent on the page");
	const ink3 = document.querySelector("#main").appendChild(document.createElement("i"));
	ink3.style.color = "var(--ink3)"; // by script: no policy is asked
	const dim = getComputedStyle(ink3).color;
	ink3.remove();
	for (const el of document.querySelectorAll(".sent.no + :not(.sent, details, .tool)"))
		if (getComputedStyle(el).color !== dim) wrong.push("not dimmed: " + el.className + " " + getComputedStyle(el).color + ", want " + dim);
	return wrong;
})()`
