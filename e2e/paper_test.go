package e2e

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// TestPaper prints pages: parts that are only for screens are hidden, nothing is wider than the paper, the paper is
// white also in dark mode, no long part is in a box that a browser may move to the next page as a whole, and the result
// is a PDF with pages.
func TestPaper(t *testing.T) {
	t.Parallel()
	for _, m := range modes {
		t.Run(m.name, func(t *testing.T) {
			for root, pages := range map[string][]string{
				builtSite(t): append(sessionPages(t, builtSite(t), 3), "index.html"),
				longSite(t):  {longFolder(t) + "/2.html"},
			} {
				for _, name := range pages {
					tb := openTab(t, root, m)
					tb.view(t, 1280, "dark")
					tb.load(t, name)
					eval[chromedp.Void](t, tb, openAll)

					data := tb.print(t)
					if !bytes.HasPrefix(data, []byte("%PDF-")) || !bytes.Contains(data, []byte("/Type /Page\n")) {
						t.Errorf("%s: printing gives %d bytes that are not a PDF with pages", name, len(data))
					}
					t.Logf("%s: %d pages, %d KB", name, bytes.Count(data, []byte("/Type /Page\n")), len(data)>>10)

					tb.onPaper(t)
					report(t, name, eval[[]string](t, tb, paperFaults))
					if wide := eval[[]string](t, tb, overflowing); len(wide) > 0 {
						t.Errorf("%s: on paper the page overflows: %s", name, wide)
					}
					report(t, name, eval[[]string](t, tb, faint))
					report(t, name, tb.takeFindings())
				}
			}
		})
	}
}

// TestPaperTyped prints a prompt with code that is wider than the paper: like all code, it must wrap.
func TestPaperTyped(t *testing.T) {
	t.Parallel()
	id := "eeeeeeee-0000-4000-8000-000000000000"
	root, page := sessionSite(t, id,
		fmt.Sprintf(`{"type":"user","uuid":%q,"parentUuid":null,"sessionId":%[1]q,"cwd":"/home/ada/pier","version":"2.1.200","timestamp":"2026-11-20T20:00:00Z","message":{"role":"user","content":%q}}`+"\n",
			id, "See:\n```go\nvar tides = []int{"+strings.Repeat("12, ", 60)+"}\n```"))
	tb := openTab(t, root, withScript)
	tb.load(t, page)
	if n := eval[int](t, tb, `document.querySelectorAll("main .text > .code").length`); n != 1 {
		t.Fatalf("the prompt has %d blocks of code, want more", n)
	}
	tb.onPaper(t)
	report(t, page, eval[[]string](t, tb, paperFaults))
	report(t, page, tb.takeFindings())
}

// paperWidth is the width of A4 without margins of 14 mm, in CSS pixels.
const paperWidth = 688

// onPaper shows the page of a reader in dark mode as it is printed.
func (tb *tab) onPaper(t testing.TB) {
	t.Helper()
	tb.do(t, chromedp.EmulateViewport(paperWidth, 1000),
		chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
			_, err := cdp.Call(ctx, target, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
				Media: "print", Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "dark"}},
			})
			return err
		}))
}

func (tb *tab) print(t testing.TB) []byte {
	t.Helper()
	var data []byte
	tb.do(t, chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		result, err := cdp.Call(ctx, target, page.PrintToPDF, page.PrintToPDFParams{
			PaperWidth: 8.27, PaperHeight: 11.69, PreferCSSPageSize: new(true),
		})
		if err != nil {
			return fmt.Errorf("printing: %w", err)
		}
		data = result.Data
		return nil
	}))
	return data
}

const paperFaults = `(() => {
	const wrong = [], own = (el) => el.localName + [...el.classList].map((c) => "." + c).join("");
	for (const el of document.querySelectorAll(".top, .out, .pager, .bar, .js, .find, .copy, .skip, main :is(input, select, button)")) if (el.checkVisibility()) wrong.push(own(el) + " is on paper");
	for (const el of document.querySelectorAll("main pre, main .text > .code, main .table")) {
		if (el.checkVisibility() && el.scrollWidth > el.clientWidth + 1) wrong.push(own(el) + " is cut off: " + el.scrollWidth + " of " + el.clientWidth + " px: " + el.textContent.slice(0, 60));
	}
	for (const cell of document.querySelectorAll("main .table tr > :last-child")) {
		const around = cell.closest(".table"), over = cell.getBoundingClientRect().right - around.getBoundingClientRect().right + parseFloat(getComputedStyle(around).paddingRight);
		if (cell.checkVisibility() && over > 1) wrong.push(own(cell) + " of " + own(around) + " stands " + over + " px in the margin");
	}
	for (const el of document.querySelectorAll("main *")) {
		const { display, overflowX } = getComputedStyle(el), isBlock = display === "block" && getComputedStyle(el.parentElement).display !== "flex";
		if (/^inline-/.test(display) || overflowX !== "visible" && !isBlock) {
			const height = el.checkVisibility() ? el.getBoundingClientRect().height : 0;
			if (height > 200) wrong.push(own(el) + " of " + Math.round(height) + " px is not broken over pages: " + display + ", overflow " + overflowX);
		}
	}
	for (const el of [document.documentElement, document.body, ...document.querySelectorAll("main")]) {
		const c = getComputedStyle(el).backgroundColor;
		if (!/rgba\(0, 0, 0, 0\)|rgb\(255, 255, 255\)/.test(c)) wrong.push(own(el) + " is printed on " + c);
	}
	return wrong.slice(0, 10);
})()`
