package render

import (
	"strconv"
	"strings"
	"time"

	"viewer/internal/stats"
)

type dayView struct {
	ISO  string // "" for sessions without a time
	Text string
	Rows []rowView
}

// rowView is a session in a list. What a script filters and sorts by stands in
// data attributes, in figures.
type rowView struct {
	ID             string // of the first row of a day
	Href, Title    string
	Project        string
	Models         string
	At             stamp
	Archived       bool
	Facts          []string
	Bad            link // to the first call that failed, and how many did
	Related        []relatedView
	Numbers        []numberView
	Failed, Agents int
	Tokens         int64
	Cost           string // in dollars, "" when it has none
	Seconds        int64
}

type numberView struct{ Name, Value, Title string }

// relatedView are the sessions that a session belongs to in one way.
type relatedView struct {
	How   string
	Links []link
	More  string
}

// newDays groups sessions, of which the newest comes first, by the UTC day of
// their start.
func newDays(sessions []*indexed, root string, named bool) []dayView {
	var all []dayView
	for _, s := range sessions {
		day := s.day
		first := len(all) == 0 || all[len(all)-1].ISO != day
		if first {
			v := dayView{ISO: day}
			if day != "" {
				v.Text = s.Start.UTC().Format("Mon 2 Jan 2006")
			}
			all = append(all, v)
		}
		row := newRow(s.Summary, root, named)
		if first && day != "" {
			row.ID = dayAnchor(day)
		}
		last := &all[len(all)-1]
		last.Rows = append(last.Rows, row)
	}
	return all
}

func dayAnchor(day string) string { return "d-" + day }

func newRow(s *Summary, root string, named bool) rowView {
	t := s.Totals
	v := rowView{
		Href: root + s.Path(), Title: s.Title, Project: s.Project.Name, Models: strings.Join(s.Models, " "),
		Archived: s.Archived,
		At:       newStamp(s.Start, "time", "15:04"), Related: newRelated(s.Relations, root),
		Failed: t.Failed, Agents: t.Agents, Tokens: t.Tokens(), Seconds: int64(t.Time.Seconds()),
	}
	if named && s.Project.Name != "" {
		v.Facts = append(v.Facts, s.Project.Name)
	}
	if s.Branch != "" {
		v.Facts = append(v.Facts, clip(s.Branch, 50))
	}
	if t.Agents > 0 {
		v.Facts = append(v.Facts, plural(t.Agents, "agent", "agents"))
	}
	if t.Compacted > 0 {
		v.Facts = append(v.Facts, "compacted ×"+count(t.Compacted))
	}
	if t.Failed > 0 {
		v.Bad.Text = count(t.Failed) + " failed"
		if s.Failure != "" {
			v.Bad.Href = root + "s/" + s.Folder + "/" + s.Failure
		}
	}
	tokens, long := numberView{Name: "tokens"}, numberView{Name: "long"}
	if t.Tokens() > 0 {
		tokens.Value, tokens.Title = short(t.Tokens()), tokenWords(t)
	}
	if t.Time > 0 {
		long.Value = span(t.Time.Round(time.Second))
	}
	cost := newCost(t)
	if t.Cost.Total() > 0 {
		v.Cost = strconv.FormatFloat(t.Cost.Total().Dollars(), 'f', 4, 64)
	}
	v.Numbers = []numberView{
		{Name: one(t.Prompts, "prompt", "prompts"), Value: count(t.Prompts)},
		{Name: one(t.Tools, "tool", "tools"), Value: count(t.Tools)},
		tokens, cost, long,
	}
	return v
}

// newCost is the cost of a session in its row. Where a part has no price, a plus
// sign says that it was more.
func newCost(t stats.Totals) numberView {
	c := t.Cost
	switch total := c.Total(); {
	case total == 0 && c.Unpriced == 0:
		return numberView{Name: "cost"}
	case total == 0:
		return numberView{Name: "unpriced", Value: "–", Title: "no price is known for " + short(c.Unpriced) + " tokens"}
	case c.Unpriced > 0:
		return numberView{Name: "cost", Value: dollars(total.Dollars()) + "+",
			Title: "and " + short(c.Unpriced) + " tokens without a known price"}
	default:
		return numberView{Name: "cost", Value: dollars(total.Dollars())}
	}
}

// tokenWords say what the tokens of a session were.
func tokenWords(t stats.Totals) string {
	s := short(t.Usage.Input) + " in, " + short(t.Usage.CacheRead) + " read from cache, " + short(t.Usage.CacheWrite) +
		" written to cache, " + short(t.Usage.Output) + " out"
	if t.Doubtful {
		s += " as reported"
	}
	return s
}

// Rows name some of the sessions that one belongs to; its page names all.
const (
	maxRelations   = 2 // ways to belong together
	maxPerRelation = 3 // sessions of each
)

func newRelated(relations []Relation, root string) []relatedView {
	var all []relatedView
	for i := 0; i < len(relations); {
		n := 1
		for i+n < len(relations) && relations[i+n].How == relations[i].How {
			n++
		}
		if len(all) == maxRelations {
			break
		}
		k := relatedView{How: oneLine(relations[i].How, 60)}
		for _, r := range relations[i : i+min(n, maxPerRelation)] {
			k.Links = append(k.Links, link{Href: root + "s/" + r.Folder + "/index.html", Text: oneLine(r.Title, 50),
				At: moment(r.At)})
		}
		if n > maxPerRelation {
			k.More = "and " + count(n-maxPerRelation) + " more"
		}
		all = append(all, k)
		i += n
	}
	return all
}

func one(n int, single, many string) string {
	if n == 1 {
		return single
	}
	return many
}
