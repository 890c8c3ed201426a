package main

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"viewer/internal/console"
	"viewer/internal/export"
	"viewer/internal/sitegen"
	"viewer/internal/words"
)

// What sessions are listed by.
const (
	bySession     = "session"
	byBranch      = "branch"
	byPullRequest = "pr"
)

// A group is what sessions of one branch or pull request came to.
type group struct {
	name     string // "" for the sessions without one
	project  string
	sessions []string       // ids, the newest first
	sum      sitegen.Listed // the totals and the end of all
}

// groupsOf puts sessions together. A session counts for the branch that it was on last, and for each of its pull
// requests. A branch belongs to its project.
func groupsOf(sessions []sitegen.Listed, by string) []group {
	var all []group
	places := make(map[[2]string]int)
	for _, s := range sessions {
		names := []string{s.Branch}
		if by == byPullRequest {
			if names = s.PullRequests; len(names) == 0 {
				names = []string{""}
			}
		}
		for _, name := range names {
			key := [2]string{name, s.Project}
			if by == byPullRequest && name != "" {
				key[1] = ""
			}
			at, known := places[key]
			if !known {
				at = len(all)
				places[key] = at
				all = append(all, group{name: name, project: s.Project})
			}
			g := &all[at]
			g.sessions = append(g.sessions, s.ID)
			g.sum.Totals = g.sum.Totals.Add(s.Totals)
			if s.End.After(g.sum.End) {
				g.sum.End = s.End
			}
		}
	}
	return all
}

// groups lists branches or pull requests.
func (f *listFlags) groups(u *ui, sessions []sitegen.Listed) error {
	all := groupsOf(sessions, f.by.value)
	slices.SortStableFunc(all, func(a, b group) int {
		newest := b.sum.End.Compare(a.sum.End)
		switch f.sort.value {
		case "cost":
			return cmp.Or(cmp.Compare(b.sum.Totals.Cost.Total(), a.sum.Totals.Cost.Total()), newest)
		case "tokens":
			return cmp.Or(cmp.Compare(b.sum.Totals.Tokens(), a.sum.Totals.Tokens()), newest)
		}
		return newest
	})
	if f.limit > 0 {
		all = all[:min(len(all), f.limit)]
	}
	if f.asJSON {
		return groupsJSON(u, all, f.by.value)
	}
	u.print("%s", groupTable(all, f.by.value, u.outColumns()))
	return nil
}

// groupTable is a list of groups as text.
func groupTable(all []group, by string, width int) string {
	title := "BRANCH"
	if by == byPullRequest {
		title = "PULL REQUEST"
	}
	rows := [][]string{{"LAST", "SESSIONS", "PROMPTS", "TOKENS", "COST", "PROJECT", title}}
	for _, g := range all {
		last, cost := "", ""
		if !g.sum.End.IsZero() {
			last = g.sum.End.Local().Format("2006-01-02 15:04")
		}
		if c := g.sum.Totals.Cost.Total(); c > 0 {
			cost = words.Dollars(c.Dollars())
		}
		rows = append(rows, []string{
			last, words.Count(len(g.sessions)),
			strconv.Itoa(g.sum.Totals.Prompts), words.Short(g.sum.Totals.Tokens()), cost,
			console.Line(g.project), console.Line(cmp.Or(g.name, "none")),
		})
	}
	return table(rows, width)
}

// listedGroup is what list --by --json prints of a branch or a pull request.
type listedGroup struct {
	Branch      string        `json:"branch,omitempty"`
	PullRequest string        `json:"pullRequest,omitempty"`
	Project     string        `json:"project"`
	Sessions    []string      `json:"sessions"` // ids
	End         string        `json:"end,omitempty"`
	Seconds     float64       `json:"seconds"`
	Prompts     int           `json:"prompts"`
	Calls       int           `json:"calls"`
	Failed      int           `json:"failed"`
	Agents      int           `json:"agents"`
	Tokens      export.Tokens `json:"tokens"`
	export.Spent
}

func groupsJSON(u *ui, groups []group, by string) error {
	all := make([]listedGroup, 0, len(groups))
	for _, g := range groups {
		t := g.sum.Totals
		one := listedGroup{
			Project: g.project, Sessions: g.sessions, End: export.Stamp(g.sum.End), Seconds: t.Time.Seconds(),
			Prompts: t.Prompts, Calls: t.Tools, Failed: t.Failed, Agents: t.Agents, Tokens: export.TokensOf(t.Usage),
			Spent: export.SpentOn(t),
		}
		if by == byPullRequest {
			one.PullRequest = g.name
		} else {
			one.Branch = g.name
		}
		all = append(all, one)
	}
	if err := u.printJSON(all, " "); err != nil {
		return fmt.Errorf("printing the list: %w", err)
	}
	return nil
}
