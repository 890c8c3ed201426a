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
)

// TestSearchQueries checks the script with the table that package search is checked with.
func TestSearchQueries(t *testing.T) {
	t.Parallel()
	table, err := os.ReadFile("../internal/search/testdata/queries.txt")
	if err != nil {
		t.Fatal(err)
	}
	script, err := os.ReadFile("../assets/js/search.js")
	if err != nil {
		t.Fatal(err)
	}
	_, queries, _ := strings.Cut(string(script), "// -- terms --")
	queries, _, ok := strings.Cut(queries, "// -- the term index --")
	if !ok {
		t.Fatal("assets/js/search.js lacks the part between terms and the term index")
	}
	var asked [][2]string
	for block := range strings.SplitSeq(string(table), "\n> ") {
		if query, want, ok := strings.Cut(strings.TrimSpace(block), "\n"); ok && !strings.HasPrefix(query, "#") {
			asked = append(asked, [2]string{query + " ", want})
		}
	}
	list, err := json.Marshal(asked)
	if err != nil || len(asked) < 10 {
		t.Fatalf("got %d queries, error %v", len(asked), err)
	}
	tb := openTab(t, manySessions(t), withScript)
	tb.load(t, "index.html")
	report(t, "queries.txt", eval[[]string](t, tb, fmt.Sprintf(`(() => {%s
		const written = (q) => wrongIn(q) ? "! " + wrongIn(q) : q.wanted.map((p) => p.exact ? '"' + p.terms.join(" ") + '"' : p.terms.join(" ")).join(" + ")
			+ (q.unknown.length ? "\n? " + q.unknown.join(" ") : "");
		return %s.flatMap(([query, want]) => written(parse(query)) === want ? [] : [query + ": " + written(parse(query)) + ", want " + want]);
	})()`, queries, list)))
}

// answerSessions are prompts and answers, one session each.
var answerSessions = [][2]string{
	{"Please publish a version with goreleaser", "The version is out."},
	{"Make a release today", "We did, by hand."},
	{"Deploy the pump", "It is deployed to the harbour."},
	{"How did the valve break?", "Rust, by the look of it, since the last release; see valve\u202egnp.exe."},
}

// TestSearchAnswers searches on a page for words that no message contains together: it says so, and shows the best
// hits.
func TestSearchAnswers(t *testing.T) {
	t.Parallel()
	from := filepath.Join(t.TempDir(), "answers")
	dir := filepath.Join(from, "-home-ada-pump")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for n, s := range answerSessions {
		id := fmt.Sprintf("%08d-1111-4000-8000-000000000000", n)
		text := fmt.Sprintf(`{"type":"user","uuid":"u%d","sessionId":%q,"cwd":"/home/ada/pump","timestamp":"2026-05-0%dT10:00:00Z","message":{"role":"user","content":%q}}
{"type":"assistant","uuid":"a%[1]d","sessionId":%[2]q,"timestamp":"2026-05-0%[3]dT10:00:05Z","message":{"id":"m%[1]d","role":"assistant","model":"claude-haiku-4-5","content":[{"type":"text","text":%[5]q}]}}
{"type":"system","subtype":"informational","uuid":"s%[1]d","sessionId":%[2]q,"timestamp":"2026-05-0%[3]dT10:00:06Z","content":"The harbour was told","level":"info"}
`, n, id, n+1, s[0], s[1])
		if err := os.WriteFile(filepath.Join(dir, id+".jsonl"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	root, err := build("answersite", from)
	if err != nil {
		t.Fatal(err)
	}
	tb := openTab(t, root, withScript)
	tb.view(t, 1280, "light")
	tb.load(t, "index.html")
	tb.press(t, "/")
	const status = `document.querySelector(".finder output").textContent`
	for _, c := range []struct {
		query, status string
		first         string // kind and highlighted words of the first hit
	}{
		{"how did we release with goreleaser", "No message has all words; best match", "prompt: goreleaser"},
		{"how did the", "1 session", "prompt: How did the"},
		{`"by the" look`, "1 session", "answer: by the look"},
		{"is:foo", "is:foo is invalid: is: takes error", ""},
		{"dpeloy", "Nothing found\u00a0·\u00a0did you mean deploy", ""},
		{"dpeloy pump", "No message has all words; best match\u00a0·\u00a0did you mean deploy", "prompt: pump"},
		{"author:mara goreleaser", "No message has all words; best match\u00a0·\u00a0author: is not a filter", "prompt: goreleaser"},
		{"zebra pump", "No message has all words; best match\u00a0·\u00a0zebra is in no session", "prompt: pump"},
		{"deploy the pump", "1 session", "prompt: Deploy pump"},
		{"--- !!!", "No word to search for", ""},
		{"-pump", "No word to search for", ""},
		{"harbour", "4 sessions", "answer: harbour"},
	} {
		asking(t, tb, c.query+" ")
		if got := eval[string](t, tb, status); got != c.status {
			t.Errorf("%s: the page shows %q, want %q", c.query, got, c.status)
		}
		if got := eval[string](t, tb, `(() => {
			const hit = document.querySelector(".finder .hit");
			return hit ? hit.querySelector(".kind").textContent + ": " + [...hit.querySelectorAll("mark")].map((el) => el.textContent).join(" ") : "";
		})()`); got != c.first {
			t.Errorf("%s: the first hit is %q, want %q", c.query, got, c.first)
		}
	}
	const kinds = `[...document.querySelectorAll(".finder .kind")].map((el) => el.textContent)`
	if got, want := eval[[]string](t, tb, kinds), []string{"answer", "event", "event", "event", "event"}; !slices.Equal(
		got, want) {
		t.Errorf("the kinds of hits are %q, want events last", got)
	}
	asking(t, tb, "deploy pump ")
	if got := eval[[]string](t, tb, kinds); !slices.Equal(got, []string{"prompt"}) {
		t.Errorf("a title that is its prompt gives the hits %q, want one", got)
	}
	asking(t, tb, "rust ")
	got := eval[string](t, tb, `document.querySelector(".finder .snip").textContent`)
	if !strings.Contains(got, "valveU+202Egnp.exe") {
		t.Errorf("a hit with a character that reorders text is shown as %+q, want the number of the character", got)
	}
	asking(t, tb, "dpeloy ")
	report(t, "dpeloy", inaccessible(t, tb))
	eval[chromedp.Void](t, tb, `document.querySelector(".finder output button").click()`)
	tb.await(t, `document.querySelector(".finder").dataset.asked === "deploy "`, "the search for deploy")
	report(t, "index.html", tb.takeFindings())

	// A missing file, and a browser that limits changes of the address, as Safari does.
	if err := os.Remove(filepath.Join(root, "s/00000002-1111-4000-8000-000000000000/index.search.js")); err != nil {
		t.Fatal(err)
	}
	fresh := openTab(t, root, withScript)
	fresh.load(t, "index.html")
	eval[chromedp.Void](t, fresh, `history.replaceState = () => { throw new DOMException("too often", "SecurityError") }`)
	fresh.press(t, "/")
	asking(t, fresh, "deploy pump ")
	if got, want := eval[string](t, fresh, status),
		"Nothing found\u00a0·\u00a01 part of the index could not be read"; got != want {
		t.Errorf("without the file of a session the page shows %q, want %q", got, want)
	}
}
