package e2e

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// attackSite is a site of the sessions of internal/attacks, which try to run, load, lead away and look like ours: each
// text in some places, or with VIEWER_TORTURE in all.
func attackSite(t testing.TB) string {
	t.Helper()
	return must(t, buildAttackSite)
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

// attackPages are the pages to open: all of the sessions that hold a group of attacks, the front page, and some of the
// small sessions and projects that are named by one.
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
		t.Fatalf("only %d pages of attacks", len(pages))
	}
	return pages
}

// watchFrames notes dialogs, frames and ways off the page.
func (tb *tab) watchFrames(t testing.TB) {
	t.Helper()
	err := chromedp.Listen(tb.ctx, func(event any) {
		switch e := event.(type) {
		case *page.EventJavascriptDialogOpening:
			tb.find("a dialog opened: %s", e.Message)
			go func() { // the page waits for it; an error means that the tab is gone
				_ = chromedp.Do(tb.ctx, chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
					_, err := cdp.Call(ctx, target, page.HandleJavaScriptDialog,
						page.HandleJavaScriptDialogParams{Accept: true})
					return err
				}))
			}()
		case *page.EventFrameAttached:
			tb.find("a frame was attached")
		case *page.EventWindowOpen:
			tb.find("a window opened: %s", e.URL)
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

// provoke does what a reader does, at once, and says what came of it that we did not write.
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
	for (const name of ["level-prompts", "level-everything"]) document.querySelector("label[for=" + name + "]")?.click();
	if (location.href.split("#")[0] !== before.split("#")[0]) found.push("the page went to " + location.href);
	if (window.pwned !== undefined) found.push("pwned is there");
	if (({}).polluted !== undefined) found.push("all objects have what a text gave one");
	for (const name of Object.getOwnPropertyNames(window))
		if (!globals.includes(name)) found.push("a new global: " + name);
	const shown = getComputedStyle(document.body);
	if (shown.display === "none" || shown.visibility === "hidden") found.push("the page is hidden");
	return found;
})()`

// foreign lists the elements and attributes that are not on the list of internal/htmlcheck, as this browser sees them.
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

// oursList reads the list of elements and attributes that we write.
func oursList(t testing.TB) string {
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

// globalsOf are the names that pages of ours have in window.
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

// TestAttacks opens the pages of sessions that try to get out of them: nothing runs, loads, leads away, asks or shows
// what we did not write.
func TestAttacks(t *testing.T) {
	t.Parallel()
	plain := builtSite(t)
	globals := globalsOf(t, plain, "index.html", sessionPages(t, plain, 1)[0])
	root := attackSite(t)
	pages := attackPages(t, root)
	ours := oursList(t)

	t.Run(withScript.name, func(t *testing.T) {
		for chunk := range slices.Chunk(pages, perTab(40)) {
			tb := openTab(t, root, withScript)
			tb.watchFrames(t)
			for i, name := range chunk {
				tb.load(t, name)
				report(t, name, eval[[]string](t, tb, "(() => { const globals = "+globals+"; return "+provoke+" })()"))
				if i%6 == 0 { // the search writes on the page
					tb.press(t, "/")
					tb.press(t, `<img src=x onerror=pwned(1)>"`)
					report(t, name+", searched",
						eval[[]string](t, tb, "(() => { const globals = "+globals+"; return "+provoke+" })()"))
				}
				report(t, name, tb.heard())
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
				report(t, name, tb.heard())
			}
		}
		t.Logf("%d pages of attacks opened in a browser", len(pages))
	})
}

// perTab is how many pages a tab opens, which lives five minutes: those of the long form are full.
func perTab(pages int) int {
	if torture {
		return pages / 8
	}
	return pages
}

// TestAttacksNoticed opens a page on which all of it happens: each is found.
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
	found = append(found, eval[[]string](t, tb, "(() => { const ours = "+oursList(t)+"; return "+foreign+" })()")...)
	all := strings.Join(append(found, tb.heard()...), "\n")
	for _, want := range []string{
		"a handler: onclick", "pwned is there", "a new global: pwned", "all objects have", "<iframe>", "<blink>",
		"<samp>", "<cite class=y>", "a comment:  x ", "<p onclick=x()>",
		"request outside of the site: https://evil.invalid/x.png", "a dialog opened: 7", "a frame was attached",
	} {
		if !strings.Contains(all, want) {
			t.Errorf("not noticed: %s\nin %s", want, all)
		}
	}
}

// TestAttacksSingle opens the same sessions as single files, which hold their script and style themselves.
func TestAttacksSingle(t *testing.T) {
	t.Parallel()
	plain, names := singleFiles(t)
	globals := globalsOf(t, plain, names[0])
	attackSite(t)
	dir := t.TempDir()
	sessions, err := filepath.Glob(filepath.Join(work, "attacks", "-srv-*", "*.jsonl"))
	if err != nil || len(sessions) < 10 {
		t.Fatalf("%d sessions of attacks: %v", len(sessions), err)
	}
	opened := 0
	for i, session := range sessions {
		if i%3 != 0 && !torture {
			continue
		}
		name := filepath.Base(filepath.Dir(session)) + ".html"
		cmd := exec.Command(filepath.Join(work, "viewer"), "export", session, "-o", filepath.Join(dir, name))
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", cmd, err, out)
		}
		tb := openTab(t, dir, withScript) // a tab lives five minutes, and the files of the long form are large
		tb.watchFrames(t)
		tb.load(t, name)
		report(t, name, eval[[]string](t, tb, "(() => { const globals = "+globals+"; return "+provoke+" })()"))
		report(t, name, withoutPictures(tb.heard()))
		opened++
	}
	t.Logf("%d single files of attacks opened in a browser", opened)
}
