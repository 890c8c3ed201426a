package stats

import (
	"iter"
	"slices"
	"time"
)

// A Worked is a session with its totals, and what it worked on.
type Worked struct {
	Project      string
	Agent        string   // the coding agent
	Branch       string   // the last one that it was on, "" for none
	PullRequests []string // addresses
	End          time.Time
	Totals       Totals
}

// A Subtotal has the totals of the sessions of one branch, pull request or coding agent.
type Subtotal struct {
	Name     string // "" for the sessions without one
	Project  string // of the first of them
	Sessions []int  // their indexes in the list
	End      time.Time
	Totals   Totals
}

// ByBranch sums sessions by branch, most recently ended first. Branches of different projects are different.
func ByBranch(sessions iter.Seq[Worked]) []Subtotal {
	return subtotals(sessions, func(s *Worked) []subtotalKey { return []subtotalKey{{s.Branch, s.Project}} })
}

// ByPullRequest sums sessions by pull request, in the same order. A session counts for each of its pull requests, so
// the sums may add up to more than was spent.
func ByPullRequest(sessions iter.Seq[Worked]) []Subtotal {
	return subtotals(sessions, func(s *Worked) []subtotalKey {
		if len(s.PullRequests) == 0 {
			return []subtotalKey{{"", s.Project}}
		}
		keys := make([]subtotalKey, len(s.PullRequests))
		for i, address := range s.PullRequests {
			keys[i].name = address
		}
		return keys
	})
}

// ByAgent sums sessions by coding agent, in the same order.
func ByAgent(sessions iter.Seq[Worked]) []Subtotal {
	return subtotals(sessions, func(s *Worked) []subtotalKey { return []subtotalKey{{s.Agent, ""}} })
}

type subtotalKey struct{ name, project string }

func subtotals(sessions iter.Seq[Worked], keysOf func(*Worked) []subtotalKey) []Subtotal {
	var all []Subtotal
	places := make(map[subtotalKey]int)
	i := -1
	for one := range sessions {
		i++
		s := &one
		for _, key := range keysOf(s) {
			at, known := places[key]
			if !known {
				at = len(all)
				places[key] = at
				all = append(all, Subtotal{Name: key.name, Project: s.Project})
			}
			sum := &all[at]
			sum.Sessions = append(sum.Sessions, i)
			sum.Totals.Accumulate(s.Totals)
			if s.End.After(sum.End) {
				sum.End = s.End
			}
		}
	}
	slices.SortStableFunc(all, func(a, b Subtotal) int { return b.End.Compare(a.End) })
	return all
}
