package stats

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"viewer/normalize"
)

// A Day has the tokens and the cost of the models on one day.
type Day struct {
	Date   string // in UTC: "2026-07-22"; "" for requests without a time
	Models []Model
}

// Days splits the requests of the session by day, in order. Their costs add up to that of the session: a total that the
// log states counts for the last day, as the cost of a model without a name. Tokens that the log reports without their
// requests count for the first day.
func (t *Tally) Days(c *normalize.Conversation) []Day {
	var all []Day
	add := func(at time.Time, m Model) { all = AddDays(all, []Day{{dateOf(at), []Model{m}}}) }
	for _, r := range t.requests {
		m := Model{Name: atSpeed(r.Model, r.Speed), Requests: 1, Usage: r.Usage}
		if !t.logged.covers(r) {
			m.Cost = costOf(r, t.prices)
		}
		add(r.First.Timestamp, m)
	}
	if t.logged.cost > 0 {
		add(c.Facts.End, Model{Cost: Cost{Logged: t.logged.cost}})
	}
	if totals := t.Of(c); len(t.requests) == 0 && totals.Tokens() > 0 {
		for _, m := range totals.Models {
			if t.logged.ok {
				m.Cost = Cost{}
			}
			add(c.Facts.Start, m)
		}
	}
	for i := range all {
		all[i].Models = limitModels(all[i].Models)
	}
	return all
}

// AddDays adds days to a list. It keeps no memory of them. Both lists are sorted, and so is the result.
func AddDays(all, more []Day) []Day {
	for _, day := range more {
		i, found := slices.BinarySearchFunc(all, day.Date,
			func(d Day, date string) int { return cmp.Compare(d.Date, date) })
		if !found {
			all = slices.Insert(all, i, Day{Date: strings.Clone(day.Date)})
		}
		all[i].Models = addModels(all[i].Models, day.Models)
	}
	return all
}

func dateOf(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.DateOnly)
}
