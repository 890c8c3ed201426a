package e2e

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/heapprofiler"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// asked types a query like its last key would, and returns the milliseconds until the frame in which its hits are
// shown. They are measured in the page, without the communication with the browser.
const asked = `(async (query) => {
	const frame = () => new Promise(requestAnimationFrame);
	if (!document.querySelector(".finder")?.open) document.querySelector("[data-act=search]").click();
	const finder = document.querySelector(".finder"), input = finder.querySelector("input");
	await frame();
	const start = performance.now();
	input.value = query;
	input.dispatchEvent(new Event("input", { bubbles: true }));
	await new Promise((done) => {
		const look = () => finder.dataset.asked === query && done();
		new MutationObserver(look).observe(finder, { attributes: true, subtree: true, childList: true });
	});
	await frame(); // the frame in which they are drawn
	return { ms: performance.now() - start, hits: finder.querySelectorAll(".hit").length };
})`

// TestSearchSpeed searches for two words in a site of 50 MB of sessions, or in that of VIEWER_E2E_SITE: on a page that
// was just opened, and on one after another query. It logs the times, and limits the loaded data to a megabyte and the
// memory of the page.
func TestSearchSpeed(t *testing.T) {
	const maxBytes, maxMemory = 1e6, 150e6
	root := os.Getenv("VIEWER_E2E_SITE")
	if root == "" {
		root = bigSite(t)
	}
	type answer struct {
		MS   float64
		Hits int
	}
	ask := func(tb *tab, query string) answer {
		return evalPromise[answer](t, tb, fmt.Sprintf("%s(%q)", asked, query))
	}
	queries := []string{"test number", "return nil", "the parser", "read file", "build release"}
	warm := openTab(t, root, withScript)
	warm.load(t, "index.html")
	ask(warm, "written before")
	loadedWarm := loads(t, warm)
	found := 0
	for _, query := range queries {
		cold := openTab(t, root, withScript)
		cold.load(t, "index.html")
		loadedCold := loads(t, cold)
		first := ask(cold, query)
		next := ask(warm, query)
		bytes := map[string]int64{"the first query": loadedCold(), "a later one": loadedWarm()}
		t.Logf("%s: %-14q %d hits, cold %.0f ms, %d kB; warm %.0f ms, %d kB", path.Base(root), query, first.Hits,
			first.MS, bytes["the first query"]/1000, next.MS, bytes["a later one"]/1000)
		for name, n := range bytes {
			if n > maxBytes {
				t.Errorf("%s: %q as %s loads %d bytes, want at most %.0f", path.Base(root), query, name, n, maxBytes)
			}
		}
		found += first.Hits
		report(t, "index.html", cold.takeFindings())
	}
	if found < 10*(len(queries)-1) {
		t.Errorf("%s: got %d hits, want queries that find something", path.Base(root), found)
	}
	memory := heap(t, warm)
	t.Logf("%s: %.0f MB of memory after %d queries", path.Base(root), memory/1e6, len(queries)+1)
	if memory > maxMemory {
		t.Errorf("%s: the page uses %.0f MB, want at most %.0f", path.Base(root), memory/1e6, maxMemory/1e6)
	}
	report(t, "index.html", warm.takeFindings())
}

// loads records the files that a page loads. The returned function returns their size since its last call.
func loads(t testing.TB, tb *tab) func() int64 {
	t.Helper()
	var mu sync.Mutex
	var names []string
	err := chromedp.Listen(tb.ctx, func(event any) {
		if e, ok := event.(*network.EventRequestWillBeSent); ok {
			mu.Lock()
			defer mu.Unlock()
			names = append(names, e.Request.URL)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return func() (sum int64) {
		t.Helper()
		mu.Lock()
		defer mu.Unlock()
		for _, name := range names {
			u, err := url.Parse(name)
			if err != nil {
				t.Fatal(err)
			}
			info, err := os.Stat(filepath.FromSlash(u.Path))
			if err != nil {
				t.Fatal(err)
			}
			sum += info.Size()
		}
		names = nil
		return sum
	}
}

// heap returns the memory of a page after garbage collection, in bytes.
func heap(t testing.TB, tb *tab) float64 {
	t.Helper()
	var sum float64
	tb.do(t, chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		if _, err := cdp.Call(ctx, target, heapprofiler.CollectGarbage, cdp.Empty{}); err != nil {
			return err
		}
		use, err := cdp.Call(ctx, target, runtime.GetHeapUsage, cdp.Empty{})
		if err == nil {
			sum = use.UsedSize + use.EmbedderHeapUsedSize + use.BackingStorageSize
		}
		return err
	}))
	return sum
}
