package main

import (
	"cmp"
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"viewer/internal/listing"
	"viewer/internal/sitegen"
)

type insightsFlags struct {
	listingFlags
	by wordFlag
}

func newStats(u *ui) *cobra.Command {
	var f insightsFlags
	c := &cobra.Command{
		Use:   "stats [SOURCE...]",
		Short: "Add up sessions: cost, tokens, time, tools, failures, loops",
		Long: `stats adds up what sessions did: what they cost, which tools and commands failed, where
the time went, and which calls were repeated. It prints the figures of the page
"Insights" of a site, with exact numbers. docs/insights.md has the rules.

--by selects a table: day, week, month, project, model, agent, tool or branch. Days,
weeks and months are in UTC and count requests; projects, agents and branches count
whole sessions. A session counts for the last branch that it was on; branches of
different projects are different. --json prints everything for programs.`,
		Example: `  viewer stats --since "30 days ago"
  viewer stats --by week --project 'ledger-*'
  viewer stats --json | jq '.tools[] | select(.failed > 0)'`,
		RunE: func(c *cobra.Command, args []string) error { return printInsights(c.Context(), u, f, args) },
	}
	f.add(c, "print at most `N` rows of a table; 0 prints all, or 10 with --by all")
	addWord(c, &f.by, "by", listing.ByAll,
		[]string{listing.ByAll, listing.ByDay, listing.ByWeek, listing.ByMonth, listing.ByProject, listing.ByModel,
			listing.ByAgent, listing.ByTool, listing.ByBranch}, "groups to sum")
	return c
}

func printInsights(ctx context.Context, u *ui, f insightsFlags, sources []string) error {
	if err := f.check(); err != nil {
		return err
	}
	sessions, err := f.read(ctx, u, sources, sitegen.ListOptions{Insights: true}, "")
	x := listing.Count(sessions)
	asJSON := x.JSON
	if f.by.value != listing.ByAll {
		asJSON = func() any { return listing.SumsJSON(x.Sums(f.by.value)) }
	}
	if err != nil {
		return nothing(u, err, sources, f.asJSON, asJSON())
	}
	switch {
	case f.asJSON:
		err = u.printJSON(asJSON(), " ")
	case f.by.value == listing.ByAll:
		u.print("%s", x.Overview(cmp.Or(f.limit, 10)))
	default:
		all := x.Sums(f.by.value)
		if f.limit > 0 {
			all = all[:min(len(all), f.limit)]
		}
		u.print("%s", listing.SumTable(all, f.by.value, u.outColumns()))
	}
	if err != nil {
		return fmt.Errorf("printing the counts: %w", err)
	}
	return nil
}
