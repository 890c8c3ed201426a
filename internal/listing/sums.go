package listing

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"viewer/internal/console"
	"viewer/internal/insights"
	"viewer/internal/sitegen"
	"viewer/internal/stats"
	"viewer/internal/words"
)

// Keys of sums, besides branches and coding agents.
const (
	ByAll     = "all"
	ByDay     = "day"
	ByWeek    = "week"
	ByMonth   = "month"
	ByProject = "project"
	ByModel   = "model"
	ByTool    = "tool"
)

// Counts are the sums of all sessions.
type Counts struct {
	sessions []sitegen.Listed
	total    insights.Total
	totals   stats.Totals
}

func Count(sessions []sitegen.Listed) *Counts {
	x := &Counts{sessions: sessions}
	x.total.MaxPlaces = len(sessions) // one of each
	for i := range sessions {
		x.total.Add(i, &sessions[i].Insights)
		x.totals.Accumulate(sessions[i].Totals)
	}
	return x
}

// A Sum has the totals of a group, such as a day or a model.
type Sum struct {
	name     string
	project  string // of a branch
	sessions int
	totals   stats.Totals // Tools and Failed are calls, Work is the time at work, or of the calls of a tool
}

// Sums returns the sums by a key: days, weeks and months from the newest, others from the most expensive.
func (x *Counts) Sums(by string) []Sum {
	switch by {
	case ByDay, ByWeek, ByMonth:
		return x.byTime(by)
	case ByModel:
		return x.byModel()
	case ByTool:
		return x.byTool()
	}
	return x.bySession(func(s *sitegen.Listed) sumKey {
		switch by {
		case ByProject:
			return sumKey{name: s.Project}
		case ByAgent:
			return sumKey{name: s.Agent}
		}
		return sumKey{s.Branch, s.Project}
	})
}

// A sumKey identifies a sum of whole sessions.
type sumKey struct {
	name    string
	project string // of a branch: branches of different projects are different
}

func (x *Counts) bySession(keyOf func(*sitegen.Listed) sumKey) []Sum {
	var all []Sum
	places := make(map[sumKey]int)
	for i := range x.sessions {
		s := &x.sessions[i]
		key := keyOf(s)
		at, found := places[key]
		if !found {
			at = len(all)
			places[key] = at
			all = append(all, Sum{name: cmp.Or(key.name, "none"), project: key.project})
		}
		all[at].sessions++
		all[at].totals.Accumulate(s.Totals)
	}
	return byCost(all)
}

func byCost(all []Sum) []Sum {
	slices.SortStableFunc(all, func(a, b Sum) int {
		return cmp.Or(cmp.Compare(b.totals.Cost.Total(), a.totals.Cost.Total()),
			cmp.Compare(b.totals.Tokens(), a.totals.Tokens()), cmp.Compare(b.totals.Tools, a.totals.Tools),
			strings.Compare(a.name, b.name), strings.Compare(a.project, b.project))
	})
	return all
}

// byTime sums requests and calls by day, or by the Monday of their week, or by month.
func (x *Counts) byTime(by string) []Sum {
	sums := make(map[string]*Sum)
	at := func(date string) *Sum {
		name := period(date, by)
		if sums[name] == nil {
			sums[name] = &Sum{name: name}
		}
		return sums[name]
	}
	for i := range x.sessions {
		seen := make(map[*Sum]bool)
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
	var all []Sum
	for _, s := range sums {
		all = append(all, *s)
	}
	slices.SortFunc(all, func(a, b Sum) int { return strings.Compare(b.name, a.name) })
	return all
}

// period returns the day, the Monday of the week, or the month of a date; "no time" for none.
func period(date, by string) string {
	t, err := time.Parse(time.DateOnly, date)
	switch {
	case err != nil:
		return "no time"
	case by == ByWeek:
		return t.AddDate(0, 0, -(int(t.Weekday())+6)%7).Format(time.DateOnly)
	case by == ByMonth:
		return date[:len("2026-01")]
	}
	return date
}

func (x *Counts) byModel() []Sum {
	sessions := make(map[string]int)
	for i := range x.sessions {
		for _, m := range x.sessions[i].Totals.Models {
			sessions[m.Name]++
		}
	}
	var all []Sum
	for _, m := range x.totals.Models {
		all = append(all, Sum{name: cmp.Or(m.Name, "no model named"), sessions: sessions[m.Name],
			totals: stats.Totals{Requests: m.Requests, Usage: m.Usage, Cost: m.Cost}})
	}
	return byCost(all)
}

func (x *Counts) byTool() []Sum {
	var all []Sum
	for _, s := range x.total.Of(insights.Tool) {
		all = append(all, Sum{name: cmp.Or(s.Name, "all others"), sessions: s.Sessions,
			totals: stats.Totals{Tools: s.Count, Failed: s.Failed, Work: s.Time}})
	}
	return all
}

// SumTable returns a list of sums as text.
func SumTable(all []Sum, by string, width int) string {
	rows := [][]string{{"SESSIONS", "CALLS", "FAILED", "TIME", "TOKENS", "CACHED", "COST", strings.ToUpper(by), ""}}
	if by == ByBranch {
		copy(rows[0][len(rows[0])-2:], []string{"PROJECT", "BRANCH"})
	}
	for _, s := range all {
		t, named := s.totals, []string{console.Line(s.name), ""}
		if by == ByBranch {
			named = []string{console.Line(s.project), console.Line(s.name)}
		}
		rows = append(rows, append([]string{
			words.Count(s.sessions), number(t.Tools), number(t.Failed), timeWords(t.Work), shortNumber(t.NewTokens()),
			shortNumber(t.Usage.CacheRead), costWords(t.Cost),
		}, named...))
	}
	return align(rows, width)
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
