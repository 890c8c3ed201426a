package render

import (
	"strings"
	"time"

	"viewer/internal/stats"
	"viewer/render/page"
)

// build lists in a few lines what the site was made from.
func (f frontPage) build() []string {
	lines := []string{plural(len(f.sessions), "session", "sessions") + " from " +
		plural(f.Ledger.Files, "file", "files")}
	if f.Empty > 0 {
		lines = append(lines, plural(f.Empty, "empty session", "empty sessions")+" not listed")
	}
	archived := 0
	for _, s := range f.sessions {
		if s.isArchived {
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

// amounts are how the page writes its totals.
func (f frontPage) amounts() page.Amounts {
	if f.project == nil {
		return page.Rounded
	}
	return page.Exact
}

func (f frontPage) totals(t stats.Totals) []page.Number {
	a := f.amounts()
	all := []page.Number{{Name: one(len(f.sessions), "session", "sessions"), Value: count(len(f.sessions))}}
	if t.Time > 0 {
		all = append(all, page.Number{Name: "at work", Value: workWords(t),
			Title: hours(t.Time) + " from the first to the last message of each session"})
	}
	if t.Cost.Total() > 0 {
		all = append(all, page.Number{Name: f.costWords(t.Cost), Value: a.Dollars(t.Cost.Total().Dollars())})
	}
	all = append(all, page.Number{Name: one(t.Prompts, "prompt", "prompts"), Value: a.Count(t.Prompts)})
	calls := one(t.Tools, "call", "calls")
	if t.Failed > 0 {
		calls += ", " + percent(t.Failed, t.Tools) + " failed"
	}
	all = append(all, page.Number{Name: calls, Value: a.Count(t.Tools)})
	if t.NewTokens() > 0 {
		tokens := page.Number{Name: "tokens", Value: short(t.NewTokens()), Title: tokenWords(t)}
		if t.Usage.CacheRead > 0 {
			tokens.Name += ", " + short(t.Usage.CacheRead) + " more from cache"
		}
		all = append(all, tokens)
	}
	return all
}

// hours is a long time as words.
func hours(d time.Duration) string {
	if h := d.Hours(); h >= 10 {
		return count(int(h)) + " h"
	}
	return span(d)
}

// costWords say what kind of amount a cost is.
func (f frontPage) costWords(c stats.Cost) string {
	switch {
	case c.List == 0:
		return "by the logs"
	case f.Prices == "":
		return "list price"
	}
	return "list price of " + dateWords(f.Prices)
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
		all = append(all, f.amounts().Dollars(t.Cost.Logged.Dollars())+" of the cost is what the logs say themselves.")
	}
	if t.Cost.Unpriced > 0 {
		all = append(all, short(t.Cost.Unpriced)+" tokens are of models without a known price and not in the cost.")
	}
	if t.Doubtful {
		all = append(all, "Output tokens are as reported: versions before 2.1.50 wrote placeholders.")
	}
	return all
}

// sumWords are the totals of a page in one line.
func sumWords(t stats.Totals) string {
	words := []string{plural(t.Sessions, "session", "sessions"), plural(t.Prompts, "prompt", "prompts"),
		plural(t.Tools, "call", "calls")}
	if t.NewTokens() > 0 {
		words = append(words, short(t.NewTokens())+" tokens")
	}
	if t.Cost.Total() > 0 {
		words = append(words, dollars(t.Cost.Total().Dollars()))
	}
	return strings.Join(words, " · ")
}
