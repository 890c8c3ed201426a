package e2e

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/chromedp"
)

// largeSite returns the folder of a site of 720 sessions that is divided like the sites of very many.
func largeSite(t testing.TB) string {
	t.Helper()
	return mustBuild(t, buildLargeSite)
}

var buildLargeSite = sync.OnceValues(func() (string, error) {
	site := filepath.Join(work, "large")
	return site, goRun("building a large site", "go", "run", "./internal/testing/manysessions/site", "-sessions", "720",
		"-above", "100", "-o", site)
})

// TestSearchLarge searches on pages of a large site: few files are loaded for an answer, viewer search finds the same,
// and More shows the rest.
func TestSearchLarge(t *testing.T) {
	t.Parallel()
	root := largeSite(t)
	command, err := buildCommand()
	if err != nil {
		t.Fatal(err)
	}
	tb := openTab(t, root, withScript)
	begin := func() { // with nothing cached
		tb.load(t, "index.html")
		eval[chromedp.Void](t, tb, `{
			const take = viewerData;
			window.asked = [];
			window.viewerData = (data) => {
				asked.push({ name: document.currentScript.src, size: 2 * data.length });
				take(data);
			};
		}`)
		tb.press(t, "k", chromedp.ModifierCtrl)
	}
	for _, c := range []struct {
		query string
		least int // least number of hits
		more  bool
	}{
		{"unique7", 1, false}, {"scarcely seen", 10, true}, {"seen unique57", 1, false}, {"unique7 unique8", 2, false},
		{"scarcely project:project-3", 1, false}, {"scarcely after:2026-11-12", 1, false},
		{"scarcely before:2026-11-05 after:2026-10-28", 1, false}, {"scarcely is:error", 0, false},
		{"scarcely kind:answer agent:claude-code project:project-9", 1, false}, {"unikue7", 0, false},
		{"kind:prompt after:2026-11-20", 10, true}, {"be", 0, true}, {"dibi", 0, true}, {"zzzz", 0, false},
	} {
		begin()
		asking(t, tb, c.query+" ")
		status := eval[string](t, tb, `document.querySelector(".finder output").textContent`)
		files := eval[[]string](t, tb, `asked.map((a) => a.name)`)
		if size := eval[int](t, tb, `asked.reduce((n, a) => n + a.size, 0)`); len(files) > 30 || size > 1_000_000 {
			t.Errorf("%s: loaded %d files of %d bytes, more than allowed: %v", c.query, len(files), size, files)
		}
		got := eval[[]string](t, tb, foundLines)
		hits := eval[int](t, tb, `document.querySelectorAll(".finder .hit").length`)
		more := eval[bool](t, tb, `!!document.querySelector(".finder .more")`)
		t.Logf("%s: %d files, %d hits, more %v, %s", c.query, len(files), hits, more, status)
		if hits < c.least {
			t.Errorf("%s: got %d hits, want at least %d: %s", c.query, hits, c.least, status)
		}
		if want := inTerminal(t, command, c.query, root); !more && !slices.Equal(want, got) {
			t.Errorf("%s: the page shows\n%s\nbut viewer search\n%s", c.query, strings.Join(got, "\n"),
				strings.Join(want, "\n"))
		}
	}
	begin()
	asking(t, tb, "scarcely")
	for n := 0; eval[bool](t, tb, `!!document.querySelector(".finder .more")`); n++ {
		if n == 30 {
			t.Fatal("the list never ends")
		}
		eval[chromedp.Void](t, tb, `document.querySelector(".finder .more button").click()`)
		tb.await(t, fmt.Sprintf(`!document.querySelector(".finder .more") || document.querySelectorAll(".finder .group").length > %d`,
			eval[int](t, tb, `document.querySelectorAll(".finder .group").length`)), "more hits")
	}
	if n := eval[int](t, tb, `document.querySelectorAll(".finder .group").length`); n != 15 {
		t.Errorf("%d sessions are found in the end, want 15", n)
	}
	report(t, "index.html", tb.takeFindings())
}
