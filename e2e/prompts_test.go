package e2e

import (
	"testing"

	"github.com/chromedp/chromedp"
)

// promptLog is a session with a long prompt in Markdown, an answer of several lines, and a short prompt.
const promptLog = `{"type":"user","uuid":"00000000-0000-4000-8000-000000000000","timestamp":"2026-03-02T09:00:00Z","message":{"role":"user","content":"# Ovens — close all gaps\n\n> **Scope**: every oven on all 4 floors\n> **Out of scope**: the chimney\n\n## Goal\n\n1. **Remove** the old one (replaced by ` + "`" + `oven-2` + "`" + `)\n2. **Frontend** quality — no ` + "`" + `any` + "`" + `\n3. All checks pass:\n   - lint\n   - tests, see https://example.org/ci\n\n` + "`" + `` + "`" + `` + "`" + `go\nfunc bake() error { return nil } // here\n` + "`" + `` + "`" + `` + "`" + `\n\n| floor | ovens |\n|---|--:|\n| 1 | 12 |\n| 2 | 7 |\n\n---\n\n    indented paste\n      of two lines\n\nwhat about this *comment*?\nwhat's __init__ of *.go, #tag?"}}
{"type":"assistant","uuid":"00000000-0000-4000-8000-000000000001","parentUuid":"00000000-0000-4000-8000-000000000000","timestamp":"2026-03-02T09:00:09Z","message":{"id":"m1","role":"assistant","model":"claude-opus-4-8","content":[{"type":"text","text":"✓ lint\n✓ tests **pass**\n✗ chimney"}]}}
{"type":"user","uuid":"00000000-0000-4000-8000-000000000002","parentUuid":"00000000-0000-4000-8000-000000000001","timestamp":"2026-03-02T09:01:00Z","message":{"role":"user","content":"see **this**"}}
`

// TestPromptsDrawn: prompts are drawn as Markdown and contain their source; answers keep their lines.
func TestPromptsDrawn(t *testing.T) {
	t.Parallel()
	root, page := sessionSite(t, "5e55d0c5-0000-4000-8000-000000000000", promptLog)
	for _, m := range modes {
		tb := openTab(t, root, m)
		tb.view(t, 1600, "light")
		tb.load(t, page)
		for _, c := range []struct{ name, expression string }{
			{"headings, lists, code and tables are drawn", `["h3.h1", "h4.h2", "blockquote strong", "ol > li > ul > li", "pre.code", "table td.r", "hr", "a[href='https://example.org/ci']"].every((sel) => document.querySelector(".prompt .text " + sel)?.offsetWidth > 0)`},
			{"marks are hidden", `[...document.querySelectorAll(".prompt .text s")].every((el) => !el.offsetWidth)`},
			{"what only looks like Markdown is as typed", `document.querySelector(".prompt .text").innerText.includes("what's __init__ of *.go, #tag?")`},
			{"line ends are kept", `/comment\?\nwhat's/.test(document.querySelector(".prompt .text").innerText)`},
			{"indentation is kept", `document.querySelector(".prompt .text").innerText.includes("    indented paste\n      of two")`},
			{"the source is there to the character", `document.querySelector(".prompt .text").textContent.startsWith("# Ovens — close all gaps\n\n> **Scope**: every oven on all 4 floors\n> **Out") && document.querySelector(".prompt .text").textContent.endsWith("|---|--:|\n| 1 | 12 |\n| 2 | 7 |\n\n---\n\n    indented paste\n      of two lines\n\nwhat about this *comment*?\nwhat's __init__ of *.go, #tag?")`},
			{"lines of an answer stay lines", `document.querySelector(".prose[id]").innerText.includes("✓ lint\n✓ tests pass\n✗ chimney")`},
			{"prompts are as wide as prose", `getComputedStyle(document.querySelector(".prompt .text")).maxWidth === getComputedStyle(document.querySelector(".prose[id] p")).maxWidth`},
		} {
			if !eval[bool](t, tb, c.expression) {
				t.Errorf("%s: false: %s", m.name, c.name)
			}
		}
		report(t, page, tb.takeFindings())
	}
}

// TestPromptSource shows the source of one prompt and of all, copies it, and searches the drawn text.
func TestPromptSource(t *testing.T) {
	t.Parallel()
	root, page := sessionSite(t, "5e55d0c5-0000-4000-8000-000000000001", promptLog)
	tb := openTab(t, root, withScript)
	tb.view(t, 1280, "light")
	tb.load(t, page)
	eval[chromedp.Void](t, tb, keepCopies)
	shown := func() [2]bool {
		t.Helper()
		return [2]bool(eval[[]bool](t, tb, `[...document.querySelectorAll(".prompt")].map((el) => el.querySelector("s").offsetWidth > 0)`))
	}
	is := func(after string, want [2]bool) {
		t.Helper()
		if got := shown(); got != want {
			t.Errorf("after %s the source shows %v, want %v", after, got, want)
		}
	}
	tb.press(t, "s")
	is("s", [2]bool{true, true})
	// Only the text determines its height.
	if heights := eval[[]int](t, tb, `(() => {
		const text = document.querySelector(".prompt .text"), plain = document.createElement("div");
		plain.className = "text";
		plain.textContent = text.textContent;
		text.after(plain);
		const heights = [text.offsetHeight, plain.offsetHeight];
		plain.remove();
		return heights;
	})()`); heights[0] != heights[1] {
		t.Errorf("the source is %d px high, want %d, as it was typed", heights[0], heights[1])
	}
	tb.press(t, "s")
	is("s again", [2]bool{false, false})
	button := func(name string) {
		t.Helper()
		eval[chromedp.Void](t, tb, `document.querySelector(".prompt .who").dispatchEvent(new PointerEvent("pointerover", { bubbles: true }))`)
		eval[chromedp.Void](t, tb,
			`[...document.querySelectorAll(".copy button")].find((b) => b.textContent === "`+name+`").click()`)
	}
	button("Source")
	is("Source", [2]bool{true, false})
	button("Drawn")
	is("Drawn", [2]bool{false, false})
	button("All")
	is("All", [2]bool{true, true})
	button("Drawn")
	is("Drawn on one of all", [2]bool{false, true})
	tb.press(t, "j")
	tb.press(t, "m")
	tb.await(t, `!!window.copied`, "Markdown")
	if !eval[bool](t, tb, `copied.trim() === document.activeElement.querySelector(".text").textContent`) {
		t.Error("m does not copy the source of a prompt")
	}
	tb.press(t, "/")
	eval[chromedp.Void](t, tb, `{ document.activeElement.value = "Remove the old"; document.activeElement.dispatchEvent(new Event("input", { bubbles: true })) }`)
	tb.await(t,
		`[...document.querySelectorAll("output, .finder *, search *")].some((el) => /^1 of 1$/.test(el.textContent.trim()))`, "one hit across bold words")
	report(t, page, tb.takeFindings())
}
