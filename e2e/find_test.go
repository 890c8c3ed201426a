package e2e

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"io"
	"maps"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// TestFind searches on one page. The key opens the search box, a hit inside of a closed <details> opens it, the next
// hit closes it again, and Escape moves the focus to the hit.
func TestFind(t *testing.T) {
	t.Parallel()
	tb, page := openLong(t, "2.html")
	word := foldedWord(t, tb)
	tb.press(t, "/")
	if got := eval[string](t, tb, `document.activeElement.ariaLabel`); got != "Search in this session" {
		t.Fatalf("after / the focus is on %q", got)
	}
	tb.press(t, word)
	tb.await(t, hasHit, "a count of hits for "+word)
	report(t, page, checkHit(t, tb, word))
	if !eval[bool](t, tb, `location.hash.startsWith("#find=`+word+`&n=")`) {
		t.Errorf("%s: the address does not contain the search: %s", page, eval[string](t, tb, "location.hash"))
	}
	tb.press(t, kb.Escape)
	report(t, page, eval[[]string](t, tb, `(() => {
		const wrong = [], el = document.activeElement;
		if (document.querySelector(".find").checkVisibility()) wrong.push("Escape leaves the box open");
		if (CSS.highlights.get("found")?.size) wrong.push("Escape leaves the marks");
		if (!el.closest("main")) wrong.push("after Escape the focus is on " + el.localName);
		if (location.hash) wrong.push("after Escape the address ends in " + location.hash);
		return wrong;
	})()`))
	report(t, page, tb.takeFindings())
}

// TestFindFolds goes through all hits of a word and back: only one <details> at a time is open.
func TestFindFolds(t *testing.T) {
	t.Parallel()
	tb, page := openLong(t, "2.html")
	was := eval[int](t, tb, openFolds)
	tb.press(t, "/")
	tb.press(t, "error")
	tb.await(t, hasHit, "hits for error")
	hits := eval[int](t, tb, `CSS.highlights.get("found").size`)
	for left := min(hits, 40); left > 0; left-- {
		report(t, page, checkHit(t, tb, "error"))
		if n := eval[int](t, tb, openFolds); n > was+4 {
			t.Fatalf("%s: %d folds are open, want at most one more than the %d at the start", page, n, was)
		}
		if left == 1 {
			break // the next one may be on another page
		}
		at := eval[string](t, tb, said)
		tb.press(t, kb.Enter)
		if eval[bool](t, tb, `document.readyState !== "complete"`) || eval[string](t, tb, said) == at {
			break // on the next page
		}
	}
	report(t, page, tb.takeFindings())
}

const (
	openFolds = `document.querySelectorAll("main details[open]").length`
	said      = `(document.querySelector(".find output")?.textContent ?? "")`
	// not of a partial word, which is typed slowly
	hasHit = `document.querySelector(".find output")?.ariaBusy === "false" && /^\d+ of \d+$/.test(` + said + `)`
)

// TestFindAcrossPages searches from each page of a session, for words that most pages have from every third: every page
// must count the same hits. A search, of a word or of several, continues on the previous page that has a hit.
func TestFindAcrossPages(t *testing.T) {
	t.Parallel()
	prosaic := prosaicWord(t)
	some, all := []string{prosaic, "the lamp"}, []string{"error", "("} // words on some pages, and on all
	// The hits by the page of the search, and the pages with hits.
	counts, with := map[string][]int{}, map[string][]string{}
	tb := openTab(t, longSite(t), withScript)
	tb.view(t, 1280, "light")
	for i, page := range pagesInOrder(t) {
		name := path.Join(longFolder(t), page)
		tb.load(t, name)
		searches := some
		if i%3 == 0 {
			searches = slices.Concat(some, all)
		}
		for _, words := range searches {
			tb.press(t, "/")
			tb.press(t, words)
			settle(t, tb)
			counts[words] = append(counts[words], eval[int](t, tb, "+"+total))
			if eval[int](t, tb, `CSS.highlights.get("found")?.size ?? 0`) > 0 {
				with[words] = append(with[words], page)
			}
			tb.press(t, kb.Escape)
			tb.await(t, `!document.activeElement.closest(".find")`, "the focus to leave the closed box")
		}
		report(t, name, tb.takeFindings())
		eval[chromedp.Void](t, tb, forget)
	}
	for _, words := range slices.Concat(some, all) {
		pages := with[words]
		if n := counts[words]; len(pages) == 0 || slices.Min(n) == 0 || slices.Max(n) != slices.Min(n) {
			t.Errorf("hits of %q by the page on which the search began: %v, want the same on all", words, n)
			continue
		}
		if slices.Contains(all, words) {
			continue
		}
		first := "#find=" + url.QueryEscape(words) + "&n=1"
		tb.reopen(t, path.Join(longFolder(t), pages[0])+"#find="+words+"&n=1")
		for i := range pages {
			page, before := pages[(len(pages)-i)%len(pages)], pages[len(pages)-1-i]
			settle(t, tb)
			tb.press(t, kb.Enter, chromedp.ModifierShift)
			tb.await(t, fmt.Sprintf(
				`location.pathname.endsWith("/%s") && "ready" in (document.documentElement?.dataset ?? {}) && %s`,
				before, hasHit), "a hit on "+before+", from "+page)
			// The search stands at the last hit of the page: back to the first one.
			eval[chromedp.Void](t, tb, fmt.Sprintf(
				`{ history.replaceState(null, "", %q); dispatchEvent(new HashChangeEvent("hashchange")) }`, first))
		}
	}
}

// pagesInOrder returns the pages of the long session, as listed in the file for searches.
func pagesInOrder(t testing.TB) []string {
	t.Helper()
	file, err := os.ReadFile(filepath.Join(longSite(t), longFolder(t), "pages.js"))
	if err != nil {
		t.Fatal(err)
	}
	unpacker, err := gzip.NewReader(bytes.NewReader(fromUTF16(file)))
	if err != nil {
		t.Fatal(err)
	}
	list, err := io.ReadAll(unpacker)
	if err != nil {
		t.Fatal(err)
	}
	var pages []string
	names, _, _ := strings.Cut(string(list), "\n\n") // the outline follows
	for line := range strings.Lines(names) {
		name, _, _ := strings.Cut(line, " ")
		pages = append(pages, name+".html")
	}
	changes := func(page string) bool { return page == "changes.html" } // it has no messages
	if all := slices.DeleteFunc(longPages(t), changes); len(pages) != len(all) {
		t.Fatalf("the file lists the pages %q, want %q", pages, all)
	}
	return pages
}

// prosaicWord returns a word that is in answers on several pages of the long session, and nowhere else.
func prosaicWord(t testing.TB) string {
	t.Helper()
	pages, other := map[string]int{}, map[string]bool{}
	tb := openTab(t, longSite(t), withScript)
	for _, page := range longPages(t) {
		tb.load(t, path.Join(longFolder(t), page))
		words := eval[[][]string](t, tb, `(() => {
			const prose = new Set(), other = new Set(), walk = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
			for (let node; node = walk.nextNode();) {
				const to = node.parentElement.closest("main > .turn .prose") && !node.parentElement.closest("code, details, a") ? prose : other;
				for (const word of node.data.toLowerCase().match(/[a-z]{4,}/g) ?? []) to.add(word);
			}
			return [[...prose], [...other]];
		})()`)
		for _, w := range words[0] {
			pages[w]++
		}
		for _, w := range words[1] {
			other[w] = true
		}
	}
	for _, w := range slices.Sorted(maps.Keys(pages)) {
		inside := func(o string) bool { return o != w && strings.Contains(o, w) }
		if pages[w] > 1 && !other[w] && !slices.ContainsFunc(slices.Collect(maps.Keys(other)), inside) {
			return w
		}
	}
	t.Fatal("found no word that is only in answers")
	return ""
}

// total is the number of hits on all pages. settle waits until all texts are loaded.
const total = `(document.querySelector(".find output").textContent.match(/(\d+)( on other pages)?$/) ?? [])[1] ?? "0"`

func settle(t testing.TB, tb *tab) {
	t.Helper()
	tb.await(t, `document.querySelector(".find output").ariaBusy === "false" && `+said+` !== ""`,
		"the text of the other pages")
}

// TestFindOtherPage: if only other pages have hits, the search goes to the first of them.
func TestFindOtherPage(t *testing.T) {
	t.Parallel()
	tb, name := openLong(t, "index.html")
	// A word that is on few pages, but not on this one.
	word := rareWord(t)
	tb.press(t, "/")
	tb.press(t, word)
	settle(t, tb)
	if got := eval[string](t, tb, said); !strings.HasSuffix(got, " on other pages") {
		t.Fatalf("%s: the count is %q, want hits on other pages only", name, got)
	}
	tb.press(t, kb.Enter)
	tb.await(t, `location.pathname.endsWith("/3.html") && "ready" in (document.documentElement?.dataset ?? {}) && `+hasHit, "a hit on 3.html")
	report(t, "3.html", checkHit(t, tb, word))
	if got := eval[string](t, tb, said); !strings.HasPrefix(got, "1 of ") {
		t.Errorf("on 3.html the count is %q, want the first of all", got)
	}
	settle(t, tb)
	n := eval[int](t, tb, "+"+total)
	tb.press(t, kb.Enter, chromedp.ModifierShift)
	tb.await(t, said+fmt.Sprintf(` === "%d of %d"`, n, n), "the last hit, which comes before the first")
	report(t, name, tb.takeFindings())
}

// TestFindInChangedPage removes a hit from the page, as the script of a served page does. The search continues with the
// other hits, and still counts those in the texts of the messages.
func TestFindInChangedPage(t *testing.T) {
	t.Parallel()
	tb, page := openLong(t, "2.html")
	tb.press(t, "/")
	tb.press(t, "error")
	settle(t, tb)
	was, hits := eval[int](t, tb, "+"+total), eval[int](t, tb, `CSS.highlights.get("found").size`)
	eval[chromedp.Void](t, tb, `{
		[...CSS.highlights.get("found-now")][0].startContainer.parentElement.remove();
		document.dispatchEvent(new Event("viewer:after"));
	}`)
	settle(t, tb)
	gone := hits - eval[int](t, tb, `CSS.highlights.get("found").size`)
	if got := eval[int](t, tb, "+"+total); gone < 1 || got != was {
		t.Errorf("%s: of %d hits in the text %d were removed from the page, and the count is %d", page, was, gone, got)
	}
	tb.press(t, kb.Enter)
	report(t, page, checkHit(t, tb, "error"))
	report(t, page, tb.takeFindings())
}

// TestFindInFile searches in a file of several sessions, which has no other pages.
func TestFindInFile(t *testing.T) {
	t.Parallel()
	const name, sessions = "report.html", "testdata/projects/-srv-nightwatch"
	dir := t.TempDir()
	if err := runViewer("report", sessions, "-o", filepath.Join(dir, name)); err != nil {
		t.Fatal(err)
	}
	tb := openTab(t, dir, withScript)
	tb.view(t, 1280, "light")
	tb.load(t, name)
	last := eval[string](t, tb, `(() => {
		const words = [...document.querySelectorAll("main > .session:last-child > .turn .prose p")].flatMap((p) => p.textContent.match(/[a-z]{7,}/g) ?? []);
		return words.at(-1) ?? "";
	})()`)
	if last == "" {
		t.Fatal("found no word in the last session of the file")
	}
	tb.press(t, "/")
	tb.press(t, last)
	tb.await(t, hasHit, "a hit for "+last)
	report(t, name, checkHit(t, tb, last))
	tb.press(t, kb.Enter)
	report(t, name, checkHit(t, tb, last))
	report(t, name, withoutPictures(tb.takeFindings()))
}

// TestFindByBrowser searches for a word inside of a closed <details> as browsers do for Ctrl-F and for links to text.
// Both open it in the same way, but only the link works without a window. So pages do not need hidden=until-found.
func TestFindByBrowser(t *testing.T) {
	t.Parallel()
	for _, m := range modes {
		t.Run(m.name, func(t *testing.T) {
			tb := openTab(t, longSite(t), m)
			page := longFolder(t) + "/2.html"
			tb.view(t, 1280, "light")
			tb.load(t, page)
			word := foldedWord(t, tb)
			was := eval[int](t, tb, openFolds)
			fresh := openTab(t, longSite(t), m)
			fresh.view(t, 1280, "light")
			fresh.load(t, page+"#:~:text="+word)
			fresh.await(t, fmt.Sprintf("%s > %d", openFolds, was), "a fold that opens for "+word)
			report(t, page, fresh.takeFindings())
		})
	}
}

// checkHit checks the current hit: it contains the words and is visible.
func checkHit(t testing.TB, tb *tab, words string) []string {
	t.Helper()
	return eval[[]string](t, tb, fmt.Sprintf(`(() => {
		const range = [...CSS.highlights.get("found-now") ?? []][0];
		if (!range) return ["no hit is marked"];
		const wrong = [], box = range.getBoundingClientRect(), at = document.querySelector(".find output").textContent;
		if (range.toString().toLowerCase() !== %q.toLowerCase()) wrong.push(at + " is " + range);
		if (!box.height) wrong.push(at + " is not visible: " + range.startContainer.parentElement.outerHTML.slice(0, 200));
		else if (box.top < 46 || box.bottom > innerHeight || box.left < 0 || box.right > innerWidth) wrong.push(at + " is out of the window: " + [box.top, box.left].map(Math.round));
		else {
			const el = document.elementFromPoint(box.left + 1, box.top + box.height / 2);
			if (!el?.closest("main, .find")) wrong.push(at + " is covered by " + el?.outerHTML.slice(0, 80));
		}
		return wrong;
	})()`, words))
}

// foldedWord returns a word of this page that is only in closed <details>.
func foldedWord(t testing.TB, tb *tab) string {
	t.Helper()
	word := eval[string](t, tb, `(() => {
		const seen = new Map();
		const walk = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
		for (let node; node = walk.nextNode();) {
			const shows = node.parentElement.checkVisibility();
			const closed = !shows && !!node.parentElement.closest("main > .turn pre:not(.gut)") && !node.parentElement.closest(".at-everything");
			for (const word of node.data.match(/[a-zA-Z]{7,}/g) ?? []) seen.set(word.toLowerCase(), (seen.get(word.toLowerCase()) ?? true) && closed);
		}
		const words = [...seen].filter(([, closed]) => closed).map(([word]) => word);
		const text = [...seen].filter(([, closed]) => !closed).map(([word]) => word).join(" ");
		return words.find((word) => !text.includes(word)) ?? "";
	})()`)
	if word == "" {
		t.Fatal("found no word that is only in closed folds")
	}
	return word
}

// rareWord returns a word that is only on page 3 of the long session. It has only letters, because ids are not
// searched.
func rareWord(t testing.TB) string {
	t.Helper()
	tb := openTab(t, longSite(t), withScript)
	words := func(page string) map[string]bool {
		tb.load(t, path.Join(longFolder(t), page))
		set := map[string]bool{}
		for _, w := range eval[[]string](t, tb,
			`[...new Set([...document.querySelectorAll("main > .turn")].map((el) => el.textContent).join(" ").toLowerCase().match(/[a-z]{6,}/g))]`) {
			set[w] = true
		}
		return set
	}
	three := words("3.html")
	for _, page := range longPages(t) {
		if page == "3.html" {
			continue
		}
		text := words(page)
		for w := range three {
			for other := range text {
				if strings.Contains(other, w) {
					delete(three, w)
				}
			}
		}
	}
	var left []string
	for w := range three {
		left = append(left, w)
	}
	if len(left) == 0 {
		t.Fatal("found no word that is only on page 3")
	}
	slices.Sort(left)
	return left[0]
}

// openLong opens a page of the long session, and returns its address in the site.
func openLong(t testing.TB, page string) (*tab, string) {
	t.Helper()
	tb := openTab(t, longSite(t), withScript)
	tb.view(t, 1280, "light")
	name := path.Join(longFolder(t), page)
	tb.load(t, name)
	return tb, name
}

func longFolder(t testing.TB) string {
	t.Helper()
	return path.Dir(sessionPages(t, longSite(t), 1)[0])
}

// longPages returns the pages of the long session, by their files.
func longPages(t testing.TB) []string {
	t.Helper()
	folder := longFolder(t) + "/"
	var pages []string
	for _, page := range pagesOf(t, longSite(t)) {
		if name, ok := strings.CutPrefix(page, folder); ok {
			pages = append(pages, name)
		}
	}
	if len(pages) < 4 {
		t.Fatalf("the long session has pages %q, want at least 4", pages)
	}
	return pages
}

// fromUTF16 decodes the last string of a file for searches: pairs of bytes, some with an escape after a 1.
func fromUTF16(file []byte) (data []byte) {
	quotes := 0
	for at := 0; quotes < 2; at += 2 {
		unit := binary.LittleEndian.Uint16(file[at:])
		switch {
		case unit == '"':
			quotes++
			continue
		case quotes < 1:
			continue
		case unit == 1:
			at += 2
			unit = binary.LittleEndian.Uint16(file[at:]) ^ 0x8000
		}
		data = binary.LittleEndian.AppendUint16(data, unit)
	}
	if data[0] == 0 {
		return data[1:]
	}
	return data
}
