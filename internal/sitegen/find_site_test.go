package sitegen

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"viewer/internal/search"
	"viewer/internal/sitedata"
)

// someQueries find items of all kinds in the test data.
var someQueries = []string{
	"lamp", "the lamp", `"the lamp"`, "err*", "error -test", "tool:bash error", "is:error", "kind:prompt the",
	"kind:answer return", "path:go func",
	"after:2026-01 the", "-after:2026-03-01 the", "before:2026-04 error", "project:night the", "model:opus file",
	"-project:night the", "a", "搜索", "nowheretobefound",
}

// indexesOf builds a site, and returns the indexes of its sources and of the site.
func indexesOf(t *testing.T, o Options) (sources, site *search.Index) {
	t.Helper()
	mustBuild(t, o)
	sources, done, err := SearchIndex(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(done)
	if site, err = sitedata.Index(o.Out); err != nil {
		t.Fatal(err)
	}
	return sources, site
}

// TestSiteIndex runs the same queries on sessions and on their site. Both must give the same hits in the same order,
// with the same scores.
func TestSiteIndex(t *testing.T) {
	o := Options{Sources: []string{testdata}, Out: t.TempDir(), Version: "test"}
	sources, site := indexesOf(t, o)
	found := 0
	for _, query := range someQueries {
		for _, enough := range []int{1, 10, 1000} {
			want, got := hitsOf(t, sources, query, enough), hitsOf(t, site, query, enough)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s: hits in the site (-sessions +site):\n%s", query, diff)
			}
			found += len(got)
		}
	}
	if found < 1000 {
		t.Errorf("%d hits in all, want at least 1000", found)
	}
}

// TestSearchBefore1970: a wrong clock hides no session.
func TestSearchBefore1970(t *testing.T) {
	source := t.TempDir()
	for _, year := range []string{"0000", "1969", "2026"} {
		write(t, filepath.Join(source, "-p", year+".jsonl"), fmt.Appendf(nil, `{"type":"user","uuid":"u",`+
			`"timestamp":"%s-03-01T10:00:00Z","message":{"role":"user","content":"lantern"}}`+"\n", year))
	}
	o := Options{Sources: []string{source}, Out: t.TempDir(), Version: "test"}
	sources, site := indexesOf(t, o)
	for query, want := range map[string]int{"lantern": 3, "lantern before:1970": 2, "lantern before:1950": 1,
		"lantern after:1950": 2} {
		for _, x := range []*search.Index{sources, site} {
			if got := hitsOf(t, x, query+" kind:prompt", 10)[1:]; len(got) != want {
				t.Errorf("%s: hits %q, want %d", query, got, want)
			}
		}
	}
}

// hitsOf returns the hits of a query as lines.
func hitsOf(t *testing.T, x *search.Index, query string, enough int) []string {
	t.Helper()
	found, err := x.Find(search.ParseQuery(query, search.Options{}), enough)
	if err != nil {
		t.Fatal(err)
	}
	lines := []string{fmt.Sprint(found.More, found.Partial, found.Near)}
	for _, g := range found.Groups {
		for _, h := range g.Hits {
			lines = append(lines, fmt.Sprint(g.Session.Folder, g.Session.Title, g.Session.Project, h.Page, h.Anchor,
				h.Kind, h.Tool, h.Time, h.Score, h.Spans, h.Text))
		}
	}
	return lines
}

// TestFreshIndex: the index of a site is only used if a build would not change it.
func TestFreshIndex(t *testing.T) {
	source := copyOf(t, testdata)
	settle(t, source)
	built := Options{Sources: []string{source}, Out: t.TempDir(), Version: "test"}
	mustBuild(t, built)
	file := filepath.Join(source, "-srv-nightwatch", mainFiles(t, source, "-srv-nightwatch")[0])
	elsewhere := copyOf(t, testdata)
	for _, step := range []struct {
		name  string
		with  func(*Options)
		fresh bool
	}{
		{"as it was built", func(*Options) {}, true},
		{"another version", func(o *Options) { o.Version = "other" }, false},
		{"another redaction", func(o *Options) { o.Redaction.Off = true }, false},
		{"a filter", func(o *Options) { o.Filter.Projects = []string{"night*"} }, false},
		{"other sessions", func(o *Options) { o.Sources = []string{elsewhere} }, false},
		{"no site", func(o *Options) { o.Out = t.TempDir() }, false},
		{"a changed shard", func(o *Options) {
			appendTo(t, filepath.Join(o.Out, "search", "index.js"), " ")
		}, false},
		{"built again", func(o *Options) { mustBuild(t, *o) }, true},
		{"a record more", func(*Options) { appendRecord(t, file, "zebrafish") }, false},
	} {
		o := built
		step.with(&o)
		x, err := FreshIndex(context.Background(), o)
		if err != nil || (x != nil) != step.fresh {
			t.Errorf("%s: an index: %v, %v; want %v", step.name, x != nil, err, step.fresh)
		}
	}
}
