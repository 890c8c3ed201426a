package render

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"viewer/internal/stats"
)

// build says in a few lines what the site was made of.
func (f frontPage) build() []string {
	lines := []string{plural(len(f.sessions), "session", "sessions") + " from " +
		plural(f.Ledger.Files, "file", "files")}
	if f.Empty > 0 {
		lines = append(lines, plural(f.Empty, "empty session", "empty sessions")+" not listed")
	}
	archived := 0
	for _, s := range f.sessions {
		if s.Archived {
			archived++
		}
	}
	if archived > 0 {
		lines = append(lines, plural(archived, "archived session", "archived sessions")+", whose files are gone")
	}
	if n := f.Ledger.Lost; n > 0 {
		lines = append(lines, plural(n, "line", "lines")+" could not be read")
	}
	if n := f.Ledger.Generics(); n > 0 {
		lines = append(lines, plural(n, "record", "records")+" of unknown kind")
	}
	return lines
}

func (f frontPage) totals(t stats.Totals) []numberView {
	all := []numberView{
		{Name: one(len(f.sessions), "session", "sessions"), Value: count(len(f.sessions))},
		{Name: one(t.Prompts, "prompt", "prompts"), Value: count(t.Prompts)},
		{Name: one(t.Tools, "tool call", "tool calls"), Value: count(t.Tools)},
	}
	if t.Failed > 0 {
		all = append(all, numberView{Name: "failed", Value: count(t.Failed)})
	}
	if t.Tokens() > 0 {
		all = append(all, numberView{Name: "tokens", Value: short(t.Tokens()), Title: tokenWords(t)})
	}
	if t.Cost.Total() > 0 {
		all = append(all, numberView{Name: f.costWords(t.Cost), Value: dollars(t.Cost.Total().Dollars())})
	}
	if h := t.Time.Hours(); h >= 10 {
		all = append(all, numberView{Name: "in sessions", Value: count(int(h)) + " h"})
	} else if t.Time > 0 {
		all = append(all, numberView{Name: "in sessions", Value: span(t.Time)})
	}
	return all
}

// costWords say what kind of amount a cost is.
func (f frontPage) costWords(c stats.Cost) string {
	switch {
	case c.List == 0:
		return "by the logs"
	case f.Prices == "":
		return "at list price"
	}
	return "at list price of " + dateWords(f.Prices)
}

func dateWords(day string) string {
	t, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return day
	}
	return t.Format("2 Jan 2006")
}

// notes say what the numbers leave out.
func (f frontPage) notes(t stats.Totals) []string {
	var all []string
	if t.Cost.List > 0 {
		all = append(all, "List price is what the API would have charged, by request; a subscription pays something else.")
	}
	if t.Cost.List > 0 && t.Cost.Logged > 0 {
		all = append(all, dollars(t.Cost.Logged.Dollars())+" of the cost is what the logs say themselves.")
	}
	if t.Cost.Unpriced > 0 {
		all = append(all, short(t.Cost.Unpriced)+" tokens are of models without a known price and not in the cost.")
	}
	if t.Doubtful {
		all = append(all, "Output tokens are as reported: versions before 2.1.50 wrote placeholders.")
	}
	return all
}

// A modelView is one row of the table of models.
type modelView struct {
	Name, Requests, Input, CacheRead, Cache5m, Cache1h, Output, Cost string
}

// newModels puts the model that did most first.
func newModels(models []stats.Model) []modelView {
	models = slices.Clone(models)
	tokens := func(m stats.Model) int64 { return m.Usage.Context() + m.Usage.Output }
	slices.SortStableFunc(models, func(a, b stats.Model) int { return cmp.Compare(tokens(b), tokens(a)) })
	const most = 50
	var all []modelView
	for _, m := range models[:min(most, len(models))] {
		u := m.Usage
		all = append(all, modelView{
			Name: cmp.Or(oneLine(m.Name, 60), "no model named"), Requests: count(m.Requests),
			Input: short(u.Input), CacheRead: short(u.CacheRead),
			Cache5m: short(max(u.CacheWrite5m, u.CacheWrite-u.CacheWrite1h)), Cache1h: short(u.CacheWrite1h),
			Output: short(u.Output), Cost: newCost(stats.Totals{Cost: m.Cost}).Value,
		})
	}
	return all
}

// sumWords are the totals of a page in one line.
func sumWords(t stats.Totals) string {
	words := []string{plural(t.Sessions, "session", "sessions"), plural(t.Prompts, "prompt", "prompts"),
		plural(t.Tools, "tool call", "tool calls")}
	if t.Tokens() > 0 {
		words = append(words, short(t.Tokens())+" tokens")
	}
	if t.Cost.Total() > 0 {
		words = append(words, dollars(t.Cost.Total().Dollars()))
	}
	return strings.Join(words, " · ")
}
