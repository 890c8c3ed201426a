package indexpages

import (
	"strings"
	"time"

	"viewer/internal/stats"
	"viewer/internal/words"
	"viewer/render/page"
)

// build describes in a few lines what the site was made from.
func (f frontPage) build() []string {
	lines := []string{words.Plural(len(f.sessions), "session", "sessions") + " from " +
		words.Plural(f.Ledger.Files, "file", "files")}
	if f.Empty > 0 {
		lines = append(lines, words.Plural(f.Empty, "empty session", "empty sessions")+" not listed")
	}
	kept := 0
	for _, s := range f.sessions {
		if s.isKept {
			kept++
		}
	}
	if kept > 0 {
		lines = append(lines, words.Plural(kept, "session", "sessions")+" kept whose files are gone")
	}
	if n := f.Ledger.Lost; n > 0 {
		lines = append(lines, words.Plural(n, "line", "lines")+" could not be read")
	}
	if n := f.Ledger.Generics(); n > 0 {
		lines = append(lines, words.Plural(n, "record", "records")+" of unknown kind")
	}
	return lines
}

// amounts returns the format of the totals of the page.
func (f frontPage) amounts() page.Amounts {
	if f.project == nil {
		return page.Rounded
	}
	return page.Exact
}

func (f frontPage) totals(t stats.Totals) []page.Number {
	a := f.amounts()
	all := []page.Number{{Name: words.One(len(f.sessions), "session", "sessions"), Value: words.Count(len(f.sessions))}}
	if t.Time > 0 {
		all = append(all, page.Number{Name: "at work", Value: workWords(t),
			Title: hours(t.Time) + " from the first to the last message of each session"})
	}
	if t.Cost.Total() > 0 {
		all = append(all, page.Number{Name: f.CostWords(t.Cost), Value: a.Dollars(t.Cost.Total().Dollars())})
	}
	all = append(all, page.Number{Name: words.One(t.Prompts, "prompt", "prompts"), Value: a.Count(t.Prompts)})
	calls := words.One(t.Tools, "call", "calls")
	if t.Failed > 0 {
		calls += ", " + words.Percent(t.Failed, t.Tools) + " failed"
	}
	all = append(all, page.Number{Name: calls, Value: a.Count(t.Tools)})
	if t.NewTokens() > 0 {
		tokens := page.Number{Name: "tokens", Value: words.Short(t.NewTokens()), Title: tokenWords(t)}
		if t.Usage.CacheRead > 0 {
			tokens.Name += ", " + words.Short(t.Usage.CacheRead) + " more from cache"
		}
		all = append(all, tokens)
	}
	return all
}

// hours formats a long time.
func hours(d time.Duration) string {
	if h := d.Hours(); h >= 10 {
		return words.Count(int(h)) + " h"
	}
	return words.Span(d)
}

// notes returns remarks about what the numbers leave out.
func (f frontPage) notes(t stats.Totals) []string {
	var all []string
	if t.Cost.List > 0 {
		all = append(all, "List price is what the API would have charged, by request; a subscription pays something else.")
	}
	if t.Cost.List > 0 && t.Cost.Logged > 0 {
		all = append(all, f.amounts().Dollars(t.Cost.Logged.Dollars())+" of the cost is what the logs say themselves.")
	}
	if t.Cost.Unpriced > 0 {
		all = append(all, words.Short(t.Cost.Unpriced)+
			" tokens are of models without a known price and not in the cost.")
	}
	if t.Doubtful {
		all = append(all, "Output tokens are as reported: versions before 2.1.50 wrote placeholders.")
	}
	return all
}

// sumWords returns the totals of a page on one line.
func sumWords(t stats.Totals) string {
	all := []string{words.Plural(t.Sessions, "session", "sessions"), words.Plural(t.Prompts, "prompt", "prompts"),
		words.Plural(t.Tools, "call", "calls")}
	if t.NewTokens() > 0 {
		all = append(all, words.Short(t.NewTokens())+" tokens")
	}
	if t.Cost.Total() > 0 {
		all = append(all, words.Dollars(t.Cost.Total().Dollars()))
	}
	return strings.Join(all, words.Dot)
}
