package indexpages

import (
	"time"

	"viewer/internal/stats"
	"viewer/internal/transcript"
	"viewer/render"
)

// A Site is what its index pages show, and others beside those of sessions.
type Site struct {
	Sessions  []render.Summary // those with pages, in any order
	List      *List            // of the sessions; nil: it is made
	Problems  []transcript.Problem
	Ledger    render.Ledger
	Empty     int      // sessions that hold no conversation and have no row
	Failures  []string // of a report, see report.Facts
	Sample    string   // said when the site is the embedded sample
	Prices    string   // the day of the list prices, "2026-11-01"
	Generator string
	Insights  bool // there are pages of insights
	Search    bool // there is a search index
	Large     bool // of so many sessions that no page or script may grow with their number

	LostNotes  []render.LostNote // that no session shows
	Comparison string            // path of the page that compares the sessions, "" if there is none
}

// CostWords say what kind of amount a cost is.
func (s *Site) CostWords(c stats.Cost) string {
	switch {
	case c.List == 0:
		return "by the logs"
	case s.Prices == "":
		return "list price"
	}
	return "list price of " + dateWords(s.Prices)
}

func dateWords(day string) string {
	t, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return day
	}
	return t.Format("2 Jan 2006")
}

// InsightsName is the page of insights of a site, and of a project below its folder.
const InsightsName = "insights.html"
