package indexpages

import (
	"bytes"
	"fmt"
	"path"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/jba/templatecheck"

	"viewer/assets"
	"viewer/internal/outcome"
	"viewer/internal/stats"
	"viewer/internal/testing/corpus"
	"viewer/internal/testing/htmlcheck"
	"viewer/internal/transcript"
	"viewer/render"
	"viewer/render/page"
)

// summary returns session n of project p, and what it did.
func summary(n int, p string, start time.Time) render.Summary {
	usage := transcript.Usage{Input: int64(n), Output: 1000, CacheRead: 90_000}
	cost := stats.Cost{List: stats.Money(n%7) * 1e11}
	return render.Summary{
		ID:     fmt.Sprintf("%08d-0000-4000-8000-000000000000", n),
		Folder: fmt.Sprintf("%08d-0000-4000-8000-000000000000", n),
		Title:  fmt.Sprintf("Session %d", n), Branch: "main",
		Project: render.Project{Name: p, Path: "p/" + p + "/index.html"},
		Models:  []string{"claude-fable-5"}, Start: start, Outcome: render.Outcome{Mark: outcome.Done, Text: "Done."},
		Totals: stats.Totals{
			Sessions: 1, Prompts: 1 + n%5, Tools: n % 50, Failed: n % 3, Agents: n % 2, Requests: 2, Usage: usage,
			Cost: cost, Time: time.Duration(n) * time.Minute, Work: time.Duration(n) * time.Second,
			Models: []stats.Model{{Name: "claude-fable-5", Requests: 2, Usage: usage, Cost: cost}},
		},
	}
}

// manySessions returns n sessions of some projects, at regular intervals.
func manySessions(n, projects int, every time.Duration) []render.Summary {
	var all []render.Summary
	last := time.Date(2026, 11, 20, 18, 30, 0, 0, time.UTC)
	for i := range n {
		all = append(all, summary(n-i, fmt.Sprintf("project-%d", i%projects), last.Add(-time.Duration(i)*every)))
	}
	return all
}

// drawIndexes draws all index pages of a site.
func drawIndexes(s Site) []render.Page {
	var pages []render.Page
	for _, p := range Plan(s) {
		pages = append(pages, render.Page{Name: p.Name, HTML: p.HTML()})
	}
	return pages
}

// drawnSite returns a site of its index pages, with empty pages for the sessions.
func drawnSite(t *testing.T, s Site) (site fstest.MapFS, names []string) {
	t.Helper()
	site = make(fstest.MapFS)
	for _, f := range assets.Files() {
		site["assets/"+f.Name] = &fstest.MapFile{Data: []byte(f.Text)}
	}
	stub := func(name, root string) {
		head := page.Execute("page/head", page.NewHead("page-session", "t", "g", root, nil))
		const body = `<main id="main" tabindex="-1"><h1>t</h1></main></body></html>`
		site[name] = &fstest.MapFile{Data: []byte(head + body)}
	}
	for _, session := range s.Sessions {
		stub(session.Path(), "../../")
		if session.Outcome.Files > 0 {
			stub(path.Dir(session.Project.Path)+"/files/index.html", "../../../")
		}
	}
	for _, p := range drawIndexes(s) {
		if site[p.Name] != nil {
			t.Errorf("two pages are named %s", p.Name)
		}
		site[p.Name] = &fstest.MapFile{Data: p.HTML}
		names = append(names, p.Name)
	}
	return site, names
}

// TestIndexSizes draws sites of thousands of sessions. No page is too large for a browser, and each session has its row
// once.
func TestIndexSizes(t *testing.T) {
	corpus.Long(t)
	hostile := manySessions(800, 20, time.Hour)
	for i := range hostile {
		s := &hostile[i]
		s.Title, s.Branch = strings.Repeat(`"<&'`, 30), fmt.Sprint(i%500, strings.Repeat("<", 200))
		for n := range 20 {
			s.Outcome.PullRequests = append(s.Outcome.PullRequests,
				fmt.Sprintf("https://example.com/%s/pull/%d", strings.Repeat("'", 200), i%200+n))
		}
		s.Models = []string{fmt.Sprintf("claude-%d-%s", i, strings.Repeat("x", 100))}
		s.Totals.Models[0].Name = s.Models[0]
		for n := range 30 {
			s.Relations = append(s.Relations,
				render.Relation{How: fmt.Sprintf("team <%d>", n/10), Folder: hostile[n].Folder,
					Title: strings.Repeat("'", 100)})
		}
	}
	kinds := make(map[string]int)
	for n := range 5000 {
		kinds[fmt.Sprintf("tool %d %s", n, strings.Repeat("<", 200))] = 1
	}
	undated := manySessions(1000, 1, 0)
	for i := range undated {
		undated[i].Start = time.Time{}
	}
	large, projects := 1000, 1000
	if corpus.Full() {
		large, projects = 5000, 2000
	}
	for _, c := range []struct {
		name     string
		sessions []render.Summary
		front    int // least number of rows on index.html
	}{
		{"none", nil, 0},
		{"a year", manySessions(large, 40, 105*time.Minute), 150},
		{"a month", manySessions(large, 1, 8*time.Minute), 150},
		{"a day", manySessions(1500, 3, time.Second), 150},
		{"twenty years", manySessions(large, 2, 35*time.Hour), 150},
		{"a project each", manySessions(projects, projects, time.Hour), 150},
		{"no time", undated, 100},
		{"hostile", hostile, 20},
	} {
		t.Run(c.name, func(t *testing.T) {
			site, names := drawnSite(t, Site{Sessions: c.sessions, Ledger: render.Ledger{Generic: kinds, Hidden: kinds},
				Prices: "2026-11-01", Generator: "viewer test"})
			rows := make(map[string]int) // by kind of page and session
			for _, name := range names {
				data := site[name].Data
				if len(data) > 600_000 {
					t.Errorf("%s has %d bytes, want 600,000 at most", name, len(data))
				}
				kind, _, _ := strings.Cut(name, "/")
				if strings.HasSuffix(name, ".js") {
					continue
				}
				for _, row := range bytes.Split(data, []byte(`<div class="ti"><a href="`))[1:] {
					href, _, _ := bytes.Cut(row, []byte(`"`))
					rows[strings.TrimPrefix(strings.TrimPrefix(kind, "index.html"), "m")+" "+
						string(href[bytes.Index(href, []byte("s/")):])]++
				}
			}
			if want := 2 * len(c.sessions); len(rows) != want {
				t.Errorf("got %d different rows, want %d: each session on the pages of the site and of its project",
					len(rows), want)
			}
			for row, n := range rows {
				if n != 1 {
					t.Fatalf("%s has %d rows, want 1", row, n)
				}
			}
			if n := bytes.Count(site["index.html"].Data, []byte(`class="srow"`)); n < c.front {
				t.Errorf("index.html has %d rows, want at least %d", n, c.front)
			}
		})
	}
}

// TestIndexLinks follows every link of a site whose months have their own pages, some of them several.
func TestIndexLinks(t *testing.T) {
	sessions := append(manySessions(1100, 1, 50*time.Minute), manySessions(300, 1, 70*time.Hour)...)
	for i := range sessions {
		sessions[i].ID, sessions[i].Folder = fmt.Sprint(i), fmt.Sprint(i)
	}
	site, names := drawnSite(t, Site{Sessions: append(sessions, summary(1, "pier", time.Time{})), Prices: "2026-11-01",
		Generator: "viewer test"})
	for _, want := range []string{"m/2026-10.html", "m/2026-10-2.html", "m/2025-03.html", "p/project-0/2026-10-2.html",
		"p/project-0/2024-12.js", "p/pier/index.html"} {
		if !slices.Contains(names, want) {
			t.Errorf("the pages lack %s: %v", want, names)
		}
	}
	htmlcheck.Site(t, site)
}

// TestIndexAppend checks which pages change with a session.
func TestIndexAppend(t *testing.T) {
	sessions := manySessions(3000, 4, 2*time.Hour)
	before := planned(Site{Sessions: sessions})
	for _, c := range []struct {
		name    string
		session int
		want    []string
	}{
		{"a new one", 0, []string{"index.html", "p/project-0/index.html"}},
		{"one of an older month", 2000, []string{"m/2026-06.html", "m/2026-06.js", "p/project-0/2026-06.html", "p/project-0/2026-06.js", "p/project-0/index.html"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			changed := slices.Clone(sessions)
			s := &changed[c.session]
			s.Title += " goes on"
			s.Totals.Tools += 3
			s.Totals.Usage.Output += 5000
			var got []string
			for name, page := range planned(Site{Sessions: changed}) {
				if same := page.Key == before[name].Key; !same {
					got = append(got, name)
				} else if (c.session == 0 || name == "index.html") && !bytes.Equal(page.HTML(), before[name].HTML()) {
					t.Errorf("%s changes, but its key does not", name)
				}
			}
			slices.Sort(got)
			if !slices.Equal(got, c.want) {
				t.Errorf("pages that change: got %v, want %v", got, c.want)
			}
		})
	}
	added := planned(Site{Sessions: append(slices.Clone(sessions),
		summary(9999, "project-1", time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)))})
	for name, page := range added {
		if page.Key != before[name].Key && name != "index.html" && name != "p/project-1/index.html" {
			t.Errorf("a session of a new day changes %s, want it unchanged", name)
		}
	}
}

func planned(s Site) map[string]Page {
	all := make(map[string]Page)
	for _, p := range Plan(s) {
		all[p.Name] = p
	}
	return all
}

func keyOf(s *render.Summary) string {
	key, _ := summaryKey(s, nil)
	return string(key[:])
}

// TestSummaryKey changes every field of a summary, and the key must change. So a new field that is not in the key
// cannot leave old pages.
func TestSummaryKey(t *testing.T) {
	s := summary(1, "p", time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC))
	s.Relations = []render.Relation{{How: "how", Folder: "folder", Title: "title", At: time.Time{}}}
	s.Problems = []transcript.Problem{{Text: "t"}}
	before := keyOf(&s)
	fields := 0
	var change func(v reflect.Value, path string)
	change = func(v reflect.Value, path string) {
		if v.Kind() == reflect.Struct && v.Type() != reflect.TypeFor[time.Time]() {
			for i := range v.NumField() {
				if f := v.Type().Field(i); f.Name != "Problems" {
					change(v.Field(i), path+"."+f.Name)
				}
			}
			return
		}
		old := reflect.New(v.Type()).Elem()
		old.Set(v)
		switch v.Kind() {
		case reflect.String:
			v.SetString(v.String() + "x")
		case reflect.Bool:
			v.SetBool(!v.Bool())
		case reflect.Int, reflect.Int64:
			v.SetInt(v.Int() + 1)
		case reflect.Uint8:
			v.SetUint(v.Uint() + 1)
		case reflect.Slice:
			for i := range v.Len() {
				change(v.Index(i), fmt.Sprintf("%s[%d]", path, i))
			}
			v.Set(reflect.Append(v, reflect.Zero(v.Type().Elem())))
		default:
			v.Set(reflect.ValueOf(v.Interface().(time.Time).Add(time.Second)))
		}
		fields++
		if keyOf(&s) == before {
			t.Errorf("%s changes, but the key does not", path)
		}
		v.Set(old)
	}
	change(reflect.ValueOf(&s).Elem(), "Summary")
	if keyOf(&s) != before || fields < 40 {
		t.Fatalf("the test did not restore a field, or saw only %d fields", fields)
	}
}

// TestIndexPage checks the pages of a small site.
func TestIndexPage(t *testing.T) {
	at := func(s string) time.Time {
		at, err := time.Parse(time.DateTime, s)
		if err != nil {
			t.Fatal(err)
		}
		return at
	}
	a, b := summary(1, "harbour", at("2026-02-28 23:59:00")), summary(2, "harbour", at("2026-02-28 08:00:00"))
	c, d := summary(3, "lock", at("2024-12-31 12:00:00")), summary(4, "lock", time.Time{})
	d.Totals.Cost = stats.Cost{}
	a.Title, a.Kept = "Dredge the <channel>", true
	a.Totals.Cost = stats.Cost{List: 2e12, Unpriced: 5000}
	b.Totals.Cost = stats.Cost{Unpriced: 5000}
	b.Totals.Compacted = 2
	c.Totals.Cost, c.Totals.Doubtful = stats.Cost{Logged: 15e11}, true
	for n := range 6 {
		b.Relations = append(b.Relations,
			render.Relation{How: "team harbour", Folder: a.Folder, Title: fmt.Sprintf("mate %d", n)})
	}
	b.Relations = append(b.Relations, render.Relation{How: "resumed from", Folder: c.Folder, Title: "an old one"})
	site, names := drawnSite(t, Site{Sessions: []render.Summary{d, b, a, c}, Empty: 2,
		Ledger: render.Ledger{Files: 9, Lost: 3}, Prices: "2026-11-01", Generator: "viewer test"})
	if want := []string{"index.html", "p/harbour/index.html", "p/lock/index.html"}; !slices.Equal(names, want) {
		t.Errorf("pages %v, want %v", names, want)
	}
	htmlcheck.Site(t, site)
	index := string(site["index.html"].Data)
	htmlcheck.Run(t, index,
		htmlcheck.In(".dayset:nth-of-type(2) h2", htmlcheck.IsText("Sat 28 Feb 2026")),
		htmlcheck.In(".dayset:nth-of-type(3) h2", htmlcheck.IsText("December 2024")), // with few sessions on each day
		htmlcheck.In(".dayset:nth-of-type(3) .at", htmlcheck.IsText("31 Tue 12:00")),
		htmlcheck.Count(".dayset", 3),
		htmlcheck.Count(".srow", 4),
		htmlcheck.In(".srow[id=d-2026-02-28] .ti>a", htmlcheck.IsText("Dredge the <channel>"),
			htmlcheck.HasAttr("href", a.Path())),
		htmlcheck.In(".srow[id=d-2026-02-28] .tag", htmlcheck.IsText("files gone")),
		htmlcheck.In(".srow[id=d-2026-02-28] .nums", htmlcheck.HasText("$2.00+ cost")),
		htmlcheck.In(".srow[data-tokens='1002'] .nums", htmlcheck.HasText("– unpriced")),
		htmlcheck.In(".srow[data-tokens='1002'] .end + small", htmlcheck.HasText("harbour · main · compacted ×2")),
		htmlcheck.In(".srow[data-tokens='1002'] .related",
			htmlcheck.HasText("team harbour mate 0, mate 1, mate 2 and 3 more")),
		htmlcheck.In(".srow[data-tokens='1002'] .related + .related a", htmlcheck.IsText("an old one"),
			htmlcheck.HasAttr("href", c.Path())),
		htmlcheck.In(".dayset:nth-of-type(4) h2", htmlcheck.IsText("No time in the log")),
		htmlcheck.In(".tot", htmlcheck.HasText("list price of 1 Nov 2026"), htmlcheck.HasText("$3.50"),
			htmlcheck.HasText("at work10 s"), htmlcheck.HasText("calls, 40 % failed10"),
			htmlcheck.HasText("tokens, 360k more from cache4.0k")),
		htmlcheck.In("#page-models", htmlcheck.HasText("$1.50 of the cost is what the logs say themselves"),
			htmlcheck.HasText("10k tokens are of models without a known price"), htmlcheck.HasText("as reported")),
		htmlcheck.In(".out", htmlcheck.HasText("4 sessions from 9 files"),
			htmlcheck.HasText("2 empty sessions not listed"), htmlcheck.HasText("1 session kept whose files are gone"),
			htmlcheck.HasText("3 lines could not be read")),
		htmlcheck.Count(".year", 2),
		htmlcheck.Count(".year[open] svg a rect > title", 1),
		htmlcheck.In(".year[open] svg path", htmlcheck.HasAttr("fill", "url(#y2025-03)")),
		htmlcheck.In(".year[open] svg pattern", htmlcheck.HasAttr("id", "y2025-03")),
		htmlcheck.In(".year[open] svg a", htmlcheck.HasAttr("href", "#d-2026-02-28"),
			htmlcheck.HasAttr("tabindex", "-1"), htmlcheck.IsText("Sat 28 Feb 2026: 2 sessions")),
		htmlcheck.In(".year[open] td a", htmlcheck.IsText("2"), htmlcheck.HasAttr("href", "#d-2026-02-28")),
		htmlcheck.In(".folds ~ .folds .year svg a", htmlcheck.IsText("Tue 31 Dec 2024: 1 session")),
		htmlcheck.HasNot("[style]"),
	)
	htmlcheck.Run(t, string(site["p/lock/index.html"].Data),
		htmlcheck.Count(".srow", 2),
		htmlcheck.In(".srow:first-child small", htmlcheck.HasNotText("lock")),
		htmlcheck.In(".tot", htmlcheck.HasText("by the logs")),
		htmlcheck.HasNot("#page-ledger"),
		htmlcheck.HasNot("[data-facet=project]"),
	)
}

// TestProjectList: a long list of projects is folded, so that what follows it stays visible.
func TestProjectList(t *testing.T) {
	for _, c := range []struct{ projects, open, folded int }{{1, 1, 0}, {9, 9, 0}, {10, 8, 2}, {800, 8, 492}} {
		site, _ := drawnSite(t, Site{Sessions: manySessions(c.projects, c.projects, time.Minute)})
		htmlcheck.Run(t, string(site["index.html"].Data),
			htmlcheck.Count(".out > details > ul[aria-labelledby=o-projects] a", c.open+1), // and the link to all
			htmlcheck.Count(".out details details ul a[href^='p/']", c.folded))
	}
}

// TestOrder: the pages do not depend on the order in which sessions are found.
func TestOrder(t *testing.T) {
	sessions := manySessions(50, 3, 7*time.Hour)
	want := drawIndexes(Site{Sessions: sessions})
	slices.Reverse(sessions)
	if !reflect.DeepEqual(drawIndexes(Site{Sessions: sessions}), want) {
		t.Error("the pages differ for another order of the sessions")
	}
}

// TestFrontPageStays adds one call to an old session of a large site. The first page rounds its totals, so it must not
// change.
func TestFrontPageStays(t *testing.T) {
	sessions := manySessions(1500, 10, 3*time.Hour)
	slices.SortFunc(sessions, func(a, b render.Summary) int { return a.Start.Compare(b.Start) })
	site := Site{Sessions: sessions, Ledger: render.Ledger{Files: 1500, Read: 70_104, Drawn: 70_104}}
	before := drawIndexes(site)
	s := &site.Sessions[0]
	s.Totals.Prompts++
	s.Totals.Tools++
	s.Totals.Requests++
	s.Totals.Usage.Output += 17
	s.Totals.Cost.List += stats.Money(2e9)
	site.Ledger.Read, site.Ledger.Drawn = site.Ledger.Read+2, site.Ledger.Drawn+2
	var changed []string
	for i, p := range drawIndexes(site) {
		if !bytes.Equal(p.HTML, before[i].HTML) {
			changed = append(changed, p.Name)
		}
	}
	if slices.Contains(changed, "index.html") || !slices.Contains(changed, s.Project.Path) {
		t.Errorf("changed: %v, want the page of the month and of the project", changed)
	}
}

// BenchmarkIndexAppend plans the pages of 1,500 sessions and draws those that change with one of them.
func BenchmarkIndexAppend(b *testing.B) {
	site := Site{Sessions: manySessions(1500, 10, 3*time.Hour), Prices: "2026-11-01"}
	before := planned(site)
	b.ReportAllocs()
	for n := 0; b.Loop(); n++ {
		site.Sessions[0].Totals.Tools++
		for _, p := range Plan(site) {
			if p.Key != before[p.Name].Key {
				p.HTML()
			}
		}
	}
}

// TestIndexFrames checks templates with their views.
func TestIndexFrames(t *testing.T) {
	for name, view := range map[string]any{
		"page/index": frontView{}, "page/month": partView{}, "partial/sets": []setView{},
	} {
		if err := templatecheck.CheckHTML(page.Templates().Lookup(name), view); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
