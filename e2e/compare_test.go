package e2e

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// matrixSite returns the site of a table of three tasks by five models: alder passed once, birch always, cedar never.
func matrixSite(t testing.TB) string {
	t.Helper()
	return mustBuild(t, buildMatrix)
}

var buildMatrix = sync.OnceValues(func() (string, error) {
	from := filepath.Join(work, "runs")
	var verdicts strings.Builder
	for i, task := range []string{"alder", "birch", "cedar"} {
		for j, model := range []string{"opus-4-8", "opus-4-7", "opus-4-6", "sonnet-4-6", "haiku-4-5"} {
			if task == "cedar" && j > 3 { // a cell without a run
				continue
			}
			dir := filepath.Join(from, task, model)
			id := fmt.Sprintf("%08d-0000-4000-8000-000000000000", 10*i+j)
			var log strings.Builder
			n := 0
			line := func(kind, message string) {
				n++
				fmt.Fprintf(&log, `{"type":%q,"uuid":"%08d-%04d-4000-8000-000000000000","sessionId":%q,"cwd":"/w",`+
					`"timestamp":"2026-03-02T10:00:%02dZ","message":%s}`+"\n", kind, 10*i+j, n, id, n, message)
			}
			line("user", `{"role":"user","content":"Plant the `+task+`"}`)
			for k := range 1 + (i+j)%3 {
				line("assistant", fmt.Sprintf(`{"id":"m%d","role":"assistant","model":"claude-%s","content":[`+
					`{"type":"tool_use","id":"t%[1]d","name":"Bash","input":{"command":"dig %[1]d"}}],`+
					`"usage":{"input_tokens":%[3]d000,"output_tokens":9}}`, k, model, j+1))
				line("user", fmt.Sprintf(`{"role":"user","content":[{"type":"tool_result","tool_use_id":"t%d",`+
					`"content":"dug"}]}`, k))
			}
			if err := os.MkdirAll(dir, 0o755); err != nil {
				return "", err
			}
			if err := os.WriteFile(filepath.Join(dir, id+".jsonl"), []byte(log.String()), 0o644); err != nil {
				return "", err
			}
			code := 1
			if task == "birch" || task == "alder" && j == 1 {
				code = 0
			}
			fmt.Fprintf(&verdicts, "%s %d\n", id, code)
		}
	}
	codes := filepath.Join(work, "codes.txt")
	if err := os.WriteFile(codes, []byte(verdicts.String()), 0o644); err != nil {
		return "", err
	}
	site := filepath.Join(work, "matrix")
	return site, runViewer("compare", "--matrix", from, "--rows", "folder", "--verdicts", codes, "-o", site)
})

// TestMatrix filters and sorts the tasks, and compares two runs of one by keyboard alone.
func TestMatrix(t *testing.T) {
	t.Parallel()
	tb := openTab(t, matrixSite(t), withScript)
	tb.view(t, 1280, "light")
	tb.load(t, "compare.html")
	tasks := func() string {
		return eval[string](t, tb, `[...document.querySelectorAll(".matrix tbody th")].map((e) => e.textContent).join(" ")`)
	}
	set := func(name, value string) {
		eval[chromedp.Void](t, tb, fmt.Sprintf(`(() => { const s = document.querySelector("#tasks [name=%s]"); s.value = %q;
			s.dispatchEvent(new Event("input", { bubbles: true })); })()`, name, value))
	}
	for _, c := range []struct{ order, state, want string }{
		{"", "", "alder birch cedar"}, {"passed", "", "cedar alder birch"}, {"cost", "", "birch alder cedar"},
		{"", "some", "alder"}, {"", "none", "cedar"}, {"", "all", "birch"}, {"", "", "alder birch cedar"},
	} {
		set("order", c.order)
		set("state", c.state)
		if got := tasks(); got != c.want {
			t.Errorf("order %q, state %q: %s, want %s", c.order, c.state, got, c.want)
		}
	}
	set("order", "cost")
	set("state", "all")
	tb.reopen(t, "compare.html"+eval[string](t, tb, `location.hash`))
	if got := tasks(); got != "birch" {
		t.Errorf("after a reload: %s, want the chosen tasks", got)
	}
	set("order", "")
	set("state", "")
	tb.click(t, "#tasks input")
	tb.press(t, "CED")
	tb.await(t, `document.querySelector("#tasks output").textContent === "1 of 3 tasks"`,
		"the count of tasks that were found")

	// From the search field to the check boxes of the first and the third run, by keyboard.
	for _, steps := range []int{1, 2} {
		for range steps {
			tb.press(t, kb.Tab)
			for i := 0; i < 12 && !eval[bool](t, tb, `document.activeElement.matches(".matrix td input")`); i++ {
				tb.press(t, kb.Tab)
			}
		}
		tb.press(t, " ")
	}
	got := eval[string](t, tb, `document.querySelector(".matrix th .pill")?.textContent || "nothing"`)
	if got != "Compare these 2" {
		t.Fatalf("after two boxes were checked: %s, and %s has the focus", got,
			eval[string](t, tb, `document.activeElement.outerHTML`))
	}
	report(t, "compare.html", tb.takeFindings())
	href := eval[string](t, tb, `document.querySelector(".matrix th .pill").getAttribute("href")`)
	if !strings.HasSuffix(href, ".html#runs=A,C") {
		t.Fatalf("the runs are at %s", href)
	}
	tb.click(t, ".matrix th .pill")
	tb.await(t, `document.querySelector("#all-runs")`, "two runs side by side")
	shown := `[...document.querySelectorAll(".byrun thead th")].filter((e) => !e.hidden).slice(1)
		.map((e) => e.textContent.trim()[0]).join("")`
	if got := eval[string](t, tb, shown); !strings.HasPrefix(got, "AC") {
		t.Errorf("the columns are %s, want A and C", got)
	}
	tb.click(t, "#all-runs")
	tb.await(t, "("+shown+`).startsWith("ABCD")`, "all runs side by side")
	report(t, href, tb.takeFindings())
}

// comparisonPages returns the pages of the site that only comparisons have.
func comparisonPages(t testing.TB) []string {
	t.Helper()
	pages := slices.DeleteFunc(pagesOf(t, matrixSite(t)), func(p string) bool {
		return p != "compare.html" && !strings.HasPrefix(p, "c/")
	})
	if len(pages) != 4 {
		t.Fatalf("pages %s, want four", pages)
	}
	return append(pages, "insights.html")
}

// TestComparisonPages checks the pages of a comparison at all widths, with and without script.
func TestComparisonPages(t *testing.T) {
	t.Parallel()
	root := matrixSite(t)
	for _, m := range modesOf(t) {
		t.Run(m.name, func(t *testing.T) {
			tb := openTab(t, root, m)
			for _, page := range comparisonPages(t) {
				tb.view(t, 1280, "light")
				tb.load(t, page)
				report(t, page, checkLooks(t, tb))
				if m == withoutScript {
					if n := eval[int](t, tb, `document.querySelectorAll("input, .bar:not(.js)").length`); n > 1 {
						t.Errorf("%s: %d controls that need a script", page, n)
					}
				}
				report(t, page, tb.takeFindings())
			}
		})
	}
}

// TestComparisonLinks: links of the outline are large enough to hit, links between words do not differ by colour alone,
// and on a phone the columns of all runs have one width.
func TestComparisonLinks(t *testing.T) {
	t.Parallel()
	tb := openTab(t, matrixSite(t), withScript)
	for _, page := range comparisonPages(t) {
		tb.view(t, 1280, "light")
		tb.load(t, page)
		report(t, page, eval[[]string](t, tb, `[...document.querySelectorAll(".out a")]
			.filter((el) => el.checkVisibility() && el.getBoundingClientRect().height < 24)
			.map((el) => "less than 24 px high: " + el.textContent)`))
		report(t, page, eval[[]string](t, tb, `[...document.querySelectorAll("td p > a")]
			.filter((el) => getComputedStyle(el).textDecorationLine !== "underline")
			.map((el) => "differs by colour alone: " + el.textContent)`))
		tb.view(t, 390, "light")
		report(t, page, eval[[]string](t, tb, `(() => {
			const columns = [...document.querySelectorAll("#page-figures thead th")].slice(1).map((el) => el.offsetWidth);
			return Math.max(...columns) - Math.min(...columns) > 1 && columns.length < 5 ? ["columns of " + columns + " px"] : [];
		})()`))
		report(t, page, tb.takeFindings())
	}
}

// TestComparisonOnPaper prints them: no table may be wider than the paper, and no run gets less of it than another.
func TestComparisonOnPaper(t *testing.T) {
	t.Parallel()
	root := matrixSite(t)
	for _, page := range comparisonPages(t) {
		tb := openTab(t, root, withScript)
		tb.view(t, 1280, "dark")
		tb.load(t, page)
		if data := tb.print(t); !bytes.HasPrefix(data, []byte("%PDF-")) {
			t.Errorf("%s: printing gives %d bytes that are not a PDF", page, len(data))
		}
		tb.onPaper(t)
		report(t, page, eval[[]string](t, tb, paperFaults))
		if wide := eval[[]string](t, tb, overflowing); len(wide) > 0 {
			t.Errorf("%s: on paper the page overflows: %s", page, wide)
		}
		report(t, page, eval[[]string](t, tb, faint))
		const widths = `[...document.querySelectorAll("#page-figures tr:first-child > :not(:first-child)")].map((el) => Math.round(el.offsetWidth))`
		if all := eval[[]int](t, tb, widths); len(all) > 0 && slices.Max(all)-slices.Min(all) > 1 {
			t.Errorf("%s: on paper the columns of the runs have %d px", page, all)
		}
		report(t, page, tb.takeFindings())
	}
}
