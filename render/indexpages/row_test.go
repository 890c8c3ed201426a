package indexpages

import (
	"slices"
	"strings"
	"testing"
	"time"

	"viewer/internal/outcome"
	"viewer/internal/testing/htmlcheck"
	"viewer/internal/transcript"
	"viewer/render"
)

// TestIndexRow draws the row of a session: its outcome in one line, a mark only if it did not end well, what it left,
// and its time at work instead of the elapsed time.
func TestIndexRow(t *testing.T) {
	s := summary(1, "pier", time.Date(2026, 5, 4, 9, 30, 0, 0, time.UTC))
	s.Totals.Tools, s.Totals.Failed, s.Totals.Time, s.Totals.Work = 12, 3, 8*time.Hour, 14*time.Minute
	s.Totals.Usage = transcript.Usage{Input: 5, Output: 1000, CacheRead: 90_000, CacheWrite: 200}
	s.Outcome = render.Outcome{Mark: outcome.Interrupted, Heading: "The crane turns", Text: "Its <brake> is next.",
		Commits:      2,
		PullRequests: []string{"https://example.org/pier/pull/48", "https://example.org/pier/-/merge_requests/7"},
		Files:        2, Added: 212, Removed: 40}
	site, _ := drawnSite(t, Site{Sessions: []render.Summary{s}, Generator: "viewer test"})
	htmlcheck.Site(t, site)
	htmlcheck.Run(t, string(site["index.html"].Data),
		htmlcheck.In(".dayset h2", htmlcheck.IsText("May 2026")),
		htmlcheck.In(".srow .at", htmlcheck.IsText("4 Mon 09:30")),
		htmlcheck.In(".srow .end", htmlcheck.IsText("interrupted · The crane turns. Its <brake> is next.")),
		htmlcheck.In(".srow .end + small",
			htmlcheck.HasText("pier · main · PR #48 · MR !7 · 2 commits · 2 files +212 −40 · 1 agent"),
			htmlcheck.HasText("3 failed")),
		htmlcheck.In(".srow .end + small a", htmlcheck.HasAttr("href", "https://example.org/pier/pull/48")),
		htmlcheck.In(".srow .nums", htmlcheck.IsText("12 calls14m at work$0.10 cost")),
		htmlcheck.In(".srow .nums span + span", htmlcheck.HasAttr("title", "8h 00m from first to last message")),
		htmlcheck.In(".srow", htmlcheck.HasAttr("data-long", "840"), htmlcheck.HasAttr("data-tokens", "1205"),
			htmlcheck.HasAttr("data-changed", "2")),
	)
	s.Outcome.Mark = outcome.Pushed
	if row := newRow(&s, "", true); row.Mark != "" {
		t.Errorf("the mark of a session that ended well is %q, want none", row.Mark)
	}
}

// TestIndexMinor: warm-ups and sessions without prompts are hidden. They are not in the year, nothing links to them,
// and the page says how many there are.
func TestIndexMinor(t *testing.T) {
	at := time.Date(2026, 5, 4, 9, 30, 0, 0, time.UTC)
	shown, empty, warm, alone := summary(1, "pier", at), summary(2, "pier", at.Add(time.Hour)),
		summary(3, "pier", at.Add(2*time.Hour)), summary(4, "pier", at.AddDate(0, 1, 0))
	empty.Totals.Tools, empty.Outcome = 0, render.Outcome{}
	warm.Totals.Tools, warm.Totals.Prompts, warm.Outcome.Asked = 0, 1, "Warmup"
	alone.Totals.Tools, alone.Outcome = 0, render.Outcome{}
	sessions := []render.Summary{shown, empty, warm, alone}
	for i := range 2 {
		sessions = append(sessions, summary(5+i, "pier", at.AddDate(0, 0, 1+i)))
	}
	site, _ := drawnSite(t, Site{Sessions: sessions, Generator: "viewer test"})
	htmlcheck.Site(t, site)
	htmlcheck.Run(t, string(site["index.html"].Data),
		htmlcheck.Count(".srow", 6),
		htmlcheck.Count(".srow[data-minor]", 3),
		htmlcheck.Count(".dayset[data-minor]", 1),
		htmlcheck.In(".minor label", htmlcheck.IsText("Show 3 warm-ups and empty sessions")),
		htmlcheck.Count("#minor[checked]", 0),
		htmlcheck.Count(".srow[id]", 3),
		htmlcheck.In(".srow[id=d-2026-05-04] .ti>a", htmlcheck.IsText("Session 1")),
		htmlcheck.In(".year summary", htmlcheck.IsText("Jun 2025 – May 2026 3 sessions on 3 days")),
	)
	// A calendar of a day or two says nothing that the list does not.
	site, _ = drawnSite(t, Site{Sessions: sessions[:5], Generator: "viewer test"})
	htmlcheck.Run(t, string(site["index.html"].Data), htmlcheck.HasNot(".year"))
	// Where there are no others, they are shown.
	site, _ = drawnSite(t, Site{Sessions: []render.Summary{empty, warm}, Generator: "viewer test"})
	htmlcheck.Run(t, string(site["index.html"].Data), htmlcheck.Count("#minor[checked]", 1))
	for _, c := range []struct {
		name string
		want bool
		make func(s *render.Summary)
	}{
		{"asked", false, func(*render.Summary) {}},
		{"nothing asked, with a call", false, func(s *render.Summary) { s.Outcome.Mark = outcome.None }},
		{"nothing asked, no calls", true, func(s *render.Summary) { s.Outcome.Mark, s.Totals.Tools = outcome.None, 0 }},
		{"warm-up", true, func(s *render.Summary) {
			s.Outcome.Asked, s.Totals.Tools, s.Totals.Prompts = "warmup", 0, 1
		}},
		{"warm-up and more", false, func(s *render.Summary) {
			s.Outcome.Asked, s.Totals.Tools, s.Totals.Prompts = "Warmup", 0, 2
		}},
	} {
		s := summary(1, "pier", at)
		if c.make(&s); isMinor(&s) != c.want {
			t.Errorf("%s: hidden is %v, want %v", c.name, !c.want, c.want)
		}
	}
}

// TestIndexSets divides a list by months, and by days in months with at least two sessions on a day.
func TestIndexSets(t *testing.T) {
	day := func(month, day int) render.Summary {
		return summary(1, "pier", time.Date(2026, time.Month(month), day, 9, 0, 0, 0, time.UTC))
	}
	l := listOf(&Site{Sessions: []render.Summary{
		day(5, 9), day(5, 8), day(5, 8), day(4, 3), day(4, 3), day(4, 2), day(4, 2), {},
	}})
	var got []string
	for _, set := range newSets(l, l.all(), "", true) {
		got = append(got, set.ISO+" "+strings.Repeat("x", len(set.Rows)))
	}
	if want := []string{"2026-05 xxx", "2026-04-03 xx", "2026-04-02 xx", " x"}; !slices.Equal(got, want) {
		t.Errorf("got sets %q, want %q", got, want)
	}
}

// TestIndexTitles: a link to a related session with the same title says so, instead of repeating the title.
func TestIndexTitles(t *testing.T) {
	s := summary(1, "pier", time.Now())
	s.Relations = []render.Relation{{How: "begins with 3 records of", Folder: "x", Title: s.Title},
		{How: "begins with 3 records of", Folder: "y", Title: "Another"}}
	links := newRelated(&s, "")[0].Links
	if links[0].Text != "another with this title" || links[1].Text != "Another" {
		t.Errorf("got links %+v", links)
	}
}

// TestYears: years end with the month of the newest session, and have twelve months each. Those without sessions are
// left out. Their tables have the months with sessions. A session of a wrong clock is only in the list.
func TestYears(t *testing.T) {
	at := func(year, month int) render.Summary {
		return summary(1, "pier", time.Date(year, time.Month(month), 29, 9, 0, 0, 0, time.UTC))
	}
	l := listOf(&Site{Sessions: []render.Summary{at(2099, 1), at(2026, 3), at(2025, 4), at(2025, 3), at(2022, 1)}})
	want := []string{"Apr 2025 – Mar 2026: 2 sessions on 2 days, April 2025, March 2026",
		"Apr 2024 – Mar 2025: 1 session on 1 day, March 2025",
		"Apr 2021 – Mar 2022: 1 session on 1 day, January 2022"}
	if got := yearsOf(l); !slices.Equal(got, want) {
		t.Errorf("got years %q, want %q", got, want)
	}
	l = listOf(&Site{Sessions: []render.Summary{at(2031, 8), at(2026, 9), at(2026, 8), at(2025, 8), at(2022, 1)}})
	want = []string{"Sep 2030 – Aug 2031: 1 session on 1 day, August 2031",
		"Sep 2026 – Aug 2027: 1 session on 1 day, September 2026",
		"Sep 2025 – Aug 2026: 1 session on 1 day, August 2026"}
	if got := yearsOf(l); !slices.Equal(got, want) {
		t.Errorf("with a clock that is five years ahead: got years %q, want %q", got, want)
	}
}

// yearsOf returns the years of the first page of a list.
func yearsOf(l *List) (all []string) {
	planner := &indexPlanner{Planner: Planner{Site: Site{List: l}}}
	page := frontPage{indexPlanner: planner, shown: usualSizes.partsOf(l, l.all())}
	for _, v := range page.years() {
		line := v.Title + ": " + v.Words
		for _, row := range v.Table {
			line += ", " + row.Name
		}
		all = append(all, line)
	}
	return all
}
