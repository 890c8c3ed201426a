package e2e

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

var replayed = flag.String("replay",
	"../testdata/projects/-home-mara-ovenbell/17c3e8a4-0b6d-4f92-a7e1-c58d2b90f463.jsonl",
	"session that is written line by line under an open page")

const (
	pace    = 50                      // how many times as fast as the original
	longest = 1500 * time.Millisecond // the longest pause in a replay
)

// A replayLine is a line of a session and the pause before it.
type replayLine struct {
	text  []byte
	pause time.Duration
	id    string // the id of its element, if it has one
}

func readReplay(t testing.TB) []replayLine {
	t.Helper()
	data, err := os.ReadFile(*replayed)
	if err != nil {
		t.Fatal(err)
	}
	var lines []replayLine
	var last time.Time
	for text := range bytes.Lines(data) {
		var r struct {
			UUID      string
			Timestamp time.Time
		}
		json.Unmarshal(text, &r) // invalid lines are replayed too
		l := replayLine{text: text, id: shortID(r.UUID)}
		if !r.Timestamp.IsZero() && !last.IsZero() {
			l.pause = min(max(0, r.Timestamp.Sub(last)/pace), longest)
		}
		if !r.Timestamp.IsZero() {
			last = r.Timestamp
		}
		lines = append(lines, l)
	}
	return lines
}

// shortID returns the id of a record on a page: the first ten digits of its UUID in base 36.
func shortID(uuid string) string {
	hex := strings.ReplaceAll(uuid, "-", "")
	if len(hex) < 10 {
		return ""
	}
	n, err := strconv.ParseUint(hex[:10], 16, 64)
	if err != nil {
		return ""
	}
	text := strconv.FormatUint(n, 36)
	return text[:min(6, len(text))]
}

// observe makes the page record when elements appear, duplicate elements, and whether the element that the reader looks
// at moves.
const observe = `(() => {
	window.arrived = {}; window.twice = []; window.same = "the page that was opened";
	const note = () => {
		const ids = [...document.querySelectorAll("main [id]")].map((el) => el.id), now = Date.now();
		for (const id of ids) arrived[id] ??= now;
		if (new Set(ids).size !== ids.length) twice.push(ids.filter((id, i) => ids.indexOf(id) !== i));
	};
	note();
	new MutationObserver(note).observe(document.querySelector("main"), { childList: true, subtree: true });
})()`

// trackPosition makes the page measure in each frame how far an element moves on the screen.
const trackPosition = `(() => {
	const el = document.getElementById(%q), from = el.getBoundingClientRect().top;
	window.moved = 0;
	const look = () => { window.moved = Math.max(window.moved, Math.abs(el.getBoundingClientRect().top - from)); requestAnimationFrame(look); };
	look();
})()`

// text returns the text of the page with everything open, without what only a live page adds.
const text = `(() => {
	document.querySelector("#level-everything")?.click();
	for (const el of document.querySelectorAll("main details")) el.open = true;
	for (const el of document.querySelectorAll(".pulse, .tick")) el.remove();
	return document.querySelector("main").innerText;
})()`

// fresh is the current page of the server.
const fresh = `const fresh = new DOMParser().parseFromString(await (await fetch(location.href)).text(), "text/html");`

// TestLiveReplay replays a session under an open page, fifty times as fast. Everything must appear once and in order,
// what the reader opened stays open, what they look at stays in place, and the page is never loaded again.
func TestLiveReplay(t *testing.T) {
	lines := readReplay(t)
	name := filepath.Base(*replayed)
	page := "s/" + strings.TrimSuffix(name, ".jsonl") + "/index.html"
	s := newServed(t)
	begun := len(lines) / 2
	for _, l := range lines[:begun] {
		s.append(t, name, l.text)
	}
	s.start(t)
	tb := openTab(t, s.address, withScript)
	tb.size(t, 1280, 500)
	tb.load(t, page)
	tb.await(t, `"live" in document.documentElement.dataset`, "<html data-live>: the page listens")
	eval[chromedp.Void](t, tb, observe)

	// The reader opens a call and looks at it.
	call := eval[string](t, tb, `(() => {
		const calls = [...document.querySelectorAll("main > .turn > .tools > details.tool:not([open])")].filter((el) => el.checkVisibility());
		const el = calls[Math.floor(calls.length / 3)];
		el.open = true;
		scrollTo({ top: scrollY + el.getBoundingClientRect().top - 200, behavior: "instant" });
		el.firstElementChild.focus({ preventScroll: true });
		getSelection().selectAllChildren(document.querySelector("main > .turn > .prose p"));
		window.marked = getSelection().toString();
		return el.id;
	})()`)
	if call == "" || !eval[bool](t, tb, `scrollY > 0 && [...document.querySelectorAll("main > .turn")].at(-1).getBoundingClientRect().bottom > innerHeight + 100`) {
		t.Fatal("found no call to open, or the end of the page is visible")
	}
	eval[chromedp.Void](t, tb, fmt.Sprintf(trackPosition, call))

	appended := make(map[string]time.Time)
	for _, l := range lines[begun:] {
		time.Sleep(l.pause)
		if _, known := appended[l.id]; !known {
			appended[l.id] = time.Now()
		}
		s.append(t, name, l.text)
	}
	catchUp(t, s, name, tb)

	state := evalPromise[struct {
		Same, Focus string
		Marked      [2]string
		Open        bool
		Moved       float64
		Twice       [][]string
		Arrived     map[string]float64
		IDs, Want   []string
		Below       string
	}](t, tb, fmt.Sprintf(`(async () => {
		%s
		const ids = (from) => [...from.querySelectorAll("main [id]")].map((el) => el.id);
		return { Same: window.same, Marked: [window.marked, getSelection().toString()], Focus: document.activeElement.closest("[id]")?.id, Open: document.getElementById(%q)?.open, Moved: window.moved, Twice: window.twice,
			Arrived: window.arrived, IDs: ids(document), Want: ids(fresh), Below: document.querySelector(".below:not([hidden])")?.textContent };
	})()`, fresh, call))
	if state.Same == "" {
		t.Error("the page was loaded again")
	}
	if !state.Open || state.Focus != call {
		t.Errorf("the call that was opened is open: %v, the focus is in %q, want %q", state.Open, state.Focus, call)
	}
	if state.Marked[0] == "" || state.Marked[1] != state.Marked[0] {
		t.Errorf("the selection changed from %q to %q", state.Marked[0], state.Marked[1])
	}
	if state.Moved > 1 {
		t.Errorf("what the reader looked at moved by %.1f px", state.Moved)
	}
	if len(state.Twice) > 0 {
		t.Errorf("elements were on the page twice: %v", state.Twice)
	}
	if !slices.Equal(state.IDs, state.Want) {
		t.Errorf("the page has the elements\n%q\nwant\n%q", state.IDs, state.Want)
	}
	if !strings.HasSuffix(state.Below, "new below") {
		t.Errorf("the note about new messages below is %q", state.Below)
	}
	other := openTab(t, s.address, withScript)
	other.size(t, 1280, 500)
	other.load(t, page)
	if got, want := eval[string](t, tb, text), eval[string](t, other, text); got != want {
		t.Errorf("the updated page differs from a newly loaded one:\n%s", difference(got, want))
	}
	report(t, page, tb.takeFindings())

	var latencies []time.Duration
	for id, at := range appended {
		if arrived := state.Arrived[id]; arrived > 0 {
			latencies = append(latencies, time.UnixMilli(int64(arrived)).Sub(at))
		}
	}
	slices.Sort(latencies)
	if len(latencies) == 0 {
		t.Fatal("no appended record appeared")
	}
	at := func(share float64) time.Duration {
		return latencies[int(share*float64(len(latencies)-1))].Round(time.Millisecond)
	}
	fmt.Printf("    from append to page: median %v, nine of ten %v, longest %v, of %d\n", at(0.5), at(0.9),
		at(1), len(latencies))
}

// catchUp appends a last prompt to a session, and waits until the page shows it, or that it is on a later page, and is
// that of the server. So no build is left that could change the page.
func catchUp(t testing.TB, s *served, name string, tb *tab) {
	t.Helper()
	s.append(t, name, prompt(900))
	tb.await(t, fmt.Sprintf(`document.getElementById(%q) || document.querySelector("a[rel=next]")`, promptID(900)),
		"the prompt that was appended last")
	for range 100 {
		if evalPromise[bool](t, tb, `(async () => {
			`+fresh+`
			const ids = (from) => [...from.querySelectorAll("main [id]")].map((el) => el.id).join();
			return ids(fresh) === ids(document);
		})()`) {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// difference returns the parts of two texts where they diverge.
func difference(got, want string) string {
	n := 0
	for n < min(len(got), len(want)) && got[n] == want[n] {
		n++
	}
	from := max(0, n-60)
	return fmt.Sprintf("got  …%q\nwant …%q", got[from:min(len(got), n+120)], want[from:min(len(want), n+120)])
}

// TestLiveFollow: a reader at the end of a growing session stays at the end. A reader who scrolled up is told how much
// is new, and gets there by one click.
func TestLiveFollow(t *testing.T) {
	s, tb := openLive(t, 40)
	eval[chromedp.Void](t, tb, observe+`; scrollTo({ top: document.documentElement.scrollHeight, behavior: "instant" })`)
	var latencies []time.Duration
	for i := range 12 {
		at := time.Now()
		s.append(t, liveFile, prompt(100+i))
		tb.await(t, fmt.Sprintf(`document.querySelectorAll("main .prompt").length === %d`, 41+i),
			"the prompt that was appended")
		arrived := eval[float64](t, tb, fmt.Sprintf(`arrived[%q]`, promptID(100+i)))
		latencies = append(latencies, time.UnixMilli(int64(arrived)).Sub(at))
		time.Sleep(300 * time.Millisecond)
	}
	slices.Sort(latencies)
	fmt.Printf("    from append to page, one record at a time: median %v\n",
		latencies[len(latencies)/2].Round(time.Millisecond))
	if !eval[bool](t, tb, `[...document.querySelectorAll("main > .turn")].at(-1).getBoundingClientRect().bottom <= innerHeight && document.querySelector(".below").hidden`) {
		t.Error("the page does not stay at the end")
	}
	eval[chromedp.Void](t, tb, `scrollTo({ top: 0, behavior: "instant" })`)
	for i := range 3 {
		s.append(t, liveFile, prompt(200+i))
	}
	tb.await(t, `document.querySelector(".below:not([hidden])")?.textContent === "3 new below"`, `"3 new below"`)
	if y := eval[float64](t, tb, `scrollY`); y != 0 {
		t.Errorf("the page moved to %v, want it to stay", y)
	}
	tb.click(t, ".below")
	tb.await(t, fmt.Sprintf(`document.getElementById(%q).getBoundingClientRect().top < innerHeight`, promptID(200)),
		"the first of what is new")
	tb.await(t, `scrollTo(0, document.documentElement.scrollHeight) || document.querySelector(".below").hidden`, "nothing new below")
	report(t, liveFile, tb.takeFindings())
}

const liveFile = "aaaa0000-0000-4000-8000-000000000000.jsonl"

// openLive opens a served session with so many prompts.
func openLive(t *testing.T, prompts int) (*served, *tab) {
	t.Helper()
	s := newServed(t)
	for i := range prompts {
		s.append(t, liveFile, prompt(i))
	}
	s.start(t)
	tb := openTab(t, s.address, withScript)
	tb.view(t, 1280, "light")
	tb.load(t, "s/"+strings.TrimSuffix(liveFile, ".jsonl")+"/index.html")
	tb.await(t, `"live" in document.documentElement.dataset`, "<html data-live>: the page listens")
	return s, tb
}

func promptUUID(n int) string { return fmt.Sprintf("%08x-%04x-4000-8000-000000000000", n*7919+1, n) }

func promptID(n int) string { return shortID(promptUUID(n)) }

// prompt returns a line of a session.
func prompt(n int) []byte {
	return fmt.Appendf(nil, `{"type":"user","uuid":%q,"parentUuid":null,"sessionId":%q,"cwd":"/home/mara/tides","timestamp":%q,"version":"2.1.210","message":{"role":"user","content":"Prompt %d, about the tides."}}`+"\n",
		promptUUID(n), strings.TrimSuffix(liveFile, ".jsonl"),
		time.Date(2026, 5, 12, 10, 0, n, 0, time.UTC).Format(time.RFC3339), n)
}

// TestLiveRunning: while a call waits for its result, the page shows that the session runs, and for how long the call
// has run.
func TestLiveRunning(t *testing.T) {
	s, tb := openLive(t, 2)
	if eval[bool](t, tb, `!!document.querySelector(".pulse:not([hidden])") || "running" in document.documentElement.dataset`) {
		t.Error("an old session is shown as running")
	}
	began := time.Now().Add(-75 * time.Second)
	s.append(t, liveFile,
		fmt.Appendf(nil, `{"type":"assistant","uuid":"ca110000-0000-4000-8000-000000000000","parentUuid":%q,"timestamp":%q,"message":{"id":"msg_1","role":"assistant","model":"claude-sonnet-4-5","content":[{"type":"tool_use","id":"toolu_1","name":"Bash","input":{"command":"make tides"}}]}}`+"\n",
			promptUUID(1), began.UTC().Format(time.RFC3339)))
	tb.await(t, `/^(1m (1[5-9]|[2-5]\d)|[2-9]m \d+)s$/.test(document.querySelector("main .tool.pending .tick")?.textContent)`,
		"a call that says for how long it has been waiting")
	pulse := eval[string](t, tb, `document.querySelector(".pulse:not([hidden])")?.textContent`)
	if !strings.HasPrefix(pulse, "Running\u00a0·\u00a0last change ") {
		t.Errorf("the page shows %q, want that the session runs", pulse)
	}
	ticks := eval[string](t, tb, `document.querySelector(".tick").textContent`)
	tb.await(t, fmt.Sprintf(`document.querySelector(".tick").textContent !== %q`, ticks), "the clock to go on")
	// The reader opens it, and its result arrives.
	tb.click(t, "main .tool.pending summary")
	eval[chromedp.Void](t, tb, `document.querySelector("main .tool").dataset.mine = ""`)
	s.append(t, liveFile,
		fmt.Appendf(nil, `{"type":"user","uuid":"4e500000-0000-4000-8000-000000000000","parentUuid":"ca110000-0000-4000-8000-000000000000","timestamp":%q,"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"high water at noon"}]}}`+"\n",
			time.Now().UTC().Format(time.RFC3339)))
	tb.await(t,
		`document.querySelector("main .tool[data-mine][open]:not(.pending)")?.textContent.includes("high water at noon") && !document.querySelector(".tick")`,
		"the result in the same call, still open, and no clock")
	report(t, liveFile, tb.takeFindings())
}

// TestLivePages lets a session grow beyond the open page: at its end the page links to the next one. A late result is
// added to its call on the open page.
func TestLivePages(t *testing.T) {
	s, tb := openLive(t, 2)
	eval[chromedp.Void](t, tb, observe)
	s.append(t, liveFile,
		fmt.Appendf(nil, `{"type":"assistant","uuid":"ca110000-0000-4000-8000-000000000000","parentUuid":%q,"timestamp":"2026-05-12T10:00:02Z","message":{"id":"msg_1","role":"assistant","model":"claude-sonnet-4-5","content":[{"type":"tool_use","id":"toolu_1","name":"Bash","input":{"command":"make tides","run_in_background":true}}]}}`+"\n", promptUUID(1)))
	tb.await(t, `document.querySelector("main .tool.pending")`, "a call that waits")
	long := bytes.Repeat([]byte("The harbour master reads the gauge again. "), 200)
	for i := range 60 {
		s.append(t, liveFile, bytes.Replace(prompt(10+i), []byte("about the tides."), long, 1))
	}
	tb.await(t, `document.querySelector("a[rel=next]")`, "a link to the next page")
	eval[chromedp.Void](t, tb, `scrollTo({ top: document.documentElement.scrollHeight, behavior: "instant" })`)
	tb.await(t, `document.querySelector(".below:not([hidden])")?.textContent === "Continues on the next page"`,
		"where the session goes on")
	s.append(t, liveFile, []byte(`{"type":"user","uuid":"4e500000-0000-4000-8000-000000000000","parentUuid":"ca110000-0000-4000-8000-000000000000","timestamp":"2026-05-12T10:05:00Z","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"high water at noon"}]}}`+"\n"))
	tb.await(t, `document.querySelector("main .tool:not(.pending)")?.textContent.includes("high water at noon")`,
		"the late result in its call")
	if !eval[bool](t, tb, `same && !twice.length`) {
		t.Error("the page was loaded again, or an element was on it twice")
	}
	tb.click(t, ".below")
	tb.await(t, `location.pathname.endsWith("/2.html") && !!document.querySelector("html[data-live]")`,
		"the next page, where the note leads")
	report(t, liveFile, tb.takeFindings())
}

// TestLiveHidden: in a tab in the background, the title counts what is new.
func TestLiveHidden(t *testing.T) {
	s, tb := openLive(t, 3)
	title := eval[string](t, tb, `document.title`)
	eval[chromedp.Void](t, tb, `Object.defineProperty(document, "hidden", { configurable: true, get: () => true })`)
	s.append(t, liveFile, slices.Concat(prompt(10), prompt(11)))
	tb.await(t, fmt.Sprintf(`document.title === %q`, "(2) "+title), "the count in the title")
	eval[chromedp.Void](t, tb, `delete document.hidden; document.dispatchEvent(new Event("visibilitychange"))`)
	tb.await(t, fmt.Sprintf(`document.title === %q`, title), "the title without count")
	report(t, liveFile, tb.takeFindings())
}

// TestLiveConnection stops the server under an open page and starts another one. The page must show that, and then show
// what was appended meanwhile.
func TestLiveConnection(t *testing.T) {
	s, tb := openLive(t, 3)
	eval[chromedp.Void](t, tb, observe)
	s.stop(t)
	tb.await(t, `document.querySelector(".lost:not([hidden])")?.textContent.startsWith("Connection lost")`,
		"that the connection is lost")
	s.append(t, liveFile, prompt(20))
	s.start(t)
	tb.await(t, fmt.Sprintf(`document.getElementById(%q) && !document.querySelector(".lost:not([hidden])")`,
		promptID(20)), "what was appended while there was no server")
	s.append(t, liveFile, prompt(21))
	tb.await(t, fmt.Sprintf(`document.getElementById(%q)`+` && same`, promptID(21)),
		"what was appended after it, on the same page")
	tb.takeFindings() // errors of requests to the stopped server
	if err := os.Remove(s.file(liveFile)); err != nil {
		t.Fatal(err)
	}
	const other = "bbbb0000-0000-4000-8000-000000000000"
	// the pages of the first one are kept
	s.append(t, other+".jsonl",
		bytes.ReplaceAll(prompt(30), []byte(strings.TrimSuffix(liveFile, ".jsonl")), []byte(other)))
	tb.load(t, "index.html")
	tb.await(t, `document.querySelectorAll(".srow").length === 2`, "both sessions on the index")
	report(t, liveFile, tb.takeFindings())
}

// TestLiveRefused: a page that the server refuses for a while, at the limit of open files, is asked for again.
func TestLiveRefused(t *testing.T) {
	s, tb := openLive(t, 3)
	eval[chromedp.Void](t, tb, `(() => {
		const real = fetch;
		window.refused = 0;
		window.fetch = async (...all) => refused++ > 1 ? real(...all) :
			new Response("", { status: 503, headers: { "Retry-After": "1" } });
	})()`)
	s.append(t, liveFile, prompt(20))
	tb.await(t, fmt.Sprintf(`document.getElementById(%q) && refused === 3`, promptID(20)),
		"the page after two refusals")
	report(t, liveFile, tb.takeFindings())
}

// TestLiveIndex adds and extends sessions under an open index. Rows appear, change and move, while filter, order and
// focus stay.
func TestLiveIndex(t *testing.T) {
	s, tb := openLive(t, 3)
	other := func(n int) string { return fmt.Sprintf("bbbb%04d-0000-4000-8000-000000000000.jsonl", n) }
	for i := range 3 {
		s.append(t, other(i),
			bytes.ReplaceAll(prompt(500+i), []byte("2026-05-12"), fmt.Appendf(nil, "2026-05-0%d", i+1)))
	}
	time.Sleep(1500 * time.Millisecond)
	tb.load(t, "index.html")
	tb.await(t, `"live" in document.documentElement.dataset && document.querySelectorAll(".srow").length === 4`, "four sessions")
	eval[chromedp.Void](t, tb, `window.same = true; const row = document.querySelectorAll(".srow")[2]; row.dataset.mine = ""; row.querySelector("a").focus()`)
	rows := func() []string {
		return eval[[]string](t, tb, `[...document.querySelectorAll("main > .dayset .srow:not([hidden]) .ti > a")].map((a) => a.textContent)`)
	}
	// One more session on the day of the first one, which also gets a title.
	s.append(t, other(7), prompt(700))
	s.append(t, liveFile, []byte(`{"type":"custom-title","customTitle":"Neap and spring","sessionId":"`+
		strings.TrimSuffix(liveFile, ".jsonl")+`"}`+"\n"))
	tb.await(t,
		`document.querySelectorAll(".srow").length === 5 && [...document.querySelectorAll(".srow .ti > a")].some((a) => a.textContent === "Neap and spring")`, "a new row and a new title")
	if got, want := rows(), []string{
		"Prompt 700, about the tides.", "Neap and spring", "Prompt 502, about the tides.",
		"Prompt 501, about the tides.", "Prompt 500, about the tides.",
	}; !slices.Equal(got, want) {
		t.Errorf("got rows %q, want %q", got, want)
	}
	if !eval[bool](t, tb, `same && document.activeElement.closest(".srow[data-mine]") !== null`) {
		t.Error("the focus was lost, or the page was loaded again")
	}
	// It starts to run.
	tb.await(t, `document.querySelectorAll(".srow[data-running]").length >= 1`, "a row that is marked as running")

	// A filter and an order also apply to new rows.
	eval[chromedp.Void](t, tb, `const f = document.querySelector("#filter"); f.value = "neap"; f.dispatchEvent(new Event("input", { bubbles: true }))`)
	s.append(t, other(8), bytes.ReplaceAll(prompt(800), []byte("Prompt"), []byte("After the neap, prompt")))
	tb.await(t, `document.querySelectorAll("main .srow").length === 6`, "a sixth row")
	if got, want := rows(), []string{
		"After the neap, prompt 800, about the tides.", "Neap and spring",
	}; !slices.Equal(got, want) {
		t.Errorf("got filtered rows %q, want %q", got, want)
	}
	report(t, "index.html", tb.takeFindings())
}

// TestLiveTabs opens more tabs than a browser opens connections to one server. All are updated, also after the tab with
// the connection is closed.
func TestLiveTabs(t *testing.T) {
	s, first := openLive(t, 3)
	page := "s/" + strings.TrimSuffix(liveFile, ".jsonl") + "/index.html"
	listens, leave := first.openAnother(t)
	listens.load(t, page)
	tabs := []*tab{first, listens}
	for range 6 {
		tb, _ := first.openAnother(t)
		tb.load(t, page)
		tabs = append(tabs, tb)
	}
	current := func(n int) {
		t.Helper()
		for i, tb := range tabs {
			tb.await(t, fmt.Sprintf(`document.getElementById(%q)`, promptID(n)),
				fmt.Sprintf("prompt %d in tab %d", n, i))
		}
	}
	s.append(t, liveFile, prompt(50))
	current(50)
	leave()
	tabs = slices.Delete(tabs, 1, 2)
	s.append(t, liveFile, prompt(51))
	current(51)
	// The tab that was opened first has the connection for all. When it is closed, another tab takes over.
	first.load(t, "index.html")
	tabs = tabs[1:]
	s.append(t, liveFile, prompt(52))
	current(52)
	for _, tb := range tabs {
		report(t, page, tb.takeFindings())
	}
}

// TestLiveOnlyServed checks that pages of the site itself have no live script.
func TestLiveOnlyServed(t *testing.T) {
	s, tb := openLive(t, 3)
	if n := eval[int](t, tb, `document.querySelectorAll('script[src*="live"], link[href*="live"], meta[name=viewer-live]').length`); n != 3 {
		t.Errorf("the served page has %d of the 3 live parts", n)
	}
	for _, page := range pagesOf(t, s.site) {
		text, err := os.ReadFile(filepath.Join(s.site, page))
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(text, []byte("viewer-live")) || bytes.Contains(text, []byte("connect-src")) {
			t.Errorf("%s has live parts, want none", page)
		}
	}
	scripts, _ := filepath.Glob(filepath.Join(s.site, "assets", "*.js"))
	for _, name := range scripts {
		if text, err := os.ReadFile(name); err != nil || bytes.Contains(text, []byte("EventSource")) ||
			bytes.Contains(text, []byte("fetch(")) {
			t.Errorf("%s sends requests to a server: %v", name, err)
		}
	}
	if len(scripts) == 0 {
		t.Error("the site has no script")
	}
}
