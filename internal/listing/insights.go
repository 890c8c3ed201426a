package listing

import (
	"cmp"
	"fmt"
	"strings"

	"viewer/internal/console"
	"viewer/internal/export"
	"viewer/internal/insights"
	"viewer/internal/words"
)

// A countedKind describes how a kind of insights is printed.
type countedKind struct {
	kind        insights.Kind
	name, title string // in JSON, and of a table
	counted     string // what Count counts
}

var countedKinds = []countedKind{
	{insights.TimeSpent, "time", "WHERE TIME GOES", "sessions"},
	{insights.Tool, "tools", "TOOLS", "calls"},
	{insights.Command, "commands", "COMMANDS", "calls"},
	{insights.Mended, "mended", "HOW FAILED COMMANDS CAME TO SUCCEED", "times"},
	{insights.Hook, "hooks", "HOOKS", "runs"},
	{insights.Denied, "denied", "CALLS THAT WERE NOT ALLOWED", "calls"},
	{insights.Skill, "skills", "SKILLS", "calls"},
	{insights.Agent, "agents", "AGENTS", "calls"},
	{insights.Server, "servers", "MCP SERVERS", "calls"},
	{insights.Context, "context", "LARGEST CONTEXT", "sessions"},
	{insights.ContextAt, "contextAt", "MEAN CONTEXT BY THE NUMBER OF REQUESTS", "sessions"},
	{insights.ContextAdded, "contextAdded", "WHAT REQUESTS ADD TO THE CONTEXT", "requests"},
	{insights.Compaction, "compactions", "COMPACTIONS", "times"},
	{insights.Loop, "loops", "LOOPS", "calls"},
	{insights.ReadAgain, "readAgain", "FILES READ AGAIN AND AGAIN", "reads"},
	{insights.Unused, "unused", "FILES READ AND NOT NAMED AGAIN", "sessions"},
	{insights.Undone, "undone", "CHANGES THAT WERE UNDONE", "calls"},
	{insights.Interruption, "interruptions", "INTERRUPTIONS", "times"},
	{insights.Correction, "corrections", "CORRECTIONS", "times"},
	{insights.Hour, "hours", "PROMPTS BY HOUR, UTC", "prompts"},
}

// Overview returns all insights as text, with at most the given number of rows of each kind.
func (x *Counts) Overview(limit int) string {
	t := x.totals
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %s, %s, %s failed\n", words.Plural(len(x.sessions), "session", "sessions"),
		words.Plural(t.Prompts, "prompt", "prompts"), words.Plural(t.Tools, "call", "calls"), words.Count(t.Failed))
	fmt.Fprintf(&b, "%s new tokens, %s from the cache", words.Short(t.NewTokens()), words.Short(t.Usage.CacheRead))
	if c := costWords(t.Cost); c != "" {
		fmt.Fprintf(&b, ", %s", c)
	}
	fmt.Fprintf(&b, ", %s at work\n", cmp.Or(timeWords(t.Work), "0 s"))
	for _, k := range countedKinds {
		all := x.total.Of(k.kind)
		if len(all) == 0 {
			continue
		}
		fmt.Fprintf(&b, "\n%s (%s)\n", k.title, k.counted)
		for i, s := range all {
			tokens, mean := s.Tokens, ""
			switch k.kind {
			case insights.Compaction, insights.ContextAt, insights.ContextAdded:
				tokens, mean = tokens/int64(max(1, s.Count)), "mean "
			}
			if i == limit {
				fmt.Fprintf(&b, "  and %s more\n", words.Count(len(all)-i))
				break
			}
			name := cmp.Or(s.Name, "all others")
			if s.Detail != "" {
				name += ", " + s.Detail
			}
			failed, more := "", timeWords(s.Time)
			if s.Failed > 0 {
				failed = words.Count(s.Failed) + " failed"
			}
			if tokens > 0 {
				more = mean + words.Short(tokens)
			}
			fmt.Fprintf(&b, "%8s  %10s  %11s  %s\n", words.Count(s.Count), failed, more, console.Line(name))
		}
	}
	return b.String()
}

// A countedJSON is a row in the output of stats --json.
type countedJSON struct {
	Name     string         `json:"name"` // "" for the sum of all without a row of their own
	Detail   string         `json:"detail,omitempty"`
	Count    int            `json:"count"`
	Failed   int            `json:"failed"`
	Seconds  float64        `json:"seconds"`
	Tokens   int64          `json:"contextTokens,omitempty"` // sum of the contexts of what is counted
	Sessions int            `json:"sessions"`
	Places   []countedPlace `json:"places"`
}

// A countedPlace is a place in a session that is an example of a row.
type countedPlace struct {
	Session string `json:"session"`
	Page    string `json:"page,omitempty"` // below the folder of its pages in a site, with an anchor
}

type summedJSON struct {
	Name     string        `json:"name"`
	Project  string        `json:"project,omitempty"`
	Sessions int           `json:"sessions"`
	Calls    int           `json:"calls"`
	Failed   int           `json:"failed"`
	Seconds  float64       `json:"seconds"`
	Tokens   export.Tokens `json:"tokens"`
	export.Spent
}

// SumsJSON returns a list of sums for programs.
func SumsJSON(all []Sum) any {
	out := make([]summedJSON, 0, len(all))
	for _, s := range all {
		t := s.totals
		out = append(out, summedJSON{s.name, s.project, s.sessions, t.Tools, t.Failed, t.Work.Seconds(),
			export.TokensOf(t.Usage), export.SpentOn(t)})
	}
	return out
}

// JSON returns all insights for programs.
func (x *Counts) JSON() any {
	out := map[string]any{
		"sessions": len(x.sessions), "prompts": x.totals.Prompts, "calls": x.totals.Tools, "failed": x.totals.Failed,
		"seconds": x.totals.Work.Seconds(), "tokens": export.TokensOf(x.totals.Usage),
		"days": SumsJSON(x.Sums(ByDay)), "models": SumsJSON(x.Sums(ByModel)),
	}
	spent := export.SpentOn(x.totals)
	out["costUSD"], out["listPrice"] = spent.CostUSD, spent.ListPrice
	out["unpriced"], out["unpricedTokens"] = spent.Unpriced, spent.UnpricedTokens
	if len(spent.Credits) > 0 {
		out["credits"] = spent.Credits
	}
	for _, k := range countedKinds {
		all := []countedJSON{}
		for _, s := range x.total.Of(k.kind) {
			one := countedJSON{
				s.Name, s.Detail, s.Count, s.Failed, s.Time.Seconds(), s.Tokens, s.Sessions, []countedPlace{},
			}
			for _, p := range s.Places {
				one.Places = append(one.Places, countedPlace{x.sessions[p.Session].ID, p.At})
			}
			all = append(all, one)
		}
		out[k.name] = all
	}
	return out
}
