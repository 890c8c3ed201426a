package e2e

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// TestSearchRanks runs the same queries on a page and with viewer search: both must give the same sessions, the same
// first hits of each, and the same numbers of more hits, in the same order, as far as viewer search goes.
func TestSearchRanks(t *testing.T) {
	t.Parallel()
	command, err := buildCommand()
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, root := range []string{builtSite(t), manySessions(t)} {
		tb := openTab(t, root, withScript)
		tb.load(t, "index.html")
		tb.press(t, "k", chromedp.ModifierCtrl)
		for _, query := range []string{
			"error", "the lamp", `"the lamp"`, "err*", "error -test", "tool:bash error", "is:error", "kind:prompt the",
			"path:go func", "number 39", "session 12",
			"after:2026-03 the", "before:2026-10-01 done", "-after:2026-10 number", "project:pier number",
			"model:haiku done", "搜索", "build release",
			"how did we release with goreleaser", "done nowhere number 39", "what is the nubmer",
			"kind:event the lamp zebra",
		} {
			asking(t, tb, query+" ") // the space ends the last word
			got := eval[[]string](t, tb, foundLines)
			if want := inTerminal(t, command, query, root); !slices.Equal(want, got) {
				t.Errorf("%s: the page shows\n%s\nbut viewer search\n%s", query, strings.Join(got, "\n"),
					strings.Join(want, "\n"))
			}
			found += len(got)
		}
		report(t, "index.html", tb.takeFindings())
		tb.press(t, kb.Escape)
	}
	if found < 150 {
		t.Errorf("got %d lines in all, want more", found)
	}
}

// foundLines returns the hits of a page that viewer search prints.
const foundLines = `(() => {
	let left = 10; // viewer search prints so many hits
	return [...document.querySelectorAll(".finder .group")].flatMap((group) => {
		const shown = [...group.querySelectorAll(".hit")];
		const more = +(group.querySelector("button")?.textContent ?? "0").replace(/\D/g, "");
		const n = Math.min(shown.length + more, left);
		left -= n;
		return n ? [
			group.querySelector("b").textContent,
			...shown.slice(0, n).map((hit) => {
				const url = new URL(hit.href), hash = url.hash.slice(1), at = new URLSearchParams(hash).get("at") ?? decodeURIComponent(hash);
				return hit.querySelector(".kind").textContent + " " + decodeURIComponent(url.pathname).replace(/.*\/s\//, "s/") + "#" + at;
			}),
			...n > shown.length ? [n - shown.length + " more in this session"] : [],
		] : [];
	});
})()`

// inTerminal returns what viewer search finds in a site, in the form of the page.
func inTerminal(t *testing.T, command, query, root string) []string {
	t.Helper()
	out, err := exec.Command(command, "search", "--json", "--config", "none", "--source", root, "--", query).Output()
	if err != nil {
		t.Fatalf("viewer search %s: %v", query, err)
	}
	var groups []struct {
		Title string
		Hits  []struct{ Kind, Tool, Page string }
	}
	if err := json.Unmarshal(out, &groups); err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, g := range groups {
		lines = append(lines, g.Title)
		for i, h := range g.Hits {
			if i == 3 {
				lines = append(lines, fmt.Sprintf("%d more in this session", len(g.Hits)-i))
				break
			}
			if h.Tool != "" {
				h.Kind = h.Tool
			}
			if !strings.Contains(h.Page, "#") {
				h.Page += "#"
			}
			lines = append(lines, h.Kind+" "+h.Page)
		}
	}
	return lines
}
