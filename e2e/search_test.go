package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// TestSearchTerms checks the script with the table that package search is checked with.
func TestSearchTerms(t *testing.T) {
	t.Parallel()
	table, err := os.ReadFile("../internal/search/testdata/terms.txt")
	if err != nil {
		t.Fatal(err)
	}
	script, err := os.ReadFile("../assets/js/search.js")
	if err != nil {
		t.Fatal(err)
	}
	_, terms, _ := strings.Cut(string(script), "// -- terms --")
	terms, _, ok := strings.Cut(terms, "// -- queries --")
	if !ok {
		t.Fatal("assets/js/search.js lacks the part between terms and queries")
	}
	tb := openTab(t, builtSite(t), withScript)
	tb.load(t, "index.html")
	text, cases := "", 0
	for line := range strings.Lines(string(table)) {
		line = strings.TrimSuffix(line, "\n")
		if strings.HasPrefix(line, "#") {
			continue
		}
		if after, ok := strings.CutPrefix(line, "> "); ok {
			text = after
			continue
		}
		cases++
		quoted, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		got := eval[string](t, tb, fmt.Sprintf(`(() => {%s
			let out = "", inside = false;
			scan(%s, (term, start, end, place, part) => {
				if (part && !inside) out += " (";
				else if (!part && inside) out += ") ";
				else if (out) out += " ";
				inside = part;
				out += term;
			});
			return inside ? out + ")" : out;
		})()`, terms, quoted))
		if got != line {
			t.Errorf("%s\n got %s\nwant %s", text, got, line)
		}
		if wrong := eval[string](t, tb, fmt.Sprintf(`(() => {%s
			const text = %s, all = [];
			const listed = (takes) => takes.map((take) => take.join(" ")).join();
			// scanNear counts positions by letters instead of words, so only their order is compared.
			const ranked = (takes) => {
				const places = [...new Set(takes.map((take) => take[3]))].sort((a, b) => a - b);
				return takes.map((take) => take.with(3, places.indexOf(take[3])));
			};
			scan(text, (...take) => all.push(take));
			for (const needle of new Set(all.map((take) => take[0]))) {
				const near = [], inOrder = [], found = (takes) => takes.filter((take) => take[0] === needle);
				scanNear(text, fold(text), [needle], (...take) => near.push(take));
				if (listed(ranked(found(near))) !== listed(ranked(found(all)))) return "scanNear: " + needle + ": " + listed(near);
				scanInOrder(text, fold(text), [needle], (...take) => inOrder.push(take));
				if (listed(found(inOrder)) !== listed(found(all))) return "scanInOrder: " + needle + ": " + listed(inOrder);
			}
			return "";
		})()`, terms, quoted)); wrong != "" {
			t.Errorf("%s\n%s", text, wrong)
		}
	}
	if cases < 20 {
		t.Fatalf("the table has %d cases, want more", cases)
	}
}

// asking types a query into the search over all sessions, and waits for its answer.
func asking(t testing.TB, tb *tab, query string) {
	t.Helper()
	eval[chromedp.Void](t, tb, fmt.Sprintf(`{
		const input = document.querySelector(".finder input");
		input.value = %q;
		input.dispatchEvent(new Event("input", { bubbles: true }));
	}`, query))
	tb.await(t, fmt.Sprintf(`document.querySelector(".finder").dataset.asked === %q`, query), "an answer to "+query)
}

const (
	foundGroups = `[...document.querySelectorAll(".finder .group")].map((el) => el.querySelector("b").textContent)`
	foundKinds  = `[...new Set([...document.querySelectorAll(".finder .kind")].map((el) => el.textContent))]`
	foundMarks  = `[...new Set([...document.querySelectorAll(".finder mark")].map((el) => el.textContent.toLowerCase()))]`
)

// TestSearch searches on a page that is opened from disk.
func TestSearch(t *testing.T) {
	t.Parallel()
	root := manySessions(t)
	tb := openTab(t, root, withScript)
	tb.view(t, 1280, "light")
	tb.load(t, "index.html")
	tb.press(t, "/")
	tb.await(t, `document.activeElement === document.querySelector(".finder input")`, "the search")
	for _, c := range []struct {
		query string
		check string // returns what is wrong, or ""
	}{
		{"number 399", foundGroups + `.join() === "Session number 399" ? "" : "groups"`},
		{"num 399", `document.querySelector(".finder output").textContent.startsWith("No message has all words; best match") ? "" : "a word in the middle is no beginning"`},
		{"399 num", foundGroups + `.join() === "Session number 399" ? "" : "groups"`},
		{`"number 399"`, foundGroups + `.join() === "Session number 399" ? "" : "groups"`},
		{`"399 number"`, foundGroups + `.length === 0 ? "" : "groups"`},
		{"is:error false", foundKinds + `.join() === "Bash" ? "" : "kinds"`},
		{"tool:bash project:pier", `[...document.querySelectorAll(".finder .group small")].every((el) => el.textContent.startsWith("pier")) ? "" : "projects"`},
		{"done after:2026-11-20", foundGroups + `.join() === "Session number 0,Session number 1" ? "" : "groups"`},
		{"number 7 -session", foundGroups + `.length === 0 ? "" : "groups"`},
		{"kind:prompt number 12", foundKinds + `.join() === "prompt" ? "" : "kinds"`},
		{"model:haiku number 11", foundMarks + `.join() === "number,11" ? "" : "marks"`},
		{"kind:promt", `document.querySelector(".finder output").textContent.startsWith("kind:promt is invalid: kind: takes note, title") ? "" : "an unknown kind"`},
		{"nowhere at all", `document.querySelector(".finder output").textContent === "Nothing found" ? "" : "status"`},
	} {
		asking(t, tb, c.query)
		if wrong := eval[string](t, tb, c.check); wrong != "" {
			t.Errorf("%s: %s: found %v, kinds %v, marks %v: %s", c.query, wrong, eval[[]string](t, tb, foundGroups),
				eval[[]string](t, tb, foundKinds),
				eval[[]string](t, tb, foundMarks),
				eval[string](t, tb, `document.querySelector(".finder output").textContent`))
		}
	}
	report(t, "index.html", tb.takeFindings())
	if got := eval[string](t, tb, "location.hash"); got != "#search=nowhere%20at%20all" {
		t.Errorf("the address ends in %q, want the query", got)
	}
	tb.press(t, kb.Escape)
	tb.await(t, `location.hash === "" && !document.querySelector(".finder").open`, "the page without the search")
}

// TestSearchOpens follows a hit from a page of another session: the message is open, and its words are highlighted.
func TestSearchOpens(t *testing.T) {
	t.Parallel()
	tb, page := openLong(t, "2.html")
	word := foldedWord(t, tb)
	tb.load(t, "index.html#search="+word)
	tb.await(t, `document.querySelector(".finder")?.dataset.asked === "`+word+`"`, "an answer to "+word)
	tb.press(t, kb.ArrowDown)
	if got := eval[bool](t, tb, `document.activeElement.matches(".finder .hit")`); !got {
		t.Error("the arrow key does not focus the first hit")
	}
	tb.press(t, kb.Enter)
	tb.await(t, `location.pathname.includes("/s/") && "ready" in (document.documentElement?.dataset ?? {}) && `+hasHit,
		"the hit on its page")
	report(t, page, checkHit(t, tb, word))
	tb.press(t, "k", chromedp.ModifierCtrl)
	tb.await(t, `document.activeElement === document.querySelector(".finder input")`, "the search, by Ctrl-K")
	report(t, page, tb.takeFindings())
}

// TestSearchNarrows narrows a search by values among its results, and removes that again.
func TestSearchNarrows(t *testing.T) {
	t.Parallel()
	tb := openTab(t, manySessions(t), withScript)
	tb.view(t, 1280, "light")
	tb.load(t, "index.html")
	tb.press(t, "/")
	const offers = `[...document.querySelectorAll(".finder .narrow button")].map((el) => el.textContent + (el.ariaPressed === "true" ? "!" : ""))`
	if got := eval[bool](t, tb, `document.querySelector(".hints").checkVisibility()`); !got {
		t.Error("an empty search does not explain the syntax")
	}
	asking(t, tb, "model:haiku")
	if got := eval[bool](t, tb, `document.querySelector(".hints").checkVisibility()`); got {
		t.Error("the explanation of the syntax is shown beside results")
	}
	before := eval[[]string](t, tb, offers)
	press := func(name, query string) []string {
		t.Helper()
		eval[chromedp.Void](t, tb,
			fmt.Sprintf(`[...document.querySelectorAll(".finder .narrow button")].find((el) => el.firstChild.data === %q).click()`, name))
		tb.await(t,
			fmt.Sprintf(
				`document.querySelector(".finder").dataset.asked === %q && document.querySelector(".finder input").value === %[1]q`, query), "an answer to "+query)
		return eval[[]string](t, tb, offers)
	}
	if got := press("lock", "model:haiku project:lock "); !slices.ContainsFunc(got, func(s string) bool {
		return strings.HasPrefix(s, "lock ") && strings.HasSuffix(s, "!")
	}) {
		t.Errorf("narrowed to a project the search offers %q, want lock pressed", got)
	}
	projects := eval[[]string](t, tb,
		`[...new Set([...document.querySelectorAll(".finder .group small")].map((el) => el.textContent.split(" ")[0]))]`)
	if !slices.Equal(projects, []string{"lock"}) {
		t.Errorf("narrowed to a project, the results are of %q", projects)
	}
	press("prompt", "model:haiku project:lock kind:prompt ")
	press("lock", "model:haiku kind:prompt")
	press("prompt", "model:haiku")
	if got := eval[[]string](t, tb, offers); !slices.Equal(got, before) {
		t.Errorf("after all filters are removed it offers %q, want %q", got, before)
	}
	report(t, "index.html", inaccessible(t, tb))
	asking(t, tb, "nowhere at all")
	if got := eval[bool](t, tb, `document.querySelector(".hints").checkVisibility() && !document.querySelector(".narrow").checkVisibility()`); !got {
		t.Error("without results the search does not explain the syntax")
	}
	report(t, "index.html", inaccessible(t, tb))
	report(t, "index.html", tb.takeFindings())
}

// TestSearchAccessible checks the search with axe-core.
func TestSearchAccessible(t *testing.T) {
	t.Parallel()
	tb := openTab(t, manySessions(t), withScript)
	for _, scheme := range []string{"light", "dark"} {
		tb.view(t, 1280, scheme)
		tb.load(t, "index.html")
		tb.press(t, "/")
		asking(t, tb, "session number")
		report(t, scheme, inaccessible(t, tb))
	}
}

// TestSearchLinks opens hits of all kinds: each must have a target.
func TestSearchLinks(t *testing.T) {
	t.Parallel()
	root := builtSite(t)
	tb := openTab(t, root, withScript)
	tb.load(t, "index.html")
	tb.press(t, "/")
	var links []string
	for _, query := range []string{
		"kind:tool the", "kind:prompt", "kind:answer the", "kind:hook", "kind:event", "kind:thinking", "is:error",
	} {
		asking(t, tb, query)
		links = append(links,
			eval[[]string](t, tb, `[...document.querySelectorAll(".finder .hit")].slice(0, 4).map((el) => el.href)`)...)
	}
	if len(links) < 10 {
		t.Fatalf("got %d links to follow, want more", len(links))
	}
	for _, link := range links {
		_, page, _ := strings.Cut(link, filepath.ToSlash(root)+"/")
		tb.reopen(t, page)
		if wrong := eval[string](t, tb, `(() => {
			const hash = new URLSearchParams(location.hash.slice(1)), id = hash.get("at") || location.hash.slice(1);
			const found = document.querySelector(".find output")?.textContent;
			return !id || document.getElementById(decodeURIComponent(id)) || /^\d+ of/.test(found) ? "" : "nothing is there";
		})()`); wrong != "" {
			t.Errorf("%s: %s", page, wrong)
		}
		report(t, page, tb.takeFindings())
	}
}
