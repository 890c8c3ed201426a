package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestLayout checks details of lines and rows on all session pages, on a screen and on a phone.
func TestLayout(t *testing.T) {
	t.Parallel()
	root := builtSite(t)
	tb := openTab(t, root, withScript)
	checked := map[string]int{}
	for _, page := range sessionPages(t, root, 20) {
		tb.load(t, page)
		eval[chromedp.Void](t, tb, `document.querySelector("#level-everything").click()`)
		for _, width := range []int64{1280, 390} {
			tb.view(t, width, "light")
			for name, check := range layouts {
				found := eval[[]string](t, tb, `(() => {
					const range = document.createRange();
					const text = (el) => { range.selectNodeContents(el); return range.getBoundingClientRect() };
					const all = (sel) => [...document.querySelectorAll(sel)].filter((el) => el.checkVisibility());
					window.checked = 0;
					const wrong = (list, isWrong) => { checked += list.length; return list.filter(isWrong).map((el) => el.textContent.slice(0, 40)) };
					return `+check+`})()`)
				checked[name] += eval[int](t, tb, `checked`)
				for _, f := range found {
					t.Errorf("%s, %d px: %s: %s", page, width, name, f)
				}
			}
		}
		eval[chromedp.Void](t, tb, forget)
	}
	for name := range layouts {
		if checked[name] == 0 {
			t.Errorf("%s: nothing to check", name)
		}
	}
}

// layouts are expressions of what is wrong.
var layouts = map[string]string{
	"the facts of a line are far from each other": `wrong(all(".note .b + .b"), (el) => {
		const before = text(el.previousElementSibling), own = text(el);
		return own.top < before.bottom && own.left - before.right > 16;
	})`,
	"the mark that a line opens is below the line": `wrong(all(".note:not([open]) > summary:has(> span:not(.b)):not(:has(> b, > .b, > code))"), (el) =>
		el.offsetHeight > el.querySelector("span").offsetHeight + 12)`,
	"a short name is cut off": `wrong(all("main .row > .nm"), (el) =>
		el.scrollWidth > el.clientWidth && el.scrollWidth < 0.4 * el.parentElement.clientWidth)`,
}

// foldersLog writes files whose names leave little room for their folders in the outline.
const foldersLog = `{"type":"user","uuid":"00000000-0000-4000-8000-000000000000","timestamp":"2026-03-02T09:00:00Z","cwd":"/home/ada/pier","message":{"role":"user","content":"Write the tables."}}
{"type":"assistant","uuid":"00000000-0000-4000-8000-000000000001","timestamp":"2026-03-02T09:01:00Z","cwd":"/home/ada/pier","message":{"id":"m1","role":"assistant","content":[{"type":"tool_use","id":"t1","name":"Write","input":{"file_path":"/home/ada/pier/harbour/tables/spring-tides-of-the-harbour.go","content":"package tables\n"}},{"type":"tool_use","id":"t2","name":"Write","input":{"file_path":"/home/ada/pier/harbour/tables/tides.go","content":"package tables\n"}}]}}
{"type":"user","uuid":"00000000-0000-4000-8000-000000000002","timestamp":"2026-03-02T09:02:00Z","cwd":"/home/ada/pier","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"done"}]},"toolUseResult":{"type":"create","filePath":"/home/ada/pier/harbour/tables/spring-tides-of-the-harbour.go","content":"package tables\n","structuredPatch":[]}}
{"type":"user","uuid":"00000000-0000-4000-8000-000000000003","timestamp":"2026-03-02T09:02:00Z","cwd":"/home/ada/pier","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t2","content":"done"}]},"toolUseResult":{"type":"create","filePath":"/home/ada/pier/harbour/tables/tides.go","content":"package tables\n","structuredPatch":[]}}
`

// TestOutlineFolders: in the outline, a folder is shown if a few of its letters fit before the name of the file.
func TestOutlineFolders(t *testing.T) {
	t.Parallel()
	root, page := sessionSite(t, "5e55d0c5-0000-4000-8000-000000000009", foldersLog)
	tb := openTab(t, root, withScript)
	tb.view(t, 1280, "light")
	tb.load(t, page)
	got := eval[string](t, tb, `[...document.querySelectorAll(".out .path")].map((el) => {
		const line = el.getBoundingClientRect(), seen = (part) => part.getBoundingClientRect().top < line.bottom - 4;
		return (seen(el.firstChild) ? "folder " : "") + (seen(el.lastChild) && el.lastChild.textContent);
	}).join(", ")`)
	if want := "spring-tides-of-the-harbour.go, folder tides.go"; got != want {
		t.Errorf("the outline shows %q, want %q", got, want)
	}
}

// settingsLog is a session of Codex, which begins with a line of many facts.
const settingsLog = `{"timestamp":"2026-06-18T10:00:00.000Z","type":"session_meta","payload":{"id":"5e55d0c5-0000-4000-8000-000000000012","cwd":"/home/ada/pier","originator":"codex-tui","cli_version":"0.140.0","source":"cli"}}
{"timestamp":"2026-06-18T10:00:01.000Z","type":"turn_context","payload":{"turn_id":"t1","cwd":"/home/ada/pier","approval_policy":"on-request","approvals_reviewer":"auto_review","sandbox_policy":{"type":"workspace-write","network_access":false},"model":"gpt-5.6-sol","effort":"ultra","collaboration_mode":{"mode":"default"}}}
{"timestamp":"2026-06-18T10:00:02.000Z","type":"event_msg","payload":{"type":"user_message","message":"Write the tables."}}
{"timestamp":"2026-06-18T10:00:03.000Z","type":"response_item","payload":{"type":"function_call","name":"exec_command","arguments":"{\"cmd\":\"tables --pier 7 --write\",\"workdir\":\"/home/ada/harbour.worktrees/tables-of-the-tides-of-all-piers/spring/and/neap\"}","call_id":"call_1"}}
{"timestamp":"2026-06-18T10:00:04.000Z","type":"response_item","payload":{"type":"function_call_output","call_id":"call_1","output":"Process exited with code 0\nOutput:\nwritten\n"}}
{"timestamp":"2026-06-18T10:00:05.000Z","type":"event_msg","payload":{"type":"agent_message","message":"Written."}}
`

// TestLineOfFacts: facts that do not fit beside the text of their line go below it, in windows of any width, and a fact
// of a call leaves room for its command.
func TestLineOfFacts(t *testing.T) {
	t.Parallel()
	root, page := sessionSite(t, "5e55d0c5-0000-4000-8000-000000000012", settingsLog)
	tb := openTab(t, root, withScript)
	tb.load(t, page)
	for width := int64(320); width <= 1400; width += 60 {
		tb.view(t, width, "light")
		height := eval[float64](t, tb, `document.querySelector(".note:has(.b + .b) span").offsetHeight`)
		if height > 30 {
			t.Errorf("%d px: the text of a line with facts is %.0f px high", width, height)
		}
		cut := eval[bool](t, tb, `(() => {
			const command = document.querySelector(".row > .arg");
			return command.scrollWidth > command.clientWidth;
		})()`)
		if cut && width > 380 {
			t.Errorf("%d px: a command is cut for its folder", width)
		}
		if wide := eval[[]string](t, tb, overflowing); len(wide) > 0 {
			t.Errorf("the page overflows at %d px: %s", width, strings.Join(wide, ", "))
		}
	}
	report(t, page, tb.takeFindings())
}

// failedLog has one call, which failed: its row is open and has several facts.
const failedLog = `{"type":"user","uuid":"00000000-0000-4000-8000-000000000000","timestamp":"2026-03-02T09:00:00Z","cwd":"/home/ada/harbour-tables","message":{"role":"user","content":"Count the boats in the harbour at noon, and say which of them leave with the tide."}}
{"type":"assistant","uuid":"00000000-0000-4000-8000-000000000001","timestamp":"2026-03-02T09:01:00Z","cwd":"/home/ada/harbour-tables","message":{"id":"m1","role":"assistant","content":[{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"boats --at noon"}}]}}
{"type":"user","uuid":"00000000-0000-4000-8000-000000000002","timestamp":"2026-03-02T09:04:00Z","cwd":"/home/ada/harbour-tables","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","is_error":true,"content":"Exit code 3\nno boats"}]}}
`

// TestOpenRowOnPhone: the mark of an open row stays in the first line, however long the facts are.
func TestOpenRowOnPhone(t *testing.T) {
	t.Parallel()
	root, page := sessionSite(t, "5e55d0c5-0000-4000-8000-000000000010", failedLog)
	tb := openTab(t, root, withScript)
	tb.view(t, 390, "light")
	tb.load(t, page)
	if below := eval[[]int](t, tb, `(() => {
		const row = document.querySelector("main [open] > .row"), style = new CSSStyleSheet(), below = [];
		document.adoptedStyleSheets = [style];
		for (let letters = 1; letters < 60; letters++) {
			row.querySelector(".nm").textContent = "n".repeat(letters);
			style.replaceSync(".row .arg { display: none !important }"); // which has a line of its own
			const height = row.offsetHeight;
			style.insertRule(".row::after { display: none !important }");
			if (row.offsetHeight !== height) below.push(letters);
		}
		return below;
	})()`); len(below) > 0 {
		t.Errorf("with a name of so many letters, the mark of a row is in another line: %v", below)
	}
	report(t, page, tb.takeFindings())
}

// tableLog has a table in the report of an agent, whose first column is code.
const tableLog = `{"type":"user","uuid":"00000000-0000-4000-8000-000000000000","timestamp":"2026-03-02T09:00:00Z","cwd":"/home/ada/pier","version":"2.1.210","message":{"role":"user","content":"List the fields of a tide."}}
{"type":"user","uuid":"00000000-0000-4000-8000-000000000001","timestamp":"2026-03-02T09:01:00Z","cwd":"/home/ada/pier","version":"2.1.210","message":{"role":"user","content":"<task-notification>\n<task-id>a1</task-id>\n<status>completed</status>\n<summary>Agent \"Fields\" finished</summary>\n<result>| Field | Type | Required | Purpose |\n|---|---|---|---|\n| ` + "`schema_version`" + ` | string | yes | The version of the table, which readers compare with theirs before they read its rows. |</result>\n</task-notification>"},"origin":{"kind":"task-notification"}}
`

// TestNarrowTables: on a phone, columns of tables have room for words, whatever the other column holds.
func TestNarrowTables(t *testing.T) {
	t.Parallel()
	root, page := sessionSite(t, "5e55d0c5-0000-4000-8000-000000000015", tableLog)
	tb := openTab(t, root, withScript)
	tb.view(t, 320, "light")
	tb.load(t, page)
	eval[chromedp.Void](t, tb, openAll)
	height := eval[float64](t, tb, `document.querySelector(".note td > code").getBoundingClientRect().height`)
	if height > 24 {
		t.Errorf("a word of code in a cell is %.0f px high", height)
	}
	for _, value := range []string{"2.1.210", strings.Repeat("0.3.58-alpha", 6)} {
		width := eval[float64](t, tb, fmt.Sprintf(`(() => {
			const ledger = document.querySelector("#page-ledger");
			ledger.open = true;
			ledger.querySelector("tr:last-child > td:last-child").textContent = %q;
			return ledger.querySelector("td").offsetWidth;
		})()`, value))
		if width < 100 {
			t.Errorf("beside the version %s, names of what a page is made of are %.0f px wide", value, width)
		}
		if wide := eval[[]string](t, tb, overflowing); len(wide) > 0 {
			t.Errorf("the page overflows: %s", strings.Join(wide, ", "))
		}
	}
	report(t, page, tb.takeFindings())
}

// TestChangedFile: with a long name and a long folder, the counts of a changed file are whole, and its folder is not a
// column of letters.
func TestChangedFile(t *testing.T) {
	t.Parallel()
	const folder = "/tmp/harbour/tables-of-the-tides-of-all-piers/spring/and/neap/"
	const before, after = "/home/ada/pier/harbour/tables/spring-tides", folder + "all-of-the-spring-tides"
	log := strings.ReplaceAll(foldersLog, before, after)
	root, page := sessionSite(t, "5e55d0c5-0000-4000-8000-000000000014", log)
	tb := openTab(t, root, withScript)
	tb.load(t, page)
	for width := int64(320); width <= 1280; width += 60 {
		tb.view(t, width, "light")
		for _, open := range []bool{false, true} {
			cut := eval[[]string](t, tb, fmt.Sprintf(`(
				document.querySelectorAll(".changed").forEach((el) => el.open = %t),
				[...document.querySelectorAll(".changed > .row > .add")].filter((el) =>
					el.checkVisibility() && el.scrollWidth > el.clientWidth).map((el) => el.textContent))`, open))
			if len(cut) > 0 {
				t.Errorf("%d px, open %t: counts are cut: %v", width, open, cut)
			}
		}
		lines := eval[float64](t, tb, `Math.max(...[...document.querySelectorAll(".changed > .row > .arg")].map((el) =>
			el.offsetHeight / parseFloat(getComputedStyle(el).lineHeight)))`)
		if lines > 3.5 {
			t.Errorf("%d px: a folder has %.0f lines", width, lines)
		}
	}
	const line = `getComputedStyle(document.querySelector(".by > .gut a")).textDecorationLine`
	if got := eval[string](t, tb, line); got != "underline" {
		t.Errorf("links among the numbers of lines differ from them by their colour alone, text-decoration: %s", got)
	}
	report(t, page, tb.takeFindings())
}

// TestTitleInBar: the title at the end of the breadcrumb has room for some words, or is not there.
func TestTitleInBar(t *testing.T) {
	t.Parallel()
	root, page := sessionSite(t, "5e55d0c5-0000-4000-8000-000000000011", failedLog)
	tb := openTab(t, root, withScript)
	tb.load(t, page)
	shown := map[bool]int{}
	for width := int64(870); width <= 1400; width += 10 {
		tb.view(t, width, "light")
		title := eval[float64](t, tb, `document.querySelector(".crumb > b").clientWidth`)
		if title > 0 && title < 70 {
			t.Errorf("%d px: the title has only %.0f px", width, title)
		}
		shown[title > 0]++
		if !eval[bool](t, tb, `[...document.querySelectorAll(".crumb > a")].every((el) => el.clientWidth > 40)`) {
			t.Errorf("%d px: a link of the breadcrumb is too small", width)
		}
	}
	if shown[true] == 0 || shown[false] == 0 {
		t.Errorf("the title is shown at %d widths and hidden at %d, want some of both", shown[true], shown[false])
	}
	report(t, page, tb.takeFindings())
}
