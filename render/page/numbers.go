package page

import (
	"cmp"
	"slices"
	"strings"

	"viewer/internal/stats"
	"viewer/internal/words"
)

// Amounts are how a page writes numbers and costs.
type Amounts int

const (
	// Exact keeps every digit.
	Exact Amounts = iota
	// Rounded is for the first page of a site: it rounds counts from 1,000 and dollars from 10. Otherwise a growing
	// session would change the page each time for a last digit only.
	Rounded
)

// Count formats a number.
func (a Amounts) Count(n int) string {
	if a == Rounded {
		return words.Short(int64(n))
	}
	return words.Count(n)
}

// Dollars formats a cost.
func (a Amounts) Dollars(f float64) string {
	text := words.Dollars(f)
	if a == Rounded && f >= 10 {
		text, _, _ = strings.Cut(words.Dollars(f+0.5), ".")
	}
	return text
}

// A Number is a figure with its name.
type Number struct{ Name, Value, Title, Href string }

// Cost returns the cost of sessions. A plus sign means that a part has no known price.
func Cost(t stats.Totals, a Amounts) Number {
	c := t.Cost
	switch total := c.Total(); {
	case total == 0 && c.Unpriced == 0:
		return Number{Name: "cost"}
	case total == 0:
		return Number{Name: "unpriced", Value: "–",
			Title: "no price is known for " + words.Short(c.Unpriced) + " tokens"}
	case c.Unpriced > 0:
		return Number{Name: "cost", Value: a.Dollars(total.Dollars()) + "+",
			Title: "and " + words.Short(c.Unpriced) + " tokens without a known price"}
	default:
		return Number{Name: "cost", Value: a.Dollars(total.Dollars())}
	}
}

// A Model is one row of the table of models.
type Model struct {
	Name, Requests, Input, CacheRead, Cache5m, Cache1h, Output, Cost string
}

// NewModels sorts models by their tokens, the largest first.
func NewModels(models []stats.Model, a Amounts) []Model {
	models = slices.Clone(models)
	tokens := func(m stats.Model) int64 { return m.Usage.Context() + m.Usage.Output }
	slices.SortStableFunc(models, func(a, b stats.Model) int { return cmp.Compare(tokens(b), tokens(a)) })
	const most = 50
	var all []Model
	for _, m := range models[:min(most, len(models))] {
		u := m.Usage
		requests := "–" // the log has only a sum
		if m.Requests > 0 {
			requests = a.Count(m.Requests)
		}
		all = append(all, Model{
			Name: cmp.Or(words.Line(m.Name, 60), "no model named"), Requests: requests,
			Input: words.Short(u.Input), CacheRead: words.Short(u.CacheRead),
			Cache5m: words.Short(max(u.CacheWrite5m, u.CacheWrite-u.CacheWrite1h)),
			Cache1h: words.Short(u.CacheWrite1h),
			Output:  words.Short(u.Output), Cost: Cost(stats.Totals{Cost: m.Cost}, a).Value,
		})
	}
	return all
}
