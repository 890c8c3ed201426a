package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// seenAt returns the number of visible elements of a kind, and of all.
func seenAt(t *testing.T, tb *tab, selector string) (shown, all int) {
	t.Helper()
	n := eval[[]int](t, tb, fmt.Sprintf(`(() => {
		const all = [...document.querySelectorAll(%q)];
		return [all.filter((el) => el.checkVisibility()).length, all.length];
	})()`, selector))
	return n[0], n[1]
}

// TestStory reads pages at the level Story: prompts, one line about what happened, and the answer. An opened line shows
// its turn like the level Tools does.
func TestStory(t *testing.T) {
	t.Parallel()
	for _, script := range []bool{true, false} {
		with := withScript
		if !script {
			with = withoutScript
		}
		tb := openTab(t, longSite(t), with)
		tb.view(t, 1280, "light")
		for _, page := range longPages(t)[:2] {
			tb.load(t, longFolder(t)+"/"+page)
			report(t, with.name+" "+page, storyOf(t, tb))
		}
	}
}

// TestStoryHead follows the links at the top of a session page and in its strip, also to other pages.
func TestStoryHead(t *testing.T) {
	t.Parallel()
	tb, page := openLong(t, "index.html")
	hrefs := eval[[]string](t, tb, `[...document.querySelectorAll(".story a, svg.asked a")]
		.map((a) => a.getAttribute("href")).filter((h) => !h.startsWith("http"))`)
	if shown, _ := seenAt(t, tb, ".verdict .mark, .story dt"); shown < 4 {
		t.Errorf("the top of %s shows %d items, want more", page, shown)
	}
	if shown, _ := seenAt(t, tb, "svg.asked a"); shown < 2 {
		t.Errorf("the strip of %s links to %d prompts, want more", page, shown)
	}
	seen := map[string]string{}
	for _, href := range hrefs {
		to, anchor, _ := strings.Cut(href, "#")
		if to == "" {
			to = "index.html"
		}
		if _, ok := seen[to]; !ok {
			html, err := os.ReadFile(filepath.Join(longSite(t), longFolder(t), to))
			if err != nil {
				t.Errorf("the top of the page links to %s: %v", href, err)
			}
			seen[to] = string(html)
		}
		if !strings.Contains(seen[to], `id="`+anchor+`"`) {
			t.Errorf("the top of the page links to %s, which does not exist", href)
		}
	}
}

func storyOf(t *testing.T, tb *tab) (findings []string) {
	t.Helper()
	want := func(what string, part string) {
		shown, all := seenAt(t, tb, what)
		if all == 0 || part == "none" && shown > 0 || part == "all" && shown < all {
			findings = append(findings, fmt.Sprintf("%d of %d %s are shown, want %s", shown, all, what, part))
		}
	}
	tb.click(t, "label[for=level-prompts]")
	if name := eval[string](t, tb, `document.querySelector("label[for=level-prompts]").textContent`); name != "Story" {
		findings = append(findings, "the first level is called "+name)
	}
	want("main > .turn > .prompt", "all")
	want("main > .turn > .steps", "all")
	want("main > .turn > .answer", "all")
	want("main .tools", "none")
	want("main .prose.at-chat", "none")
	const mark = `getComputedStyle(document.querySelector("main > .turn > .answer"), "::before").content`
	if got := eval[string](t, tb, mark); got != `"Answer"` {
		findings = append(findings, "an answer is marked "+got)
	}
	first := `document.querySelector("main > .turn:has(> .tools) > .steps > summary")`
	words := eval[string](t, tb, first+".textContent")
	if !strings.Contains(words, " step") || !strings.Contains(words, " call") {
		findings = append(findings, fmt.Sprintf("a line says %q, want steps and calls", words))
	}
	eval[string](t, tb, first+`.setAttribute("data-line", "")||""`)
	tb.click(t, "[data-line]")
	want("main > .turn:has(> .steps > [data-line]) > .tools", "all")
	want("main > .turn:not(:has(> .steps > [data-line])) .tools", "none")
	want("main > .turn:has(> .steps > [data-line]) .turn .steps, main > .turn > .at-everything", "none")
	tb.click(t, "[data-line]")
	want("main .tools", "none")
	tb.click(t, "label[for=level-tools]")
	want("main .steps", "none")
	want("main > .turn > .answer", "all")
	if got := eval[string](t, tb, mark); got != "none" {
		findings = append(findings, "at Tools an answer is marked "+got)
	}
	return findings
}
