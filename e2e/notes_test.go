package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// notedLog has notes about the session of smallLog: on a prompt, a call and an answer, on all of it, and on an anchor
// that does not exist.
const notedLog = `{"notes":[
{"session":"5e55d0c5-0000-4000-8000-000000000077","author":"Mara","text":"Read the **end** first."},
{"session":"5e55d0c5-0000-4000-8000-000000000077","anchor":"00000000-0000-4000-8000-000000000000","label":"question","author":"Mara","text":"Why?"},
{"session":"5e55d0c5-0000-4000-8000-000000000077","anchor":"t1","label":"slow","text":"An hour and a half, for a word of twelve letters: Donaudampfschiffahrtsgesellschaftskapitaensmuetze."},
{"session":"5e55d0c5-0000-4000-8000-000000000077","anchor":"nothere","text":"Gone."}]}`

// TestNotes: notes are beside their element on a wide screen and below it on a phone, with and without script. They are
// visible at every level, and the list at the top links to them.
func TestNotes(t *testing.T) {
	t.Parallel()
	const id = "5e55d0c5-0000-4000-8000-000000000077"
	from := filepath.Join(work, id, "-home-ada-pier")
	if err := os.MkdirAll(from, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(from, "viewer.notes.json"), []byte(notedLog), 0o644); err != nil {
		t.Fatal(err)
	}
	root, page := sessionSite(t, id, smallLog)
	const beside = `[...document.querySelectorAll(".noted")].map((el) => {
		const [about, notes] = [...el.children].map((c) => c.getBoundingClientRect());
		return notes.left >= about.right && Math.abs(notes.top - about.top) < 40 ? "beside" : notes.top >= about.bottom - 1 ? "below" : "over";
	}).join()`
	for _, m := range modes {
		tb := openTab(t, root, m)
		for width, want := range map[int64]string{1400: "beside,beside", 420: "below,below", 320: "below,below"} {
			tb.view(t, width, "light")
			tb.load(t, page)
			if got := eval[string](t, tb, beside); got != want {
				t.Errorf("%s, %d px wide: the notes are %s, want %s", m.name, width, got, want)
			}
			if !eval[bool](t, tb, `document.documentElement.scrollWidth <= innerWidth`) {
				t.Errorf("%s, %d px wide: the page is wider than the screen", m.name, width)
			}
		}
		const listed = `document.querySelectorAll("#page-notes [role=note], #page-notes li a").length`
		if got := eval[int](t, tb, listed); got != 4 {
			t.Errorf("%s: %d notes are listed, want 4", m.name, got)
		}
		report(t, page, tb.takeFindings())
	}
	tb := openTab(t, root, withScript)
	for _, scheme := range []string{"light", "dark"} {
		tb.view(t, 1400, scheme)
		tb.load(t, page)
		report(t, page+", "+scheme, inaccessible(t, tb))
	}
	for _, l := range levels {
		eval[chromedp.Void](t, tb, `document.getElementById("`+l.id+`")?.click()`)
		const seen = `[...document.querySelectorAll(".noted .margin")].filter((el) => el.checkVisibility()).length`
		if got := eval[int](t, tb, seen); got != 2 {
			t.Errorf("%s: %d notes are visible beside an element, want 2", l.id, got)
		}
	}
}

// TestAddNote writes a note on a served page. It must be in the file and on the page, without loading the page again.
func TestAddNote(t *testing.T) {
	t.Parallel()
	s := newServed(t)
	s.append(t, "5e55d0c5-0000-4000-8000-000000000078.jsonl", []byte(smallLog))
	file := filepath.Join(filepath.Dir(s.site), "viewer.notes.json")
	s.flags = []string{"--notes", file}
	s.start(t)
	tb := openTab(t, s.address, withScript)
	tb.view(t, 1400, "light")
	tb.load(t, "s/5e55d0c5-0000-4000-8000-000000000078/index.html")
	tb.await(t, `!!document.querySelector(".add-note")`, "the button for a note")
	eval[chromedp.Void](t, tb, `window.same = true`)
	tb.click(t, ".add-note")
	report(t, "the form of a note", inaccessible(t, tb))
	tb.await(t, `document.querySelector(".new-note").open`, "the form")
	eval[chromedp.Void](t, tb, `(() => {
		document.querySelector(".new-note textarea").value = "Is **this** so?";
		document.querySelector(".new-note label:nth-of-type(2) input").value = "Noor";
		[...document.querySelectorAll(".new-note button")][0].click();
	})()`)
	tb.await(t, `!!document.querySelector(".noted .margin .prose strong")`, "the note on the page")
	if !eval[bool](t, tb, `window.same && !document.querySelector(".new-note").open`) {
		t.Error("the page was loaded again, or the form is still open")
	}
	data, err := os.ReadFile(file)
	if err != nil || !strings.Contains(string(data), `"text": "Is **this** so?"`) ||
		!strings.Contains(string(data), `"author": "Noor"`) {
		t.Errorf("the file has %s (error %v), want the note", data, err)
	}
	report(t, "a page that writes notes", tb.takeFindings())
}
