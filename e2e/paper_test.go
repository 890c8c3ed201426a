package e2e

import (
	"bytes"
	"context"
	"fmt"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// TestPaper prints: what is only for screens is away, nothing is wider than the paper, dark readers get white
// paper, and a PDF comes out that has pages.
func TestPaper(t *testing.T) {
	t.Parallel()
	for _, m := range modes {
		t.Run(m.name, func(t *testing.T) {
			for root, pages := range map[string][]string{builtSite(t): append(sessionPages(t, builtSite(t), 3), "index.html"), longSite(t): {longFolder(t) + "/2.html"}} {
				for _, name := range pages {
					tb := openTab(t, root, m)
					tb.view(t, 1280, "dark")
					tb.load(t, name)
					eval[chromedp.Void](t, tb, openAll)

					data := tb.print(t)
					if !bytes.HasPrefix(data, []byte("%PDF-")) || !bytes.Contains(data, []byte("/Type /Page\n")) {
						t.Errorf("%s: printing gives %d bytes, which are no PDF with pages", name, len(data))
					}
					t.Logf("%s: %d pages, %d KB", name, bytes.Count(data, []byte("/Type /Page\n")), len(data)>>10)

					tb.do(t, chromedp.EmulateViewport(paperWidth, 1000), chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
						_, err := cdp.Call(ctx, target, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
							Media: "print", Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "dark"}},
						})
						return err
					}))
					report(t, name, eval[[]string](t, tb, paperFaults))
					if wide := eval[[]string](t, tb, overflowing); len(wide) > 0 {
						t.Errorf("%s: on paper the page overflows: %s", name, wide)
					}
					report(t, name, eval[[]string](t, tb, faint))
					report(t, name, tb.heard())
				}
			}
		})
	}
}

// paperWidth is what margins of 14 mm leave of A4, in CSS pixels.
const paperWidth = 688

func (tb *tab) print(t testing.TB) []byte {
	t.Helper()
	var data []byte
	tb.do(t, chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		result, err := cdp.Call(ctx, target, page.PrintToPDF, page.PrintToPDFParams{PaperWidth: 8.27, PaperHeight: 11.69, PreferCSSPageSize: new(true)})
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
	for (const el of document.querySelectorAll(".top, .out, .pager, .bar, .js, .find, .copy, .skip")) if (el.checkVisibility()) wrong.push(own(el) + " is on paper");
	for (const el of document.querySelectorAll("main pre, main .table")) {
		if (el.checkVisibility() && el.scrollWidth > el.clientWidth + 1) wrong.push(own(el) + " is cut off: " + el.scrollWidth + " of " + el.clientWidth + " px: " + el.textContent.slice(0, 60));
	}
	for (const el of [document.documentElement, document.body, ...document.querySelectorAll("main")]) {
		const c = getComputedStyle(el).backgroundColor;
		if (!/rgba\(0, 0, 0, 0\)|rgb\(255, 255, 255\)/.test(c)) wrong.push(own(el) + " is printed on " + c);
	}
	return wrong.slice(0, 10);
})()`
