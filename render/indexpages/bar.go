package indexpages

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"viewer/internal/words"
)

// barView is the bar of filters, which a script operates. Its numbers are those of all sessions of the list, or of the
// page of a month. The script counts again after filtering.
type barView struct {
	Facets      []facetView
	First, Last string // first and last day with a session
	Flags       []facetValue
	Minor       int    // number of sessions that are hidden by default
	OnlyMinor   bool   // there are no others, so they are shown
	More        string // script files with the rows that are not on the page
	Beyond      string // describes the sessions that are not in them either, "" for none
}

// A facetView is a property of sessions, with its values.
type facetView struct {
	Name   string // "project", which rows have as data-project
	Label  string
	Values []facetValue // to choose from
	Time   bool         // next to the range of days
}

// MinorWords describes the hidden sessions.
func (v barView) MinorWords() string {
	return words.Plural(v.Minor, "warm-up or empty session", "warm-ups and empty sessions")
}

// A facetValue is a value of a property, or a flag, which sessions have or have not.
type facetValue struct {
	Name  string // of a flag: "failed", which rows have as data-failed
	Value string // if it differs from the text
	Text  string
	N     int // number of sessions with it
}

const maxValues = 100

// newBar counts the values of each filter. A filter with a single value is left out.
func newBar(l *List, sessions []*indexed, named bool) barView {
	var v barView
	projects, models, months, agents := make(map[string]int), make(map[string]int), make(map[string]int),
		make(map[string]int)
	flags := []facetValue{{Name: "failed", Text: "Failed"}, {Name: "agents", Text: "With agents"},
		{Name: "changed", Text: "Changed files"}, {Name: "kept", Text: "Files gone"}}
	ofModels := make([]int, len(l.modelsOf)) // sessions with the same models
	for _, s := range sessions {
		if s.isMinor {
			v.Minor++
			continue
		}
		if p := l.projects.all[s.project].Name; named && p != "" {
			projects[p]++
		}
		ofModels[s.models]++
		months[l.month(s)]++
		if agent := l.agent(s); agent != "" {
			agents[agent]++
		}
		if day := l.day(s); day != "" {
			v.First = day
			v.Last = cmp.Or(v.Last, day)
		}
		for i, has := range []bool{s.hasFailed, s.hasAgents, s.hasFiles, s.isKept} {
			if has {
				flags[i].N++
			}
		}
	}
	for id, n := range ofModels {
		for _, m := range l.modelsOf[id] {
			if n > 0 {
				models[m] += n
			}
		}
	}
	all := []facetView{
		{Name: "project", Label: "Project", Values: mostFirst(projects, maxProjects)},
		{Name: "model", Label: "Model", Values: mostFirst(models, maxValues)},
		{Name: "agent", Label: "Coding agent", Values: mostFirst(agents, maxValues)},
		{Name: "month", Label: "Time", Values: newestFirst(months), Time: v.First != v.Last},
	}
	v.Facets = slices.DeleteFunc(all, func(f facetView) bool { return len(f.Values) <= 1 && !f.Time })
	v.Flags = slices.DeleteFunc(flags, func(f facetValue) bool { return f.N == 0 })
	v.OnlyMinor = v.Minor == len(sessions)
	return v
}

// mostFirst sorts values by their number of sessions, and keeps the first ones.
func mostFirst(counts map[string]int, most int) []facetValue {
	var all []facetValue
	for text, n := range counts {
		all = append(all, facetValue{Text: text, N: n})
	}
	slices.SortFunc(all, func(a, b facetValue) int { return cmp.Or(b.N-a.N, strings.Compare(a.Text, b.Text)) })
	return all[:min(len(all), most)]
}

// newestFirst lists months, "2026-03". Month "", for sessions without a time, is the last.
func newestFirst(counts map[string]int) []facetValue {
	var all []facetValue
	for _, month := range slices.Backward(slices.Sorted(maps.Keys(counts))) {
		all = append(all, facetValue{Value: cmp.Or(month, "undated"), Text: monthName(month), N: counts[month]})
	}
	return all
}
