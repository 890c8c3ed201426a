package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"viewer/internal/console"
	"viewer/internal/insights"
	"viewer/internal/sitegen"
	"viewer/internal/stats"
	"viewer/internal/words"
)

type insightsFlags struct {
	filterFlags
	redactFlags
	asJSON        bool
	limit         int
	by            choice
	pricing, site string
}

// Keys of sums, besides branches and coding agents.
const (
	byAll     = "all"
	byDay     = "day"
	byWeek    = "week"
	byMonth   = "month"
	byProject = "project"
	byModel   = "model"
	byTool    = "tool"
)

func newStats(u *ui) *cobra.Command {
	var f insightsFlags
	c := &cobra.Command{
		Use:   "stats [SOURCE...]",
		Short: "Count over sessions: cost, tokens, time, tools, failures, loops",
		Long: `stats adds up what sessions did: what they cost, which tools and commands failed, where
the time went, which calls repeated themselves. It is what the page "Insights" of a site
shows, with exact numbers. The rules are in docs/insights.md.

--by sums by one thing: day, week, month, project, model, agent, tool or branch. Days,
weeks and months are in UTC and by request; sums by project, agent and branch are of whole
sessions. With --json all is printed for programs.`,
		Example: `  viewer stats --since "30 days ago"
  viewer stats --by week --project 'ledger-*'
  viewer stats --json | jq '.tools[] | select(.failed > 0)'`,
		RunE: func(c *cobra.Command, args []string) error { return printInsights(c.Context(), u, f, args) },
	}
	c.Flags().BoolVar(&f.asJSON, "json", false, "print JSON")
	c.Flags().IntVarP(&f.limit, "limit", "n", 0, "print at most `N` rows of a table; 0 prints 10, with --by all")
	choose(c, &f.by, "by", byAll,
		[]string{byAll, byDay, byWeek, byMonth, byProject, byModel, byAgent, byTool, byBranch}, "what to sum by")
	c.Flags().StringVar(&f.pricing, "pricing", "", "read the prices of models from `FILE`, instead of the list prices")
	c.Flags().StringVar(&f.site, "site", "site",
		"take what the site in `FOLDER` knows of sessions that have not changed")
	f.filterFlags.add(c)
	f.redactFlags.add(c)
	return c
}

func printInsights(ctx context.Context, u *ui, f insightsFlags, sources []string) error {
	if f.limit < 0 {
		return usagef("--limit %d is invalid: at least 0", f.limit)
	}
	filter, err := f.filter()
	if err != nil {
		return err
	}
	in, err := readInput(u, sources)
	if err != nil {
		return err
	}
	defer in.drop()
	l := sitegen.Listing{Sites: []string{f.site}, Insights: true}
	if served, err := (siteFlags{redactFlags: f.redactFlags, pricing: f.pricing}).cachePath(sources); err == nil {
		l.Sites = append(l.Sites, served)
	}
	sessions, known, err := sitegen.List(ctx, sitegen.Options{
		Sources: in.files, Filter: filter, Pricing: f.pricing, Redaction: f.redaction(), Version: version,
		Fault: u.leftOut, Unread: u.unread,
	}, l)
	if err = in.named(err); err != nil {
		return err
	}
	if known > 0 {
		u.detail("%s known from a site", words.Plural(known, "session", "sessions"))
	}
	if len(sessions) == 0 {
		return fmt.Errorf("no session matches %s", filter.String())
	}
	x := newCounts(sessions)
	switch {
	case f.asJSON && f.by.value == byAll:
		err = u.printJSON(x.json(), " ")
	case f.asJSON:
		err = u.printJSON(sumsJSON(x.sums(f.by.value)), " ")
	case f.by.value == byAll:
		u.print("%s", x.overview(cmp.Or(f.limit, 10)))
	default:
		all := x.sums(f.by.value)
		if f.limit > 0 {
			all = all[:min(len(all), f.limit)]
		}
		u.print("%s", sumTable(all, f.by.value, u.outColumns()))
	}
	if err != nil {
		return fmt.Errorf("printing the counts: %w", err)
	}
	return nil
}

// sessionCounts returns the counts of all sessions.
type sessionCounts struct {
	sessions []sitegen.Listed
	total    insights.Total
	totals   stats.Totals
}

func newCounts(sessions []sitegen.Listed) *sessionCounts {
	x := &sessionCounts{sessions: sessions}
	x.total.MostPlaces = len(sessions) // one of each
	for i := range sessions {
		x.total.Add(i, &sessions[i].Insights)
		x.totals.Accumulate(sessions[i].Totals)
	}
	return x
}

// A summed has the sums for one name.
type summed struct {
	name     string
	sessions int
	totals   stats.Totals // Tools and Failed are calls, Work is the time at work, or of the calls of a tool
}

// sums adds up by a key. Times are sorted by time, everything else by cost.
func (x *sessionCounts) sums(by string) []summed {
	switch by {
	case byDay, byWeek, byMonth:
		return x.byTime(by)
	case byModel:
		return x.byModel()
	case byTool:
		return x.byTool()
	}
	return x.bySession(func(s *sitegen.Listed) string {
		switch by {
		case byProject:
			return s.Project
		case byAgent:
			return s.Agent
		}
		return s.Branch
	})
}

func (x *sessionCounts) bySession(name func(*sitegen.Listed) string) []summed {
	var all []summed
	places := make(map[string]int)
	for i := range x.sessions {
		s := &x.sessions[i]
		key := name(s)
		at, found := places[key]
		if !found {
			at = len(all)
			places[key] = at
			all = append(all, summed{name: cmp.Or(key, "none")})
		}
		all[at].sessions++
		all[at].totals.Accumulate(s.Totals)
	}
	return byCost(all)
}

func byCost(all []summed) []summed {
	slices.SortStableFunc(all, func(a, b summed) int {
		return cmp.Or(cmp.Compare(b.totals.Cost.Total(), a.totals.Cost.Total()),
			cmp.Compare(b.totals.Tokens(), a.totals.Tokens()), cmp.Compare(b.totals.Tools, a.totals.Tools),
			strings.Compare(a.name, b.name))
	})
	return all
}

// byTime sums requests and calls by day, or by the Monday of their week, or by month.
func (x *sessionCounts) byTime(by string) []summed {
	sums := make(map[string]*summed)
	at := func(date string) *summed {
		name := period(date, by)
		if sums[name] == nil {
			sums[name] = &summed{name: name}
		}
		return sums[name]
	}
	for i := range x.sessions {
		seen := make(map[*summed]bool)
		for _, day := range x.sessions[i].Insights.Days {
			s := at(day.Date)
			seen[s] = true
			var t stats.Totals
			for _, m := range day.Models {
				t.Requests += m.Requests
				t.Usage = t.Usage.Add(m.Usage)
				t.Cost = t.Cost.Add(m.Cost)
			}
			s.totals.Accumulate(t)
		}
		for _, r := range x.sessions[i].Insights.Rows {
			if r.Kind == insights.Activity {
				s := at(r.Name)
				seen[s] = true
				s.totals.Tools += r.Count
				s.totals.Failed += r.Failed
				s.totals.Work += r.Time
			}
		}
		for s := range seen {
			s.sessions++
		}
	}
	var all []summed
	for _, s := range sums {
		all = append(all, *s)
	}
	slices.SortFunc(all, func(a, b summed) int { return strings.Compare(b.name, a.name) })
	return all
}

// period is the day, the Monday of the week, or the month of a date; "no time" for none.
func period(date, by string) string {
	t, err := time.Parse(time.DateOnly, date)
	switch {
	case err != nil:
		return "no time"
	case by == byWeek:
		return t.AddDate(0, 0, -(int(t.Weekday())+6)%7).Format(time.DateOnly)
	case by == byMonth:
		return date[:len("2026-01")]
	}
	return date
}

func (x *sessionCounts) byModel() []summed {
	sessions := make(map[string]int)
	for i := range x.sessions {
		for _, m := range x.sessions[i].Totals.Models {
			sessions[m.Name]++
		}
	}
	var all []summed
	for _, m := range x.totals.Models {
		all = append(all, summed{cmp.Or(m.Name, "no model named"), sessions[m.Name],
			stats.Totals{Requests: m.Requests, Usage: m.Usage, Cost: m.Cost}})
	}
	return byCost(all)
}

func (x *sessionCounts) byTool() []summed {
	var all []summed
	for _, s := range x.total.Of(insights.Tool) {
		all = append(all, summed{cmp.Or(s.Name, "all others"), s.Sessions,
			stats.Totals{Tools: s.Count, Failed: s.Failed, Work: s.Time}})
	}
	return all
}

// sumTable returns a list of sums as text.
func sumTable(all []summed, by string, width int) string {
	rows := [][]string{{"SESSIONS", "CALLS", "FAILED", "TIME", "TOKENS", "CACHED", "COST", strings.ToUpper(by), ""}}
	for _, s := range all {
		t := s.totals
		rows = append(rows, []string{
			words.Count(s.sessions), number(t.Tools), number(t.Failed), timeWords(t.Work), shortNumber(t.NewTokens()),
			shortNumber(t.Usage.CacheRead), costWords(t.Cost), console.Line(s.name), "",
		})
	}
	return table(rows, width)
}

func number(n int) string {
	if n == 0 {
		return ""
	}
	return words.Count(n)
}

func shortNumber(n int64) string {
	if n == 0 {
		return ""
	}
	return words.Short(n)
}

func timeWords(d time.Duration) string {
	if d <= 0 {
		return ""
	}
	return words.Duration(d.Round(time.Second))
}

func costWords(c stats.Cost) string {
	if c.Total() == 0 {
		return ""
	}
	return words.Dollars(c.Total().Dollars())
}
