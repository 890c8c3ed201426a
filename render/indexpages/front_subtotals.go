package indexpages

import (
	"cmp"
	"slices"
	"strings"

	"viewer/internal/stats"
	"viewer/internal/words"
	"viewer/render/page"
)

// A subtotalsView is a table of the totals of branches or pull requests of a project.
type subtotalsView struct {
	ID, Title, Head string
	list            string // value of viewer list --by
	Rows            []subtotalRow
	More            string // number of rows that are not listed
	Note            string
}

// A subtotalRow is one branch or pull request.
type subtotalRow struct {
	Name                            rowFact
	Last                            page.Stamp
	Sessions, Prompts, Tokens, Cost string
	Links                           []page.Link // to the newest sessions
	More                            string
}

// Limits of a table: rows, and links of each row.
const (
	maxSubtotals     = 40
	maxSubtotalLinks = 4
)

// subtotals returns the tables of a project: none if it has one branch and no pull request.
func (f frontPage) subtotals() []subtotalsView {
	worked := func(yield func(stats.Worked) bool) {
		for _, listed := range f.sessions {
			s := f.List.summary(listed)
			w := stats.Worked{Branch: s.Branch, PullRequests: s.Outcome.PullRequests, Totals: s.Totals}
			if !s.Start.IsZero() {
				w.End = s.Start.Add(s.Totals.Time)
			}
			if !yield(w) {
				return
			}
		}
	}
	var all []subtotalsView
	branches := stats.ByBranch(worked)
	if countNamed(branches) > 1 {
		v := subtotalsView{ID: "page-branches", Title: "Cost by branch", Head: "branch", list: "branch",
			Note: "A session counts for the branch that it was on last."}
		v.add(f, branches, func(name string) rowFact { return rowFact{Text: words.Clip(name, 60)} })
		all = append(all, v)
	}
	requests := stats.ByPullRequest(worked)
	names := make(map[string]int) // number of entries with the same text
	for _, s := range requests {
		names[pullName(s.Name)]++
	}
	if countNamed(requests) > 0 {
		v := subtotalsView{ID: "page-pulls", Title: "Cost by pull request", Head: "pull request", list: "pr",
			Note: "A session counts for each of its pull requests, so the rows may come to more than was spent."}
		v.add(f, requests, func(address string) rowFact {
			text := pullName(address)
			if names[text] > 1 { // of several repositories
				text = words.Clip(strings.TrimPrefix(address, "https://"), 80)
			}
			return rowFact{text, address}
		})
		all = append(all, v)
	}
	return all
}

// countNamed counts the entries, except for that of sessions without one.
func countNamed(sums []stats.Subtotal) int {
	n := 0
	for _, s := range sums {
		if s.Name != "" {
			n++
		}
	}
	return n
}

// add adds the rows: the most expensive first, sessions without a branch or pull request last.
func (v *subtotalsView) add(f frontPage, sums []stats.Subtotal, name func(string) rowFact) {
	slices.SortStableFunc(sums, func(a, b stats.Subtotal) int {
		if a.Name == "" || b.Name == "" {
			return -cmp.Compare(a.Name, b.Name)
		}
		return cmp.Compare(b.Totals.Cost.Total(), a.Totals.Cost.Total())
	})
	for _, s := range sums[:min(maxSubtotals, len(sums))] {
		row := subtotalRow{
			Name: rowFact{Text: "none"}, Last: page.NewStamp(s.End, "date", "2 Jan 2006"),
			Sessions: words.Count(len(s.Sessions)), Prompts: words.Count(s.Totals.Prompts),
			Tokens: words.Short(s.Totals.NewTokens()),
			Cost:   page.Cost(s.Totals, page.Exact).Value,
		}
		if s.Name != "" {
			row.Name = name(s.Name)
		}
		for _, i := range s.Sessions[:min(maxSubtotalLinks, len(s.Sessions))] {
			one := f.List.summary(f.sessions[i])
			row.Links = append(row.Links, page.Link{Href: f.root + one.Path(), Text: words.Line(one.Title, 50)})
		}
		if n := len(s.Sessions) - len(row.Links); n > 0 {
			row.More = "and " + words.Count(n) + " more"
		}
		v.Rows = append(v.Rows, row)
	}
	if n := len(sums) - len(v.Rows); n > 0 {
		v.More = words.Count(n) + " more that cost less: viewer list --by " + v.list
	}
}
