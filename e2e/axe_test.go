package e2e

import (
	"fmt"
	"os"
	"slices"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// TestAccessible checks every page with axe-core, as it is loaded, and with everything open on a phone. TestContrast
// checks all colours in both themes.
func TestAccessible(t *testing.T) {
	t.Parallel()
	root := builtSite(t)
	tb := openTab(t, root, withScript)
	for _, page := range pagesOf(t, root) {
		tb.view(t, 1280, "light")
		tb.load(t, page)
		findings := inaccessible(t, tb)
		tb.view(t, 320, "light")
		eval[chromedp.Void](t, tb, openAll)
		findings = append(findings, inaccessible(t, tb)...)
		slices.Sort(findings)
		report(t, page, slices.Compact(findings))
		eval[chromedp.Void](t, tb, forget)
	}
}

// TestAccessibleParts does the same for parts that the script adds, and at each level.
func TestAccessibleParts(t *testing.T) {
	t.Parallel()
	root := longSite(t)
	for _, page := range []string{longFolder(t) + "/2.html", longFolder(t) + "/changes.html", "index.html"} {
		tb := openTab(t, root, withScript)
		tb.view(t, 1280, "dark")
		tb.load(t, page)
		tb.press(t, "/")
		tb.press(t, "a")
		report(t, page+" with the search", inaccessible(t, tb))
		eval[chromedp.Void](t, tb, `document.activeElement.blur()`)
		tb.press(t, "?")
		report(t, page+" with the help", inaccessible(t, tb))
		tb.press(t, kb.Escape)
		for _, l := range levels {
			if eval[bool](t, tb, fmt.Sprintf(`!!document.getElementById(%q)`, l.id)) {
				eval[chromedp.Void](t, tb, fmt.Sprintf(`document.getElementById(%q).click()`, l.id))
				report(t, page+" at "+l.id, inaccessible(t, tb))
			}
		}
		report(t, page, tb.takeFindings())
	}
}

// openAll opens everything on a page.
const openAll = `document.querySelector("#level-everything")?.click(); document.querySelectorAll("details").forEach((d) => { d.open = true })`

// TestInaccessible: axe-core finds the faults of a bad page.
func TestInaccessible(t *testing.T) {
	t.Parallel()
	tb := openTab(t, testSite(t, "bad"), withScript)
	tb.load(t, "index.html")
	eval[chromedp.Void](t, tb, `document.body.innerHTML = '<img src="x.png"><button></button>'`)
	wants(t, "axe-core", inaccessible(t, tb), "image-alt", "button-name")
}

// inaccessible returns the serious and critical findings of axe-core, and what is outside of landmarks.
func inaccessible(t testing.TB, tb *tab) []string {
	t.Helper()
	axe, err := os.ReadFile(checker(t, "axe-core/axe.min.js"))
	if err != nil {
		t.Fatal(err)
	}
	if !eval[bool](t, tb, `!!window.axe`) {
		eval[chromedp.Void](t, tb, string(axe)+";0")
	}
	return evalPromise[[]string](t, tb, `axe.run(document, {
		resultTypes: ["violations"],
		preload: false, // it would load the style sheet again, which the policy forbids
		rules: {
			// It only checks tabindex; TestTabIntoScrollers uses the keyboard.
			"scrollable-region-focusable": { enabled: false },
			"color-contrast": { enabled: false }, // TestContrast checks all text in both themes
		},
	}).then(({ violations }) => violations
		.filter((v) => /serious|critical/.test(v.impact) || v.id === "region")
		.flatMap((v) => v.nodes.slice(0, 3).map((n) => v.id + ": " + v.help + ": " + n.target + " " + n.html.slice(0, 160) + (n.any[0]?.message ? " (" + n.any[0].message + ")" : ""))))`)
}
