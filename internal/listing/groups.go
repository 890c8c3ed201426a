package listing

import (
	"cmp"
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
	BySession     = "session"
	ByBranch      = "branch"
	ByPullRequest = "pr"
	ByAgent       = "agent"
)

// A Group is a branch, a pull request or a coding agent with the ids of its sessions, the newest first.
type Group struct {
	stats.Subtotal
	sessions []string
	projects int // how many projects the sessions are of
}

// Groups groups sessions.
func Groups(sessions []sitegen.Listed, by string) []Group {
	worked := make([]stats.Worked, len(sessions))
	for i, s := range sessions {
		worked[i] = stats.Worked{
			Project: s.Project, Agent: s.Agent, Branch: s.Branch, PullRequests: s.PullRequests, End: s.End,
			Totals: s.Totals,
		}
	}
	sums := map[string]func(iter.Seq[stats.Worked]) []stats.Subtotal{
		ByBranch: stats.ByBranch, ByPullRequest: stats.ByPullRequest, ByAgent: stats.ByAgent,
	}
	var all []Group
	for _, sum := range sums[by](slices.Values(worked)) {
		g := Group{Subtotal: sum}
		projects := make(map[string]bool)
		for _, i := range sum.Sessions {
			g.sessions = append(g.sessions, sessions[i].ID)
			projects[sessions[i].Project] = true
		}
		g.projects = len(projects)
		all = append(all, g)
	}
	return all
}

// GroupTable returns a list of groups as text.
func GroupTable(all []Group, by string, width int) string {
	title := map[string]string{ByBranch: "BRANCH", ByPullRequest: "PULL REQUEST", ByAgent: "AGENT"}[by]
	rows := [][]string{{"LAST", "SESSIONS", "PROMPTS", "TOKENS", "CACHED", "COST", "PROJECT", title}}
	for _, g := range all {
		last, cost, project := "", "", console.Line(g.Project)
		if !g.End.IsZero() {
			last = g.End.Local().Format("2006-01-02 15:04")
		}
		if c := g.Totals.Cost.Total(); c > 0 {
			cost = words.Dollars(c.Dollars())
		}
		if g.projects > 1 {
			project = words.Count(g.projects) + " projects"
		}
		rows = append(rows, []string{
			last, words.Count(len(g.sessions)),
			strconv.Itoa(g.Totals.Prompts), words.Short(g.Totals.NewTokens()),
			words.Short(g.Totals.Usage.CacheRead), cost,
			project, console.Line(cmp.Or(g.Name, "none")),
		})
	}
	return align(rows, width)
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

// GroupsJSON returns a list of groups for programs.
func GroupsJSON(groups []Group, by string) any {
	all := make([]listedGroup, 0, len(groups))
	for _, g := range groups {
		t := g.Totals
		one := listedGroup{
			Project: g.Project, Sessions: g.sessions, End: export.Stamp(g.End), Seconds: t.Time.Seconds(),
			Prompts: t.Prompts, Calls: t.Tools, Failed: t.Failed, Agents: t.Agents, Tokens: export.TokensOf(t.Usage),
			Spent: export.SpentOn(t),
		}
		switch by {
		case ByAgent:
			one.Agent = g.Name
		case ByPullRequest:
			one.PullRequest = g.Name
		default:
			one.Branch = g.Name
		}
		all = append(all, one)
	}
	return all
}
