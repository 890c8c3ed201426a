package e2e

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/chromedp"
)

// openWithout opens a page of a site, whose files of one kind are only sent when arrive is called.
func openWithout(t *testing.T, root, kind, address string) (tb *tab, arrive func()) {
	t.Helper()
	arrived := make(chan bool)
	arrive = sync.OnceFunc(func() { close(arrived) })
	files := http.FileServer(http.Dir(root))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case strings.HasSuffix(r.URL.Path, kind):
			<-arrived
		case r.URL.Path == "/favicon.ico":
			return // browsers request it
		}
		files.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	t.Cleanup(arrive)
	tb = openTab(t, server.URL+"/", withScript)
	tb.view(t, 1280, "light")
	if err := tb.depart(tb.url(address)); err != nil {
		t.Fatal(err)
	}
	return tb, arrive
}

// TestPaintBeforeScript delays the script. The page must be painted, readable and foldable, and nothing may move when
// the script arrives.
func TestPaintBeforeScript(t *testing.T) {
	root := builtSite(t)
	for _, name := range []string{"index.html", sessionPages(t, root, 1)[0]} {
		tb, arrive := openWithout(t, root, ".js", strings.TrimSuffix(name, "index.html"))
		tb.await(t, `performance.getEntriesByType("paint").some((p) => p.name === "first-contentful-paint") && document.readyState === "interactive"`, "the first paint")
		if eval[bool](t, tb, `"ready" in (document.documentElement?.dataset ?? {})`) {
			t.Fatal("the script has already run")
		}
		// Pictures of unknown size move elements too.
		tb.await(t, `[...document.images].every((img) => img.complete || !img.checkVisibility() || img.getBoundingClientRect().top > innerHeight + 3000)`, "the pictures")
		eval[chromedp.Void](t, tb, `window.shift = 0; window.shifted = []; new PerformanceObserver((list) => {
			for (const e of list.getEntries()) {
				shift += e.value;
				shifted.push(...e.sources.map((s) => (s.node?.outerHTML ?? s.node?.data ?? "").slice(0, 80) + " by " + Math.round(s.currentRect.y - s.previousRect.y) + " px"));
			}
		}).observe({ type: "layout-shift" })`)
		arrive()
		tb.await(t, `"ready" in (document.documentElement?.dataset ?? {})`, "the script")
		tb.await(t, `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true)))) && true`, "a frame")
		t.Logf("%s: first paint after %.0f ms, layout shift %.4f", name,
			eval[float64](t, tb, `performance.getEntriesByType("paint").at(-1).startTime`),
			eval[float64](t, tb, `shift`))
		if s := eval[float64](t, tb, `shift`); s > 0.001 {
			t.Errorf("%s: layout shift of %.4f when the script arrives: %q", name, s,
				eval[[]string](t, tb, `shifted`))
		}
		report(t, name, tb.takeFindings())
	}
}

// TestPaintLateStyle delays the style sheet until after the script. The target of the address must still be in the
// window.
func TestPaintLateStyle(t *testing.T) {
	tb, name := openLong(t, "2.html")
	word := foldedWord(t, tb)
	late, arrive := openWithout(t, longSite(t), ".css", name+"#find="+word+"&n=1")
	late.await(t, `document.readyState === "interactive" && performance.getEntriesByType("resource").some((e) => e.name.endsWith(".js") && e.responseEnd > 0)`, "the script")
	arrive()
	late.await(t, `"ready" in document.documentElement.dataset && document.querySelector("link[rel=stylesheet]").sheet`, "the style")
	late.await(t, hasHit, "the hit")
	report(t, name, checkHit(t, late, word))
}
