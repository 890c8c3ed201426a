package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// keepCopies makes a page store what it copies. The clipboard is shared by all windows, and needs permission.
const keepCopies = `Object.defineProperty(navigator, "clipboard", { value: { writeText: async (text) => { window.copied = text } } })`

// TestCopy copies by keys and by the buttons at the pointer.
func TestCopy(t *testing.T) {
	t.Parallel()
	tb, page := openLong(t, "2.html")
	eval[chromedp.Void](t, tb, keepCopies)
	copied := func(what string) string {
		t.Helper()
		tb.await(t, `!!window.copied`, "something copied by "+what)
		findings := eval[string](t, tb, `document.querySelector(".told").textContent`)
		if !strings.HasSuffix(findings, " copied") {
			t.Errorf("after %s the page announces %q, want that something was copied", what, findings)
		}
		text := eval[string](t, tb, `copied`)
		eval[chromedp.Void](t, tb, `copied = ""`)
		return text
	}

	tb.press(t, "j")
	tb.press(t, "l")
	if got, want := copied("l"), eval[string](t, tb, `location.href + "#" + document.activeElement.id`); got != want {
		t.Errorf("l copies %q, want %q", got, want)
	}
	tb.press(t, "c")
	if got, want := strings.TrimSpace(copied("c")),
		eval[string](t, tb, `document.activeElement.querySelector(".text").textContent.trim()`); got != want {
		t.Errorf("c on a prompt copies %q, want %q", got, want)
	}

	// The row of a command: the command as it was given.
	eval[chromedp.Void](t, tb, `[...document.querySelectorAll("main .row")].find((el) => el.nextElementSibling?.querySelector(":scope > .cmd")).focus()`)
	tb.press(t, "c")
	if got, want := copied("c"),
		eval[string](t, tb,
			`document.activeElement.nextElementSibling.querySelector(".cmd").textContent.trim()`); got != want || got == "" {
		t.Errorf("c on the row of a command copies %q, want %q", got, want)
	}
	// The row of a file: its path.
	eval[chromedp.Void](t, tb, `document.querySelector("main summary.row:has(.path)").focus()`)
	tb.press(t, "c")
	if got, want := copied("c"),
		eval[string](t, tb, `document.activeElement.querySelector(".arg").textContent`); got != want || got == "" {
		t.Errorf("c on the row of a file copies %q, want %q", got, want)
	}

	// Code: all of it, with the part that is folded.
	eval[chromedp.Void](t, tb, `{
		const pre = document.querySelector("main .src:has(+ .more) .code");
		for (let el = pre; el; el = el.parentElement) if (el.localName === "details") el.open = true;
		pre.scrollIntoView({ block: "center" });
		pre.dispatchEvent(new PointerEvent("pointerover", { bubbles: true }));
		document.querySelector(".copy button").setAttribute("data-e2e", "");
	}`)
	tb.click(t, "[data-e2e]")
	got := copied("the button on code")
	if want := eval[int](t, tb,
		`(() => { const all = document.querySelector("main .src:has(+ .more) + .more > summary").textContent; return +all.match(/[\d,]+/)[0].replace(",", "") })()`); strings.Count(got, "\n")+1 != want {
		t.Errorf("the button of a code block copies %d lines, want %d", strings.Count(got, "\n")+1, want)
	}
	report(t, page, tb.takeFindings())
}

// TestCopyTurn copies a turn and a call as Markdown, and saves a turn, by keys and by buttons.
func TestCopyTurn(t *testing.T) {
	t.Parallel()
	tb, page := openLong(t, "2.html")
	eval[chromedp.Void](t, tb, keepCopies)
	eval[chromedp.Void](t, tb, `{
		const makeURL = URL.createObjectURL;
		URL.createObjectURL = (blob) => { blob.text().then((text) => { window.saved = text }); return makeURL.call(URL, blob) };
	}`)
	take := func(name, what string) string {
		t.Helper()
		tb.await(t, `!!window.`+name, what)
		text := eval[string](t, tb, name)
		eval[chromedp.Void](t, tb, name+` = ""`)
		return text
	}
	click := func(on, name string) {
		t.Helper()
		eval[chromedp.Void](t, tb, on+`.dispatchEvent(new PointerEvent("pointerover", { bubbles: true }))`)
		eval[chromedp.Void](t, tb,
			`[...document.querySelectorAll(".copy button")].find((b) => b.textContent === "`+name+`").click()`)
	}
	tb.press(t, "3")
	tb.press(t, "j")
	const turn = `document.activeElement.closest(".turn")`
	tb.press(t, "M")
	text := take("copied", "a turn by M")
	for _, want := range []string{
		"> " + eval[string](t, tb, turn+`.querySelector(".prompt .text").textContent.trim().split("\n")[0]`),
		"**" + eval[string](t, tb, turn+`.querySelector(".tool .nm").textContent`) + "**",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the turn lacks %q", want)
		}
	}
	tb.press(t, "w")
	if got := take("saved", "a turn by w"); got != text {
		t.Errorf("w saves %d bytes that differ from the %d that M copies", len(got), len(text))
	}
	const prompt = turn + `.querySelector(".prompt")`
	click(prompt, "Turn")
	if got := take("copied", "a turn by its button"); got != text {
		t.Error("the button copies another text than M")
	}
	click(prompt, "Save turn")
	if got := take("saved", "a turn by its button"); got != text {
		t.Error("the button saves another text than w")
	}
	click(turn+`.querySelector(".tool .row")`, "Markdown")
	got := take("copied", "a call by its button")
	if !strings.HasPrefix(got, "**") || !strings.Contains(text, got[:min(len(got), 20)]) {
		t.Errorf("the button of a call copies %.60q, want the call", got)
	}
	click(turn+`.querySelector(".tool .row")`, "Save")
	if saved := take("saved", "a call by its button"); saved != got {
		t.Errorf("the button of a call saves %.60q, but copies %.60q", saved, got)
	}

	// At a lower level the turn has no calls.
	tb.press(t, "1")
	tb.press(t, "M")
	if got := take("copied", "a turn at the lowest level"); len(got) >= len(text) || !strings.HasPrefix(got, "> ") {
		t.Errorf("at the lowest level the turn has %d bytes, want fewer than the %d with calls", len(got), len(text))
	}
	report(t, page, tb.takeFindings())
}

// TestCopyMarkdown converts the prompts and answers of the test sessions and of a long one to Markdown. It must have
// all words of each, in order.
func TestCopyMarkdown(t *testing.T) {
	t.Parallel()
	answers := 0
	for root, pages := range map[string][]string{
		builtSite(t): sessionPages(t, builtSite(t), 20), longSite(t): {longFolder(t) + "/2.html"},
	} {
		tb := openTab(t, root, withScript)
		tb.view(t, 1280, "light")
		for _, page := range pages {
			tb.load(t, page)
			eval[chromedp.Void](t, tb, keepCopies)
			n := eval[int](t, tb, `(window.answers = [...document.querySelectorAll("main .prose[id], main .prompt[id]")].filter((el) => el.checkVisibility())).length`)
			for i := range n {
				answers++
				eval[chromedp.Void](t, tb,
					fmt.Sprintf(`{ copied = ""; const el = answers[%d]; el.tabIndex = -1; el.focus() }`, i))
				tb.press(t, "m")
				tb.await(t, `!!window.copied`, "Markdown")
				report(t, page, eval[[]string](t, tb, fmt.Sprintf(markdownFaults, i)))
			}
			report(t, page, tb.takeFindings())
			eval[chromedp.Void](t, tb, forget)
		}
	}
	if answers < 30 {
		t.Errorf("got %d messages, want more", answers)
	}
}

// markdownFaults returns the faults in the Markdown of message %d. In it, pictures are links, and numbers of lists are
// part of the text.
const markdownFaults = `(() => {
	const el = answers[%d], clone = el.cloneNode(true), wrong = [];
	clone.querySelectorAll("svg, time, .gut, .sent, .vh, .who, .more > summary, [role=doc-backlink], [role=img]").forEach((e) => e.remove());
	const letters = (s) => s.replace(/!\[[^\]]*\]\([^)]*\)/g, "").replace(/\]\([a-z]+:[^)]*\)/g, "]").replaceAll("[x]", "").replace(/^\s*(\d+[.)] )+/gm, "").replace(/[^\p{L}\p{N}]+/gu, "");
	const wordless = (s) => s.replace(/(` + "`{3,}" + `)[\w+#.-]+$/gm, "$1"); // prompts keep their fences
	const bare = letters(wordless(copied)), text = letters(wordless(clone.textContent));
	if (bare !== text) {
		let at = 0;
		while (bare[at] === text[at]) at++;
		wrong.push("Markdown of #" + el.id + " differs from the page at: " + bare.slice(Math.max(0, at - 20), at + 40) + " | " + text.slice(Math.max(0, at - 20), at + 40));
	}
	return wrong;
})()`

// TestCopyMarkdownForms compares the Markdown of known HTML with the expected text.
func TestCopyMarkdownForms(t *testing.T) {
	t.Parallel()
	tb, page := openLong(t, "2.html")
	eval[chromedp.Void](t, tb, keepCopies)
	for _, c := range []struct{ html, want string }{
		{`<h3 class="h1">A *b*</h3><p>c <strong>d</strong> <em>e</em> <del>f</del> <code>g</code></p>`, "# A \\*b\\*\n\nc **d** *e* ~~f~~ `g`\n"},
		{"<p><code>a`b</code> snake_case _x_ &lt;b&gt;</p>", "``a`b`` snake_case \\_x\\_ \\<b>\n"},
		{`<p># no heading</p><p>1. no list</p>`, "\\# no heading\n\n\\1. no list\n"},
		{`<p>see <a href="https://example.org/t">the table</a><br>next</p>`, "see [the table](https://example.org/t)  \nnext\n"},
		{"<p>one\n<br>two <b>x</b>\n<br>three</p>", "one\ntwo **x**\nthree\n"},
		{`<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>`, "- a\n  - b\n- c\n"},
		{`<ol start="3"><li><p>a</p><p>b</p></li><li>c</li></ol>`, "3. a\n\n   b\n4. c\n"},
		{`<ul><li class="task"><span role="img" aria-label="done">☑</span> a</li><li class="task"><span role="img" aria-label="to do">☐</span> b</li></ul>`, "- [x] a\n- [ ] b\n"},
		{`<blockquote><p>a</p><p>b</p></blockquote>`, "> a\n> \n> b\n"},
		{"<pre class=\"code\"><code><i>var</i> a\n  ```\n</code></pre>", "````\nvar a\n  ```\n````\n"},
		{"<pre class=\"code\" data-lang=\"go\"><code><i>var</i> a</code></pre>", "```go\nvar a\n```\n"},
		{"<pre class=\"code diff\"><code><del>a</del>\n<ins>b\n\nc</ins></code></pre>", "```diff\n-a\n+b\n+\n+c\n```\n"},
		{`<div class="table"><table><thead><tr><th>a|b</th><th class="r">n</th></tr></thead><tbody><tr><td>x</td><td class="r">1</td></tr></tbody></table></div>`, "| a\\|b | n |\n| --- | --: |\n| x | 1 |\n"},
		{`<hr><p class="text">&lt;b&gt; *raw*</p>`, "---\n\n<b> *raw*\n"},
		{`<p>a<sup><a href="#x-fn1">1</a></sup></p><div class="footnotes"><ol><li id="x-fn1"><p>note <a role="doc-backlink" href="#x">↩</a></p></li></ol></div>`, "a[^1]\n\n[^1]: note\n"},
	} {
		eval[chromedp.Void](t, tb, fmt.Sprintf(`{
			const el = document.querySelector("main .prose[id]");
			el.innerHTML = %s;
			el.tabIndex = -1;
			el.focus();
			window.copied = "";
		}`, list([]string{c.html})+"[0]"))
		tb.press(t, "m")
		tb.await(t, `!!window.copied`, "Markdown")
		if got := eval[string](t, tb, `copied`); got != c.want {
			t.Errorf("%s: Markdown of %s is\n%s\nwant\n%s", page, c.html, got, c.want)
		}
	}
}
