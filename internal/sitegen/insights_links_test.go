package sitegen

import (
	"html"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"viewer/internal/search"
	"viewer/internal/sitedata"
	"viewer/internal/testing/corpus"
	"viewer/internal/words"
)

// numberCell matches a number in a table that links to a search.
var numberCell = regexp.MustCompile(`<td><a href="#search=([^"]+)">([^<]+)</a></td>`)

// TestInsightsLinks follows the links of numbers on pages of insights: a search must find as many calls as the number
// says, and all other links must have a target.
func TestInsightsLinks(t *testing.T) {
	out := filepath.Join(t.TempDir(), "site")
	sources := append(corpus.Share(corpus.Optional(t, "dev/*/*/*.jsonl")), "../../testdata/projects")
	if _, err := Build(t.Context(), Options{Sources: sources, Out: out, Version: "test"}); err != nil {
		t.Fatal(err)
	}
	index, err := sitedata.Index(out)
	if err != nil {
		t.Fatal(err)
	}
	pages, err := filepath.Glob(filepath.Join(out, "p/*/insights.html"))
	if err != nil {
		t.Fatal(err)
	}
	asked, followed := map[string]bool{}, map[string]string{}
	for _, name := range append(pages, filepath.Join(out, "insights.html")) {
		page, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range numberCell.FindAllSubmatch(page, -1) {
			query, err := url.QueryUnescape(html.UnescapeString(string(m[1])))
			if err != nil {
				t.Fatal(err)
			}
			if asked[query] {
				continue
			}
			asked[query] = true
			if got := aboutCount(hits(t, index, query)); got != string(m[2]) {
				t.Errorf("%s: %q finds %s calls, want %s as on the page", name, query, got, m[2])
			}
		}
		for _, m := range regexp.MustCompile(`href="([^"#]*)(?:#([^"]*))?"`).FindAllSubmatch(page, -1) {
			file, anchor := filepath.Join(filepath.Dir(name), string(m[1])), string(m[2])
			if len(m[1]) == 0 || strings.HasPrefix(file, filepath.Join(out, "assets")) {
				continue
			}
			if _, known := followed[file]; !known {
				data, err := os.ReadFile(file)
				if err != nil {
					t.Errorf("%s: %v", name, err)
				}
				followed[file] = string(data)
			}
			if anchor != "" && !strings.Contains(followed[file], `id="`+anchor+`"`) {
				t.Errorf("%s: %s has no element with id %s", name, m[1], anchor)
			}
		}
	}
	if len(asked) < 40 || len(followed) < 20 {
		t.Errorf("followed %d searches and %d pages, want at least 40 and 20", len(asked), len(followed))
	}
}

// hits returns the number of hits of a query.
func hits(t *testing.T, index *search.Index, query string) (n int) {
	t.Helper()
	found, err := index.Find(search.ParseQuery(query, search.Options{}), 1<<30)
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range found.Groups {
		n += len(g.Hits)
	}
	return n
}

// aboutCount formats a number as pages of insights do, with two digits.
func aboutCount(n int) string {
	unit := 1
	for n/unit >= 100 {
		unit *= 10
	}
	n = (n + unit/2) / unit * unit
	return words.Short(int64(n))
}
