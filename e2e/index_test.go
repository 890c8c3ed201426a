package e2e

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// manySessions returns the folder of a site of 700 invented sessions, one every twelve hours, so that most months have
// their own pages.
func manySessions(t testing.TB) string {
	t.Helper()
	return mustBuild(t, buildManySessions)
}

const invented = 700

var buildManySessions = sync.OnceValues(func() (string, error) {
	from := filepath.Join(work, "many")
	for n := range invented {
		project := []string{"harbour", "lock", "pier"}[n%3]
		id := fmt.Sprintf("%08d-0000-4000-8000-000000000000", n)
		dir := filepath.Join(from, "-home-ada-"+project)
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return "", err
		}
		if err := os.WriteFile(filepath.Join(dir, id+".jsonl"), []byte(inventedSession(n, id, project)),
			0o644); err != nil {
			return "", err
		}
	}
	return build("manysite", from)
})

// inventedSession returns session n, the newest being 0: a prompt, a call that fails in every tenth session, and an
// answer of n thousand tokens.
func inventedSession(n int, id, project string) string {
	at := time.Date(2026, 11, 20, 20, 15, 0, 0, time.UTC).Add(-12 * time.Hour * time.Duration(n))
	model := "claude-fable-5"
	if n%2 == 1 {
		model = "claude-haiku-4-5-20251001"
	}
	var b strings.Builder
	record := 0
	add := func(format string, args ...any) {
		record++
		fmt.Fprintf(&b, `{"uuid":"%08d-0000-4000-8000-%012d","parentUuid":null,"sessionId":%q,"cwd":"/home/ada/%s","gitBranch":"main","version":"2.1.200","timestamp":%q,`,
			n, record, id, project, at.Add(time.Duration(record)*time.Minute).Format(time.RFC3339))
		fmt.Fprintf(&b, format+"}\n", args...)
	}
	add(`"type":"user","message":{"role":"user","content":"Session number %d"}`, n)
	if n%10 == 5 {
		add(`"type":"assistant","message":{"id":"a%d","role":"assistant","model":%q,"content":[{"type":"tool_use","id":"t%d","name":"Bash","input":{"command":"false"}}],"usage":{"output_tokens":1}}`, n, model, n)
		add(`"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t%d","content":"Exit code 1","is_error":true}]}`, n)
	}
	add(`"type":"assistant","message":{"id":"b%d","role":"assistant","model":%q,"content":[{"type":"text","text":"done"}],"usage":{"output_tokens":%d}}`, n, model, 1000*(n+1))
	return b.String()
}

// rows returns the visible titles in order.
const rows = `[...document.querySelectorAll(".srow")].filter((el) => el.checkVisibility()).map((el) => el.querySelector(".ti a").textContent)`

// titles returns the expected titles.
func titles(numbers ...int) []string {
	var all []string
	for _, n := range numbers {
		all = append(all, fmt.Sprintf("Session number %d", n))
	}
	return all
}

// enter sets a field of the bar, as a reader would.
func enter(t testing.TB, tb *tab, field, value string) {
	t.Helper()
	eval[chromedp.Void](t, tb, fmt.Sprintf(`(() => {
		const el = document.querySelector(".bar %s");
		el.value = %q;
		el.dispatchEvent(new Event("input", { bubbles: true }));
	})()`, field, value))
}

// choose selects a value of a facet, after opening its list.
func choose(t testing.TB, tb *tab, facet, value string) {
	t.Helper()
	tb.click(t, ".bar [data-facet="+facet+"] > summary")
	eval[chromedp.Void](t, tb,
		fmt.Sprintf(`[...document.querySelectorAll(".bar [data-facet=%s] button")].find((el) => (el.value || el.firstChild.data) === %q).click()`, facet, value))
	tb.click(t, ".bar [data-facet="+facet+"] > summary")
}

// counts returns the visible values of a facet with their numbers, such as "harbour 234".
func counts(t testing.TB, tb *tab, facet string) []string {
	t.Helper()
	return eval[[]string](t, tb,
		fmt.Sprintf(`[...document.querySelectorAll(".bar [data-facet=%[1]s] button, .bar button[data-facet=%[1]s]")].filter((el) => !el.hidden && !el.disabled).map((el) => el.textContent)`, facet))
}

const settled = `!/looking/.test(document.querySelector(".bar output").textContent)`

// TestIndexFilter filters sessions by words, including those of months on other pages. The address must contain the
// words.
func TestIndexFilter(t *testing.T) {
	t.Parallel()
	root := manySessions(t)
	tb := openTab(t, root, withScript)
	tb.view(t, 1280, "light")
	tb.load(t, "index.html")
	shown := len(eval[[]string](t, tb, rows))
	if shown < 50 || shown >= invented {
		t.Fatalf("index.html shows %d of %d sessions, want some of them on other pages", shown, invented)
	}
	tb.press(t, "f")
	tb.press(t, "number 3")
	tb.await(t, settled, "older sessions")
	if got := eval[[]string](t, tb, rows); !slices.Contains(got, "Session number 3") ||
		!slices.Contains(got, "Session number 399") || slices.Contains(got, "Session number 4") {
		t.Errorf("filtered by \"number 3\": got %d rows: %v", len(got), got)
	}
	tb.press(t, "99")
	if got := eval[bool](t, tb, `document.querySelector(".year[open]").checkVisibility()`); got {
		t.Error("the year is shown between the bar and the results")
	}
	if got := eval[[]string](t, tb, rows); !slices.Equal(got, titles(399)) {
		t.Errorf("filtered by \"number 399\": got %v", got)
	}
	bar := eval[string](t, tb, `document.querySelector(".bar output").textContent`)
	if bar != fmt.Sprintf("1 of %d sessions", invented) {
		t.Errorf("got the bar %q", bar)
	}
	if got := eval[string](t, tb, `location.hash`); got != "#q=number+399" {
		t.Errorf("the address ends in %q, want the filter", got)
	}

	// The address opens the same list, and the row of an older session links to its page.
	fresh := openTab(t, root, withScript)
	fresh.load(t, "index.html#q=number+399")
	fresh.await(t, settled, "older sessions")
	if got := eval[[]string](t, fresh, rows); !slices.Equal(got, titles(399)) {
		t.Errorf("opened with #q=number+399: got %v", got)
	}
	href := eval[string](t, fresh, `[...document.querySelectorAll(".srow .ti a")].find((el) => el.checkVisibility()).getAttribute("href")`)
	if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(href))); err != nil {
		t.Errorf("the link of an older session has no target: %v", err)
	}

	// A browser that limits changes of the address, as Safari does, still filters.
	eval[chromedp.Void](t, fresh, `history.replaceState = () => { throw new DOMException("too often", "SecurityError") }`)
	fresh.press(t, "f")
	fresh.press(t, "9")
	if got := eval[[]string](t, fresh, rows); len(got) != 0 {
		t.Errorf("filtered by \"number 3999\": got %v", got)
	}

	// Without words the page is as it was loaded.
	eval[chromedp.Void](t, tb, `location.hash = "#"`)
	tb.await(t, `document.querySelector("#filter").value === ""`, "an empty filter")
	if got := eval[[]string](t, tb, rows); len(got) != shown {
		t.Errorf("without a filter: got %d rows, want %d as before", len(got), shown)
	}
	report(t, "index.html", append(tb.takeFindings(), fresh.takeFindings()...))
}

// TestIndexFacets filters sessions by project, model, failures and days.
func TestIndexFacets(t *testing.T) {
	t.Parallel()
	tb := openTab(t, manySessions(t), withScript)
	tb.view(t, 1280, "light")
	tb.load(t, "index.html")
	count := func() int { return len(eval[[]string](t, tb, rows)) }
	choose(t, tb, "project", "harbour")
	tb.await(t, settled, "older sessions")
	if got, want := count(), (invented+2)/3; got != want {
		t.Errorf("one project: got %d rows, want %d", got, want)
	}
	choose(t, tb, "model", "claude-haiku-4-5-20251001")
	if got, want := count(), (invented+2)/6; got != want {
		t.Errorf("one project and model: got %d rows, want %d", got, want)
	}
	tb.click(t, "button[data-facet=failed]")
	if got := eval[[]string](t, tb, rows); len(got) != invented/30 || got[0] != "Session number 15" {
		t.Errorf("with failures: got %d rows: %v", len(got), got)
	}
	enter(t, tb, "[name=from]", "2026-10-02")
	enter(t, tb, "[name=to]", "2026-10")
	if got := eval[[]string](t, tb, rows); !slices.Equal(got, titles(45, 75)) {
		t.Errorf("in October: got %v, want 45 and 75", got)
	}
	if got, want := eval[string](t, tb, `location.hash`),
		"#project=harbour&model=claude-haiku-4-5-20251001&from=2026-10-02&to=2026-10&failed=1"; got != want {
		t.Errorf("the address ends in %q, want %q", got, want)
	}
	choose(t, tb, "project", "harbour")
	choose(t, tb, "model", "claude-haiku-4-5-20251001")
	enter(t, tb, "[name=from]", "")
	enter(t, tb, "[name=to]", "")
	tb.click(t, "button[data-facet=failed]")
	if got := eval[string](t, tb, `location.hash + document.querySelector(".bar output").textContent`); got != "" &&
		got != "#" {
		t.Errorf("after all filters were removed the page shows %q", got)
	}
	report(t, "index.html", tb.takeFindings())
}

// TestIndexCounts checks the number of sessions beside each value: of all sessions at first, and of those that match
// the other filters later.
func TestIndexCounts(t *testing.T) {
	t.Parallel()
	tb := openTab(t, manySessions(t), withScript)
	tb.view(t, 1280, "light")
	tb.load(t, "index.html")
	want := func(when, facet string, want ...string) {
		t.Helper()
		if got := counts(t, tb, facet); !slices.Equal(got, want) {
			t.Errorf("%s: facet %s shows %q, want %q", when, facet, got, want)
		}
	}
	all := "before"
	want(all, "project", "harbour 234", "lock 233", "pier 233")
	want(all, "model", "claude-fable-5 350", "claude-haiku-4-5-20251001 350")
	want(all, "failed", "Failed 70")
	if got := counts(t, tb, "month"); len(got) != 12 || got[0] != "November 2026 40" {
		t.Errorf("before: the months are %q, want twelve, the first with 40 sessions", got)
	}

	tb.press(t, "f")
	tb.press(t, "number 39")
	tb.await(t, settled, "older sessions")
	words := "with words" // 39, 139 ... 639, 390 to 399
	want(words, "project", "harbour 7", "lock 5", "pier 5")
	want(words, "failed", "Failed 1")
	choose(t, tb, "project", "lock")
	want("with a project, which changes nothing for the others", "project", "harbour 7", "lock 5", "pier 5")
	want("with a project of which none failed", "failed")
	choose(t, tb, "project", "pier")
	want("with two projects", "failed", "Failed 1")
	if got, want := eval[string](t, tb,
		`location.hash + document.querySelector("[data-facet=project] > summary").textContent`),
		"#project=lock&project=pier&q=number+39Project: lock +1"; got != want {
		t.Errorf("the address and the list have %q, want %q", got, want)
	}

	// By keyboard: open a list, choose a value, close it.
	tb.load(t, "index.html#project=pier")
	tb.await(t, settled, "older sessions")
	eval[chromedp.Void](t, tb, `document.querySelector("[data-facet=model] > summary").focus()`)
	tb.press(t, kb.Enter+kb.Tab+kb.Enter)
	tb.await(t, settled, "older sessions")
	pressed := eval[[]string](t, tb,
		`[...document.querySelectorAll(".bar [aria-pressed=true]")].map((el) => el.textContent)`)
	if !slices.Equal(pressed, []string{"pier 117", "claude-fable-5 117"}) {
		t.Errorf("by keyboard: got the chosen values %q", pressed)
	}
	report(t, "index.html with an open list", inaccessible(t, tb))
	tb.press(t, kb.Escape)
	if got := eval[bool](t, tb, `document.activeElement.matches("[data-facet=model] > summary") && !document.querySelector(".facet[open]")`); !got {
		t.Error("Escape does not close the list and go back to its head")
	}
	report(t, "index.html", tb.takeFindings())
}

// TestIndexOrder sorts all sessions and restores the order.
func TestIndexOrder(t *testing.T) {
	t.Parallel()
	tb := openTab(t, manySessions(t), withScript)
	tb.view(t, 1280, "light")
	tb.load(t, "index.html")
	before := eval[[]string](t, tb, rows)
	for _, c := range []struct{ order, first string }{
		{"tokens", "Session number 699"},
		{"cost", "Session number 698"}, // the others used a cheaper model
		// those with a call; others are shorter, and those of the same length stay in order
		{"long", "Session number 5"},
		{"failed", "Session number 5"},
		{"oldest", "Session number 699"},
	} {
		enter(t, tb, "select", c.order)
		tb.await(t, settled, "older sessions")
		got := eval[[]string](t, tb, rows)
		if len(got) != invented || got[0] != c.first {
			t.Errorf("by %s: got %d rows, the first %s, want %d and %s", c.order, len(got), got[0], invented, c.first)
		}
		day := eval[string](t, tb, `document.querySelector(".sorted .at").dataset.day`)
		if !strings.Contains(day, " 202") {
			t.Errorf("by %s: a row has %q instead of its day", c.order, day)
		}
	}
	report(t, "index.html in another order", inaccessible(t, tb))
	enter(t, tb, "select", "")
	if got := eval[[]string](t, tb, rows); !slices.Equal(got, before) {
		t.Errorf("in the order of days again: got %d rows, want the %d of before, in the same order",
			len(got), len(before))
	}
	report(t, "index.html", tb.takeFindings())
}

// TestIndexMonths checks the pages of months and of a project: they do not overflow, filter their own rows, and those
// of a project find older ones.
func TestIndexMonths(t *testing.T) {
	t.Parallel()
	root := manySessions(t)
	months, _ := filepath.Glob(filepath.Join(root, "m", "*.html"))
	if len(months) < 3 {
		t.Fatalf("the site has %d pages of months, want some", len(months))
	}
	for _, m := range modes {
		t.Run(m.name, func(t *testing.T) {
			tb := openTab(t, root, m)
			for _, page := range []string{"index.html", path.Join("m", filepath.Base(months[0])), "p/pier/index.html"} {
				tb.load(t, page)
				report(t, page, checkLooks(t, tb)) // this leaves everything open
				if m.script {
					tb.view(t, 320, "dark")
					report(t, page, inaccessible(t, tb))
				}
				report(t, page, tb.takeFindings())
			}
		})
	}
	tb := openTab(t, root, withScript)
	page := "m/" + filepath.Base(months[0])
	tb.load(t, page+"#failed=1")
	if got := eval[[]string](t, tb, rows); len(got) == 0 || len(got) > 10 {
		t.Errorf("%s: got %d rows with failures", page, len(got))
	}
	tb.load(t, "p/pier/index.html#q=number+698")
	tb.await(t, settled, "older sessions")
	if got := eval[[]string](t, tb, rows); !slices.Equal(got, titles(698)) {
		t.Errorf("p/pier/index.html#q=number+698: got %v", got)
	}
	report(t, page, tb.takeFindings())
}

// TestIndexPlain reads the index without script: lists, links to the months, and no bar without a function.
func TestIndexPlain(t *testing.T) {
	t.Parallel()
	tb := openTab(t, manySessions(t), withoutScript)
	tb.view(t, 1280, "light")
	tb.load(t, "index.html")
	report(t, "index.html", eval[[]string](t, tb, `(() => {
		const wrong = [], seen = (sel) => [...document.querySelectorAll(sel)].filter((el) => el.checkVisibility()).length;
		if (seen(".bar")) wrong.push("the bar shows, and nothing would work it");
		if (seen(".srow") < 50) wrong.push("only " + seen(".srow") + " rows show");
		if (!seen(".heat a")) wrong.push("the year shows no day with sessions");
		if (!seen("a[rel=next]")) wrong.push("there is no way to older sessions");
		return wrong;
	})()`))
	report(t, "index.html", tb.takeFindings())
}

// TestIndexDays opens the index in time zones in which days begin at other times. Rows are below their local day, and
// the year still links to them.
func TestIndexDays(t *testing.T) {
	t.Parallel()
	tb := openTab(t, manySessions(t), withScript)
	tb.zone(t, "Pacific/Auckland")
	tb.view(t, 1280, "light")
	tb.load(t, "index.html#d-2026-11-19")
	report(t, "index.html", eval[[]string](t, tb, `(() => {
		const wrong = [], row = document.querySelector(":target");
		if (!row?.matches(".srow")) return ["#d-2026-11-19 is no row"];
		const day = row.closest(".dayset").querySelector("h2").textContent;
		if (!/^(.* · )?Fri 20 Nov 2026$/.test(day)) wrong.push("the row of 19 November, 20:15 UTC, stands below " + day + ", want Friday the 20th");
		const box = row.getBoundingClientRect();
		if (box.bottom < 0 || box.top > innerHeight) wrong.push("the row is out of the window");
		const ids = [...document.querySelectorAll("[id]")].map((el) => el.id);
		if (new Set(ids).size < ids.length) wrong.push("ids are there twice");
		return wrong;
	})()`))
	report(t, "index.html", tb.takeFindings())
}

// TestIndexNumbers: the longest numbers of a row stay on one line, and inside of the row.
func TestIndexNumbers(t *testing.T) {
	t.Parallel()
	tb := openTab(t, builtSite(t), withScript)
	tb.load(t, "index.html")
	for _, width := range widths {
		tb.view(t, width, "light")
		report(t, fmt.Sprintf("index.html at %d px", width), eval[[]string](t, tb, `(() => {
			const row = document.querySelector(".srow"), wrong = [], range = document.createRange();
			for (const el of row.querySelectorAll(".nums span")) {
				el.innerHTML = "&lt;$0.0001 <i>cost</i>";
				range.selectNodeContents(el.firstChild);
				const boxes = range.getClientRects(), edge = row.getBoundingClientRect();
				if (boxes.length > 1) wrong.push("a number is broken into " + boxes.length);
				if (boxes[0].right > edge.right || boxes[0].left < edge.left) wrong.push("a number is outside of its row");
			}
			return wrong;
		})()`))
	}
	report(t, "index.html", tb.takeFindings())
}
