package indexpages

import (
	"time"

	"viewer/internal/stats"
	"viewer/internal/transcript"
	"viewer/render"
)

// A Site is the data of index pages, and of other pages besides those of sessions.
type Site struct {
	Sessions  []render.Summary // those with pages, in any order
	List      *List            // of the sessions; nil to make it
	Problems  []transcript.Problem
	Ledger    render.Ledger
	Empty     int      // number of sessions without content, which have no row
	Failures  []string // of a report, see report.Facts
	Sample    string   // remark if the site is the embedded sample
	Prices    string   // date of the list prices, "2026-11-01"
	Generator string
	Insights  bool // there are pages of insights
	Search    bool // there is a search index
	Large     bool // no page or script may grow with the number of sessions

	LostNotes  []render.LostNote // notes without a session
	Comparison string            // path of the page that compares the sessions, "" if there is none
}

// CostWords describes what kind of amount a cost is.
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
