package e2e

import (
	"fmt"
	"strings"
	"testing"
)

// TestLaterPage opens a later page of a long session. It has the outline of all pages, whose links lead to their
// targets, and the page number.
func TestLaterPage(t *testing.T) {
	t.Parallel()
	folder := longFolder(t)
	tb := openTab(t, longSite(t), withScript)
	tb.view(t, 1280, "light")
	outline := func() []string {
		return eval[[]string](t, tb, `[...document.querySelectorAll(".out .toc a:not(.fails)")].map((a) => a.href.replace(/.*\/s\//, ""))`)
	}
	tb.load(t, folder+"/index.html")
	whole := strings.Join(outline(), "\n")
	pages := eval[string](t, tb, `document.querySelector(".pager span").textContent`)
	tb.load(t, folder+"/3.html")
	tb.await(t, `document.querySelector(".out .toc a[href^='2.html#']")`, "the outline of all pages")
	if got := strings.Join(outline(), "\n"); got != whole {
		t.Errorf("the outline of page 3 links to\n%.300s\nwant the links of page 1\n%.300s", got, whole)
	}
	report(t, "3.html", eval[[]string](t, tb, `(() => {
		const wrong = [], own = [...document.querySelectorAll(".out .toc a[href^='#']")];
		for (const a of own) if (!document.getElementById(a.hash.slice(1))) wrong.push(a.hash + " is not on the page");
		if (!own.length) wrong.push("no entry is of this page");
		return wrong;
	})()`))
	tb.await(t, `document.querySelector(".out .toc [aria-current]")`, "what is being read, in the outline")
	got := eval[string](t, tb, `document.querySelector(".pager span").textContent`)
	if want := strings.Replace(pages, "1", "3", 1); !strings.HasPrefix(got, want+"1 2 3 ") {
		t.Errorf("the pager is %q, want %q and the numbers of the pages", got, want)
	}
	if !eval[bool](t, tb, `!!document.querySelector("main > .verdict .mark") && !!document.querySelector("main > .story")`) {
		t.Error("page 3 lacks how the session ended")
	}
	report(t, "3.html", inaccessible(t, tb))
	tb.click(t, ".pager small a[href='2.html']")
	tb.await(t, `location.pathname.endsWith("/2.html") && document.querySelector(".pager small")`, "page 2")
	report(t, "2.html", tb.takeFindings())

	plain := openTab(t, longSite(t), withoutScript)
	plain.view(t, 1280, "light")
	for page := 2; page <= 4; page++ {
		plain.load(t, fmt.Sprintf("%s/%d.html", folder, page))
		if n := eval[int](t, plain, `document.querySelectorAll(".out .toc a").length`); n == 0 {
			t.Errorf("without script the outline of page %d is empty", page)
		}
		line := eval[string](t, plain, `document.querySelector("main > .meta").textContent`)
		if !strings.Contains(line, "session began") || !strings.Contains(line, "Asked") {
			t.Errorf("without script the top of page %d is %q", page, line)
		}
	}
}

// TestEntryOnOtherPage opens links to the first page whose entries are on the third.
func TestEntryOnOtherPage(t *testing.T) {
	t.Parallel()
	tb, name := openLong(t, "3.html")
	ids := eval[[]string](t, tb, `["div.prompt", "div.prose", "details.tool"].map((look) => document.querySelector("main > .turn "+look+"[id]")?.id ?? "")`)
	for _, id := range ids {
		if id == "" {
			t.Fatalf("%s has no prompt, answer or call among %q", name, ids)
		}
		tb.load(t, longFolder(t)+"/index.html#"+id)
		tb.await(t, `location.pathname.endsWith("/3.html") && !!document.getElementById(location.hash.slice(1))`, "the page of "+id)
		report(t, name, tb.takeFindings())
	}
}

// TestLaterPageStays: on a later page there is room for the outcome, so that the text hardly moves when it arrives, and
// no room if it does not.
func TestLaterPageStays(t *testing.T) {
	t.Parallel()
	const (
		first = `document.querySelector("main > .turn").getBoundingClientRect().top`
		ready = `"ready" in (document.documentElement?.dataset ?? {})`
	)
	for _, width := range []int64{1280, 390} {
		tb, arrive := openWithout(t, longSite(t), "/pages.js", longFolder(t)+"/3.html")
		tb.view(t, width, "light")
		tb.await(t, ready, "the script")
		was := eval[float64](t, tb, first)
		arrive()
		tb.await(t, `document.querySelector("main > .story")`, "the outcome")
		if now := eval[float64](t, tb, first); now-was > 60 || was-now > 130 {
			t.Errorf("%d px wide: the text moves from %.0f to %.0f", width, was, now)
		}
	}
	plain := openTab(t, longSite(t), withoutScript)
	plain.load(t, longFolder(t)+"/3.html")
	if eval[bool](t, plain, `document.querySelector(".headroom").checkVisibility()`) {
		t.Error("without script there is room for an outcome")
	}
}
