package e2e

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// attackSite returns a site of the sessions of internal/testing/attacks, which try to run scripts, load files, lead
// away, and imitate the viewer: each text in some places, or in all with VIEWER_TORTURE.
func attackSite(t testing.TB) string {
	t.Helper()
	return mustBuild(t, buildAttackSite)
}

var buildAttackSite = sync.OnceValues(func() (string, error) {
	from := filepath.Join(work, "attacks")
	args := []string{"run", "./internal/testing/attacks/gen", "-o", from}
	if torture {
		args = append(args, "-full")
	}
	if err := goRun("writing attacks", "go", args...); err != nil {
		return "", err
	}
	return build("attacksite", from)
})

var torture = os.Getenv("VIEWER_TORTURE") != ""

// attackPages returns the pages to open: all pages of the sessions with a group of attacks, the front page, and some of
// the small sessions and projects that are named by an attack.
func attackPages(t testing.TB, root string) []string {
	t.Helper()
	var pages []string
	small := 0
	for _, name := range pagesOf(t, root) {
		if strings.HasPrefix(name, ".") {
			continue
		}
		group := strings.HasPrefix(name, "s/5e551000-0000-4000-8000-00000000")
		if !group && name != "index.html" {
			if small++; small%29 != 0 && !torture {
				continue
			}
		}
		pages = append(pages, name)
	}
	if len(pages) < 50 {
		t.Fatalf("got %d pages of attacks, want more", len(pages))
	}
	return pages
}

// watchFrames records dialogs, frames, and navigation away from the page.
func (tb *tab) watchFrames(t testing.TB) {
	t.Helper()
	err := chromedp.Listen(tb.ctx, func(event any) {
		switch e := event.(type) {
		case *page.EventJavascriptDialogOpening:
			tb.report("a dialog opened: %s", e.Message)
			go func() { // the page waits for it; an error means that the tab was closed
				_ = chromedp.Do(tb.ctx, chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
					_, err := cdp.Call(ctx, target, page.HandleJavaScriptDialog,
						page.HandleJavaScriptDialogParams{Accept: true})
					return err
				}))
			}()
		case *page.EventFrameAttached:
			tb.report("a frame was attached")
		case *page.EventWindowOpen:
			tb.report("a window opened: %s", e.URL)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	tb.do(t, chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		_, err := cdp.Call(ctx, target, page.Enable, page.EnableParams{})
		return err
	}))
}

// provoke does what a reader could do, and returns effects that the viewer's own pages do not have.
const provoke = `(() => {
	const found = [];
	const before = location.href;
	document.querySelectorAll("details").forEach((d) => { d.open = true; });
	for (const e of document.querySelectorAll("body *"))
		for (const a of e.attributes)
			if (a.name.startsWith("on")) found.push("a handler: " + a.name + "=" + a.value);
	[...document.querySelectorAll("a, button, input, summary")].slice(0, 60).forEach((e) => {
		e.dispatchEvent(new MouseEvent("mouseover", { bubbles: true }));
		e.focus({ preventScroll: true });
	});
	document.querySelector("label[for=level-everything]")?.click();
	if (location.href.split("#")[0] !== before.split("#")[0]) found.push("the page went to " + location.href);
	if (window.pwned !== undefined) found.push("pwned is there");
	if (({}).polluted !== undefined) found.push("all objects have what a text gave one");
	for (const name of Object.getOwnPropertyNames(window))
		if (!globals.includes(name)) found.push("a new global: " + name);
	const shown = getComputedStyle(document.body);
	if (shown.display === "none" || shown.visibility === "hidden") found.push("the page is hidden");
	return found;
})()`

// foreign returns the elements and attributes that are not in the list of internal/testing/htmlcheck, as this browser
// parses them.
const foreign = `(() => {
	const found = new Set();
	const walk = (root) => {
		const all = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_COMMENT);
		for (let n = all.currentNode; n; n = all.nextNode()) {
			if (n.nodeType === Node.COMMENT_NODE) { found.add("a comment: " + n.data.slice(0, 60)); continue; }
			if (n.shadowRoot) found.add("a shadow root");
			const kind = (n.namespaceURI === "http://www.w3.org/1999/xhtml" ? "" : n.namespaceURI === "http://www.w3.org/2000/svg" ? "svg:" : "other:") + n.localName;
			const known = [kind, n.closest("code") && "code>" + kind].find((k) => k && Object.hasOwn(ours, k));
			if (!known) { found.add("<" + kind + ">"); continue; }
			for (const a of n.attributes)
				if (!ours[known].includes(a.name)) found.add("<" + kind + " " + a.name + "=" + a.value.slice(0, 60) + ">");
		}
	};
	walk(document.documentElement);
	return [...found];
})()`

// allowedList reads the list of elements and attributes that our templates write.
func allowedList(t testing.TB) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "internal", "testing", "htmlcheck", "allowed.txt"))
	if err != nil {
		t.Fatal(err)
	}
	ours := map[string][]string{}
	for line := range strings.Lines(string(data)) {
		if words := strings.Fields(line); len(words) > 0 && words[0] != "#" {
			ours[words[0]] = append([]string{}, words[1:]...)
		}
	}
	return toJSON(t, ours)
}

func toJSON(t testing.TB, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// globalsOf returns the names that pages of the viewer have in window.
func globalsOf(t testing.TB, root string, pages ...string) string {
	t.Helper()
	tb := openTab(t, root, withScript)
	var names []string
	for _, page := range pages {
		tb.load(t, page)
		names = append(names, eval[[]string](t, tb, "Object.getOwnPropertyNames(window)")...)
	}
	return toJSON(t, names)
}

// TestAttacks opens the pages of sessions that try to inject markup. Nothing may run, load, lead away, open a dialog,
// or show markup that our templates do not write.
func TestAttacks(t *testing.T) {
	t.Parallel()
	plain := builtSite(t)
	globals := globalsOf(t, plain, "index.html", sessionPages(t, plain, 1)[0])
	root := attackSite(t)
	pages := attackPages(t, root)
	ours := allowedList(t)

	t.Run(withScript.name, func(t *testing.T) {
		for chunk := range slices.Chunk(pages, perTab(40)) {
			tb := openTab(t, root, withScript)
			tb.watchFrames(t)
			for i, name := range chunk {
				tb.load(t, name)
				report(t, name, eval[[]string](t, tb, "(() => { const globals = "+globals+"; return "+provoke+" })()"))
				if i%6 == 0 { // the search adds elements to the page
					tb.press(t, "/")
					tb.press(t, `<img src=x onerror=pwned(1)>"`)
					report(t, name+", searched",
						eval[[]string](t, tb, "(() => { const globals = "+globals+"; return "+provoke+" })()"))
				}
				report(t, name, tb.takeFindings())
			}
		}
		t.Logf("%d pages of attacks opened in a browser", len(pages))
	})
	t.Run(withoutScript.name, func(t *testing.T) {
		for chunk := range slices.Chunk(pages, perTab(80)) {
			tb := openTab(t, root, withoutScript)
			tb.watchFrames(t)
			for _, name := range chunk {
				tb.load(t, name)
				report(t, name, eval[[]string](t, tb, "(() => { const ours = "+ours+"; return "+foreign+" })()"))
				report(t, name, tb.takeFindings())
			}
		}
		t.Logf("%d pages of attacks opened in a browser", len(pages))
	})
}

// perTab returns how many pages one tab opens: its lifetime is limited, and with VIEWER_TORTURE pages are large.
func perTab(pages int) int {
	if torture {
		return pages / 8
	}
	return pages
}

// TestAttacksNoticed opens a page on which all of that happens: the checks must find each of them.
func TestAttacksNoticed(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	const text = `<!DOCTYPE html><html data-ready="" lang="en"><head><title>x</title></head><body>
<p onclick="x()">x</p><iframe src="about:blank"></iframe><blink>x</blink><samp>x</samp><code><cite class="y">x</cite></code><!-- x --><img src="https://evil.invalid/x.png" alt="">
<script>window.pwned = 1; Object.prototype.polluted = 1; setTimeout(() => alert(7));</script></body></html>`
	if err := os.WriteFile(filepath.Join(dir, "index.html"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	plain := builtSite(t)
	tb := openTab(t, dir, withScript)
	globals := globalsOf(t, plain, "index.html")
	tb.watchFrames(t)
	tb.load(t, "index.html")
	tb.await(t, `document.readyState === "complete"`, "all of the page")
	found := eval[[]string](t, tb, "(() => { const globals = "+globals+"; return "+provoke+" })()")
	found = append(found, eval[[]string](t, tb, "(() => { const ours = "+allowedList(t)+"; return "+foreign+" })()")...)
	all := strings.Join(append(found, tb.takeFindings()...), "\n")
	for _, want := range []string{
		"a handler: onclick", "pwned is there", "a new global: pwned", "all objects have", "<iframe>", "<blink>",
		"<samp>", "<cite class=y>", "a comment:  x ", "<p onclick=x()>",
		"request outside of the site: https://evil.invalid/x.png", "a dialog opened: 7", "a frame was attached",
	} {
		if !strings.Contains(all, want) {
			t.Errorf("the findings lack %s:\n%s", want, all)
		}
	}
}

// TestAttacksSingle opens the same sessions as single files, which contain their script and style.
func TestAttacksSingle(t *testing.T) {
	t.Parallel()
	plain, names := singleFiles(t)
	globals := globalsOf(t, plain, names[0])
	attackSite(t)
	dir := t.TempDir()
	sessions, err := filepath.Glob(filepath.Join(work, "attacks", "-srv-*", "*.jsonl"))
	if err != nil || len(sessions) < 10 {
		t.Fatalf("got %d sessions of attacks, error %v, want some", len(sessions), err)
	}
	opened := 0
	for i, session := range sessions {
		if i%3 != 0 && !torture {
			continue
		}
		name := filepath.Base(filepath.Dir(session)) + ".html"
		if err := runViewer("export", session, "-o", filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
		tb := openTab(t, dir, withScript) // the lifetime of a tab is limited, and with VIEWER_TORTURE files are large
		tb.watchFrames(t)
		tb.load(t, name)
		report(t, name, eval[[]string](t, tb, "(() => { const globals = "+globals+"; return "+provoke+" })()"))
		report(t, name, withoutPictures(tb.takeFindings()))
		opened++
	}
	t.Logf("%d single files of attacks opened in a browser", opened)
}
