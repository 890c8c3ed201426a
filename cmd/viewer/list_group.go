package main

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strconv"

	"viewer/internal/console"
	"viewer/internal/export"
	"viewer/internal/sitegen"
	"viewer/internal/stats"
	"viewer/internal/words"
)

// Keys by which sessions are grouped.
const (
	bySession     = "session"
	byBranch      = "branch"
	byPullRequest = "pr"
	byAgent       = "agent"
)

// A group is a branch, a pull request or a coding agent with the ids of its sessions, the newest first.
type group struct {
	stats.Subtotal
	sessions []string
}

// groupsOf groups sessions.
func groupsOf(sessions []sitegen.Listed, by string) []group {
	worked := make([]stats.Worked, len(sessions))
	for i, s := range sessions {
		worked[i] = stats.Worked{
			Project: s.Project, Agent: s.Agent, Branch: s.Branch, PullRequests: s.PullRequests, End: s.End,
			Totals: s.Totals,
		}
	}
	sums := map[string]func(iter.Seq[stats.Worked]) []stats.Subtotal{
		byBranch: stats.ByBranch, byPullRequest: stats.ByPullRequest, byAgent: stats.ByAgent,
	}
	var all []group
	for _, sum := range sums[by](slices.Values(worked)) {
		g := group{Subtotal: sum}
		for _, i := range sum.Sessions {
			g.sessions = append(g.sessions, sessions[i].ID)
		}
		all = append(all, g)
	}
	return all
}

// groups lists branches, pull requests or coding agents.
func (f *listFlags) groups(u *ui, sessions []sitegen.Listed) error {
	all := groupsOf(sessions, f.by.value)
	slices.SortStableFunc(all, func(a, b group) int {
		switch f.sort.value {
		case "cost":
			return cmp.Compare(b.Totals.Cost.Total(), a.Totals.Cost.Total())
		case "tokens":
			return cmp.Compare(b.Totals.NewTokens(), a.Totals.NewTokens())
		}
		return 0 // the one that ended last first
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

// groupTable returns a list of groups as text.
func groupTable(all []group, by string, width int) string {
	title := map[string]string{byBranch: "BRANCH", byPullRequest: "PULL REQUEST", byAgent: "AGENT"}[by]
	rows := [][]string{{"LAST", "SESSIONS", "PROMPTS", "TOKENS", "CACHED", "COST", "PROJECT", title}}
	for _, g := range all {
		last, cost := "", ""
		if !g.End.IsZero() {
			last = g.End.Local().Format("2006-01-02 15:04")
		}
		if c := g.Totals.Cost.Total(); c > 0 {
			cost = words.Dollars(c.Dollars())
		}
		rows = append(rows, []string{
			last, words.Count(len(g.sessions)),
			strconv.Itoa(g.Totals.Prompts), words.Short(g.Totals.NewTokens()),
			words.Short(g.Totals.Usage.CacheRead), cost,
			console.Line(g.Project), console.Line(cmp.Or(g.Name, "none")),
		})
	}
	return table(rows, width)
}

// A listedGroup is a branch, a pull request or a coding agent in the output of list --by --json.
type listedGroup struct {
	Agent       string        `json:"agent,omitempty"`
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
		t := g.Totals
		one := listedGroup{
			Project: g.Project, Sessions: g.sessions, End: export.Stamp(g.End), Seconds: t.Time.Seconds(),
			Prompts: t.Prompts, Calls: t.Tools, Failed: t.Failed, Agents: t.Agents, Tokens: export.TokensOf(t.Usage),
			Spent: export.SpentOn(t),
		}
		switch by {
		case byAgent:
			one.Agent = g.Name
		case byPullRequest:
			one.PullRequest = g.Name
		default:
			one.Branch = g.Name
		}
		all = append(all, one)
	}
	if err := u.printJSON(all, " "); err != nil {
		return fmt.Errorf("printing the list: %w", err)
	}
	return nil
}
