package e2e

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// sparseSessions returns the folder of a site of a few sessions in two months, two of them warm-ups.
func sparseSessions(t testing.TB) string {
	t.Helper()
	return mustBuild(t, buildSparseSessions)
}

var buildSparseSessions = sync.OnceValues(func() (string, error) {
	dir := filepath.Join(work, "sparse", "-home-ada-pier")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	for i, n := range []int{1, 4, 9, 30, 70, 71} { // n times 12 hours before 20 November 2026, 20:15 UTC
		id := fmt.Sprintf("%08d-0000-4000-8000-000000000000", n)
		text := inventedSession(n, id, "pier")
		if i == 2 || i == 5 {
			text = fmt.Sprintf(`{"uuid":"%s","parentUuid":null,"sessionId":%q,"cwd":"/home/ada/pier",`+
				`"timestamp":"2026-11-1%d:00:00Z","type":"user","message":{"role":"user","content":"Warmup"}}`, id, id, n%10) + "\n"
		}
		if err := os.WriteFile(filepath.Join(dir, id+".jsonl"), []byte(text), 0o644); err != nil {
			return "", err
		}
	}
	return build("sparsesite", filepath.Join(work, "sparse"))
})

// TestIndexMinor: warm-ups are hidden, and a count shows them on request, with and without script.
func TestIndexMinor(t *testing.T) {
	t.Parallel()
	for _, m := range modes {
		t.Run(m.name, func(t *testing.T) {
			tb := openTab(t, sparseSessions(t), m)
			tb.view(t, 1280, "light")
			tb.load(t, "index.html")
			if got := eval[[]string](t, tb, rows); !slices.Equal(got, titles(1, 4, 30, 70)) {
				t.Errorf("before: got %v", got)
			}
			if got := eval[string](t, tb,
				`document.querySelector(".minor").textContent.trim()`); got != "Show 2 warm-ups and empty sessions" {
				t.Errorf("got the count %q", got)
			}
			tb.click(t, "#minor")
			if got := eval[[]string](t, tb, rows); len(got) != 6 || !slices.Contains(got, "Warmup") {
				t.Errorf("after a click: got %v", got)
			}
			report(t, "index.html", tb.takeFindings())
		})
	}
}

// TestIndexSparse: few sessions are grouped by months instead of days, in the reader's time zone, and on a phone the
// newest day is visible.
func TestIndexSparse(t *testing.T) {
	t.Parallel()
	tb := openTab(t, sparseSessions(t), withScript)
	tb.zone(t, "Pacific/Auckland")
	tb.view(t, 320, "light")
	tb.load(t, "index.html")
	heads := eval[[]string](t, tb, `[...document.querySelectorAll(".dayset")].filter((el) => el.checkVisibility()).map((set) => set.querySelector("h2").textContent + ": " + set.querySelector(".at").textContent)`)
	if want := []string{"November 2026: 20 Fri 21:16", "October 2026: 17 Sat 09:16"}; !slices.Equal(heads, want) {
		t.Errorf("got headings and their first times %q, want %q", heads, want)
	}
	report(t, "index.html", eval[[]string](t, tb, `(() => {
		const heat = document.querySelector(".heat"), cell = [...heat.querySelectorAll("a")].at(-1).getBoundingClientRect(), box = heat.getBoundingClientRect();
		if (heat.scrollWidth <= heat.clientWidth) return ["the year does not scroll: the test wants it wider than the page"];
		return cell.left >= box.left && cell.right <= box.right ? [] : ["the newest day of the year is out of sight at " + cell.left];
	})()`))
	report(t, "index.html", inaccessible(t, tb))
	report(t, "index.html", tb.takeFindings())
}

// TestIndexNeverShowsOthers records which rows are visible while the rows of older months are loaded, and searches
// inside of sessions from the same field.
func TestIndexNeverShowsOthers(t *testing.T) {
	t.Parallel()
	tb := openTab(t, manySessions(t), withScript)
	tb.view(t, 1280, "light")
	tb.load(t, "index.html")
	eval[chromedp.Void](t, tb, `(() => {
		window.wrong = [];
		const look = () => { for (const row of document.querySelectorAll(".srow")) if (row.checkVisibility() && !row.textContent.includes("399")) window.wrong.push(row.querySelector("a").textContent); };
		window.parts = 0;
		new MutationObserver((changes) => {
			if (!changes.some((c) => [...c.addedNodes].some((n) => n.querySelector?.(".srow")))) return;
			window.parts++;
			look();
		}).observe(document.querySelector("main"), { childList: true, subtree: true });
	})()`)
	enter(t, tb, "#filter", "number 399")
	tb.await(t, settled, "older sessions")
	if got := eval[[]string](t, tb, `window.wrong`); len(got) > 0 {
		t.Errorf("while scripts load, %d rows that do not match are visible, the first %q", len(got), got[0])
	}
	if n := eval[int](t, tb, `window.parts`); n == 0 {
		t.Error("no older rows were loaded")
	}
	tb.press(t, "f"+kb.Enter)
	tb.await(t, `document.querySelector(".finder[open] input")?.value === "number 399"`, "the search of all texts")
	report(t, "index.html", tb.takeFindings())
}

// TestIndexNeverFlashesOthers opens an address with a filter, of which only half the page has arrived: no row may be
// visible before all rows are filtered.
func TestIndexNeverFlashesOthers(t *testing.T) {
	t.Parallel()
	root := manySessions(t)
	index, err := os.ReadFile(filepath.Join(root, "index.html"))
	if err != nil {
		t.Fatal(err)
	}
	half := bytes.LastIndex(index, []byte(`<li class="srow`))
	arrived := make(chan bool)
	arrive := sync.OnceFunc(func() { close(arrived) })
	files := http.FileServer(http.Dir(root))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/":
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			_, _ = w.Write(index[:half])
			w.(http.Flusher).Flush()
			<-arrived
			_, _ = w.Write(index[half:])
		case "/favicon.ico": // browsers request it
		default:
			files.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(server.Close)
	t.Cleanup(arrive)
	tb := openTab(t, server.URL+"/", withScript)
	tb.view(t, 1280, "light")
	if err := tb.depart(tb.url("#q=number+399")); err != nil {
		t.Fatal(err)
	}
	tb.await(t, `document.querySelectorAll(".srow").length > 5 && "filtering" in document.documentElement.dataset`,
		"rows, and the script")
	if got := eval[[]string](t, tb, rows); len(got) > 0 {
		t.Errorf("before filtering, %d rows are visible, the first %q", len(got), got[0])
	}
	arrive()
	tb.await(t, `"ready" in document.documentElement.dataset`, "the script to end")
	tb.await(t, settled, "older sessions")
	if got := eval[[]string](t, tb, rows); len(got) != 1 || !strings.Contains(got[0], "399") {
		t.Errorf("got visible rows %q, want number 399", got)
	}
	report(t, "index.html", tb.takeFindings())
}
