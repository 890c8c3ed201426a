package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// TestKeys goes through a page by keys alone.
func TestKeys(t *testing.T) {
	t.Parallel()
	tb, page := openLong(t, "2.html")
	focus := func() string { return eval[string](t, tb, focused) }

	tb.press(t, "j")
	first := focus()
	if !strings.HasPrefix(first, "div.prompt#") {
		t.Errorf("j puts the focus on %s, want a prompt", first)
	}
	tb.press(t, "j")
	if second := focus(); second == first || !strings.HasPrefix(second, "div.prompt#") {
		t.Errorf("after %s j goes to %s, want the next prompt", first, second)
	}
	report(t, page, eval[[]string](t, tb, inSight))
	// The outline marks the same prompt.
	tb.await(t, `document.querySelector(".out [aria-current=true]")?.hash === "#" + document.activeElement.id`,
		"the prompt in focus to be current in the outline")
	tb.press(t, "k")
	if got := focus(); got != first {
		t.Errorf("k goes to %s, want back to %s", got, first)
	}

	tb.press(t, "n")
	if got := focus(); !strings.Contains(got, ".row") {
		t.Errorf("n puts the focus on %s, want the row of a call", got)
	}
	row := focus()
	tb.press(t, "nn")
	report(t, page, eval[[]string](t, tb, inSight))
	tb.press(t, "pp")
	if got := focus(); got != row {
		t.Errorf("nn and pp end at %s, want %s", got, row)
	}

	eval[chromedp.Void](t, tb, `[...document.querySelectorAll("main details:not([open]) > summary.row")].find((el) => el.checkVisibility()).focus()`)
	const open = `document.activeElement.parentElement.open`
	for _, want := range []bool{true, false} {
		tb.press(t, "e")
		if got := eval[bool](t, tb, open); got != want {
			t.Errorf("after e on a row its <details> is open: %v, want %v", got, want)
		}
	}
	eval[chromedp.Void](t, tb, `document.activeElement.blur()`)
	tb.press(t, "e")
	if n := eval[int](t, tb, `document.querySelectorAll("main details:not([open], .steps)").length`); n > 0 {
		t.Errorf("e without a focused row leaves %d <details> closed, want none", n)
	}
	tb.press(t, "x")
	if n := eval[int](t, tb, openFolds); n > 0 {
		t.Errorf("x leaves %d <details> open, want none", n)
	}

	for i, l := range levels {
		tb.press(t, fmt.Sprint(i+1))
		if got := eval[string](t, tb, `document.querySelector(".levels input:checked").id`); got != l.id {
			t.Errorf("%d sets %s, want %s", i+1, got, l.id)
		}
	}
	report(t, page, tb.takeFindings())
}

// TestKeysBetweenPages goes through the pages of a session, to the index, and down its rows.
func TestKeysBetweenPages(t *testing.T) {
	t.Parallel()
	tb, name := openLong(t, "index.html")
	at := func(suffix string) {
		t.Helper()
		tb.await(t,
			fmt.Sprintf(`location.pathname.endsWith(%q) && "ready" in (document.documentElement?.dataset ?? {})`, suffix), suffix)
	}
	tb.press(t, "]")
	at("/2.html")
	// As German and French keyboards have it.
	eval[chromedp.Void](t, tb, `document.body.dispatchEvent(new KeyboardEvent("keydown",
		{ key: "]", ctrlKey: true, altKey: true, modifierAltGraph: true, bubbles: true }))`)
	at("/3.html")
	tb.press(t, "[")
	at("/2.html")
	tb.press(t, "gi")
	at("/longsite/index.html")
	tb.press(t, "j")
	if got := eval[string](t, tb,
		`document.activeElement.closest(".srow") && document.activeElement.localName`); got != "a" {
		t.Errorf("j on the index puts the focus on %q, want the link of a session", got)
	}
	tb.press(t, kb.Enter)
	at(name)
	report(t, name, tb.takeFindings())
}

// TestKeysTheme switches between light and dark. The next page of the site has the same theme.
func TestKeysTheme(t *testing.T) {
	t.Parallel()
	tb, name := openLong(t, "index.html")
	tb.press(t, "t")
	if l := eval[float64](t, tb, lightness); l > 0.4 {
		t.Errorf("%s: after t the lightness of the background is %.2f, want near 0", name, l)
	}
	tb.load(t, strings.Replace(name, "index.html", "2.html", 1))
	if l := eval[float64](t, tb, lightness); l > 0.4 {
		t.Errorf("on the next page the lightness of the background is %.2f, want near 0", l)
	}
	tb.press(t, "t")
	if l := eval[float64](t, tb, lightness); l < 0.6 {
		t.Errorf("after t again the lightness of the background is %.2f, want near 1", l)
	}
	report(t, name, tb.takeFindings())
}

// TestKeysHelp opens the help, closes it with Escape, and turns the keys off and on in it.
func TestKeysHelp(t *testing.T) {
	t.Parallel()
	tb, name := openLong(t, "2.html")
	isOpen := func() bool { return eval[bool](t, tb, `!!document.querySelector("dialog.keys")?.open`) }
	tb.press(t, "?")
	if !isOpen() {
		t.Fatal("? does not open the help")
	}
	tb.press(t, "j")
	if got := eval[bool](t, tb, `!!document.activeElement.closest("dialog")`); !got {
		t.Error("a key takes the focus out of the help")
	}
	tb.press(t, kb.Escape)
	if isOpen() {
		t.Error("Escape leaves the help open")
	}
	tb.click(t, "[data-act=help]")
	tb.click(t, "dialog.keys label")
	tb.click(t, "dialog.keys > button")
	tb.press(t, "j")
	if got := eval[bool](t, tb, `!!document.activeElement.closest("main")`); got {
		t.Error("with keys turned off, j moves the focus")
	}
	tb.click(t, "[data-act=help]")
	tb.click(t, "dialog.keys label")
	tb.click(t, "dialog.keys > button")
	tb.press(t, "j")
	if got := eval[bool](t, tb, `!!document.activeElement.closest("main")`); !got {
		t.Error("with keys turned on again, j does not move the focus")
	}
	report(t, name, tb.takeFindings())
}

// TestTab goes through a page by Tab alone. Every stop is in the window, has a visible focus and a name, and the
// sequence ends. The first stop is a link that skips what precedes the text.
func TestTab(t *testing.T) {
	t.Parallel()
	root := builtSite(t)
	for _, page := range append(sessionPages(t, root, 2), "index.html") {
		for _, m := range modes {
			t.Run(page+" "+m.name, func(t *testing.T) {
				tb := openTab(t, root, m)
				tb.view(t, 1280, "light")
				tb.load(t, page)
				seen := map[string]bool{}
				for i := range 400 {
					tb.press(t, kb.Tab)
					stop := eval[[]string](t, tb, tabStop)
					name, wrong := stop[0], stop[1:]
					if i == 0 && name != "a.skip" {
						t.Errorf("the first stop is %s, want the link to the text", name)
					}
					report(t, page, wrong)
					if name == "body" || seen[name] {
						if len(seen) < 10 {
							t.Errorf("got %d stops, want more", len(seen))
						}
						report(t, page, tb.takeFindings())
						return
					}
					seen[name] = true
				}
			})
		}
	}
}

const (
	// focused returns the focused element, such as div.prompt#a1b2c3.
	focused = `(() => {
		const el = document.activeElement;
		return el.localName + [...el.classList].map((c) => "." + c).join("") + (el.id || el.parentElement?.id ? "#" + (el.id || el.parentElement.id) : "");
	})()`

	// inSight returns a text if the focused element is not in the window.
	inSight = `(() => {
		const el = document.activeElement, box = el.getBoundingClientRect();
		return box.top < 46 || box.top > innerHeight ? [el.className + " in focus is out of the window: top " + Math.round(box.top)] : [];
	})()`

	// tabStop returns the position of the focused element, and what is wrong with it.
	tabStop = `(() => {
		const el = document.activeElement, wrong = [];
		if (el === document.body) return ["body"];
		const own = (el) => el.localName + [...el.classList].map((c) => "." + c).join("") + (el.id ? "#" + el.id : "");
		const name = own(el), path = (el) => el === document.body ? "" : path(el.parentElement) + "/" + [...el.parentElement.children].indexOf(el);
		if (!el.matches(":focus-visible")) wrong.push(name + " does not show that it has the focus");
		const shown = el.matches(".levels input") ? el.nextElementSibling : el, ring = (el) => el && getComputedStyle(el).outlineStyle !== "none" && parseFloat(getComputedStyle(el).outlineWidth) > 0;
		if (!ring(shown) && !ring(shown.closest("li"))) wrong.push(name + " has no outline in focus");
		const box = shown.getBoundingClientRect();
		if (box.bottom < 0 || box.top > innerHeight || !box.width) wrong.push(name + " in focus is out of the window");
		const words = (el.ariaLabel || el.labels?.[0]?.textContent || el.textContent || el.querySelector("[alt]")?.alt || "").trim();
		if (!words) wrong.push(name + " has no name");
		return [el.matches(".skip") ? "a.skip" : name + path(el), ...wrong];
	})()`
)

// TestTabIntoScrollers: Tab stops at boxes that scroll sideways on a phone, so that the arrow keys can scroll them.
func TestTabIntoScrollers(t *testing.T) {
	t.Parallel()
	for _, m := range modes {
		t.Run(m.name, func(t *testing.T) {
			tb := openTab(t, longSite(t), m)
			tb.view(t, 320, "light")
			tb.load(t, longFolder(t)+"/2.html")
			boxes := eval[int](t, tb, openAll+`
				window.boxes = [...document.querySelectorAll("main pre:not(.gut), main .table")].filter((el) => el.checkVisibility() && el.scrollWidth > el.clientWidth).slice(0, 20);
				boxes.length`)
			if boxes < 5 {
				t.Fatalf("got %d boxes that scroll, want more", boxes)
			}
			for i := range boxes {
				// From the focusable element before it, passing boxes that scroll too.
				eval[chromedp.Void](t, tb, fmt.Sprintf(`{
					const before = [...document.querySelectorAll("a[href], summary")].filter((el) => el.checkVisibility() && el.compareDocumentPosition(boxes[%d]) & Node.DOCUMENT_POSITION_FOLLOWING);
					before.at(-1).focus();
				}`, i))
				for range 8 {
					tb.press(t, kb.Tab)
					if eval[bool](t, tb, fmt.Sprintf(`boxes[%d].contains(document.activeElement) || !document.activeElement.matches("pre, .table")`, i)) {
						break
					}
				}
				if !eval[bool](t, tb, fmt.Sprintf(`boxes[%d].contains(document.activeElement)`, i)) {
					t.Errorf("Tab before %s goes to %s", eval[string](t, tb, fmt.Sprintf(`boxes[%d].className`, i)),
						eval[string](t, tb, focused))
				}
			}
			report(t, "2.html", tb.takeFindings())
		})
	}
}

// TestTabIntoHighBlocks: a block that scrolls only up and down is in the tab order, as a long output in a report.
func TestTabIntoHighBlocks(t *testing.T) {
	t.Parallel()
	tb, page := openLong(t, "2.html")
	got := eval[string](t, tb, `(() => {
		const el = document.createElement("pre");
		el.textContent = "tide\n".repeat(40);
		document.querySelector("main").append(el);
		const tabIndex = () => { dispatchEvent(new Event("resize")); return el.tabIndex; };
		const whole = tabIndex();
		el.style.cssText = "max-height: 5em; overflow: auto";
		return whole + ", " + tabIndex();
	})()`)
	if got != "-1, 0" {
		t.Errorf("the tab indexes of a block that does not scroll, and that does, are %s, want -1, 0", got)
	}
	report(t, page, tb.takeFindings())
}
