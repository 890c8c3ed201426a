package main

import (
	"cmp"
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"viewer/internal/listing"
	"viewer/internal/sitegen"
	"viewer/internal/words"
)

type insightsFlags struct {
	filterFlags
	redactFlags
	asJSON        bool
	limit         int
	by            choice
	pricing, site string
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
whole sessions. --json prints everything for programs.`,
		Example: `  viewer stats --since "30 days ago"
  viewer stats --by week --project 'ledger-*'
  viewer stats --json | jq '.tools[] | select(.failed > 0)'`,
		RunE: func(c *cobra.Command, args []string) error { return printInsights(c.Context(), u, f, args) },
	}
	c.Flags().BoolVar(&f.asJSON, "json", false, "print JSON")
	c.Flags().IntVarP(&f.limit, "limit", "n", 0, "print at most `N` rows of a table; 0 prints all, or 10 with --by all")
	choose(c, &f.by, "by", listing.ByAll,
		[]string{listing.ByAll, listing.ByDay, listing.ByWeek, listing.ByMonth, listing.ByProject, listing.ByModel,
			listing.ByAgent, listing.ByTool, listing.ByBranch}, "groups to sum")
	c.Flags().StringVar(&f.pricing, "pricing", "", "read the prices of models from `FILE` instead of the list prices")
	c.Flags().StringVar(&f.site, "site", "site",
		"read facts about unchanged sessions from the site in `FOLDER`")
	f.filterFlags.add(c)
	f.redactFlags.add(c)
	return c
}

func printInsights(ctx context.Context, u *ui, f insightsFlags, sources []string) error {
	if f.limit < 0 {
		return usagef("--limit %d is invalid: at least 0", f.limit)
	}
	filter, err := f.filter()
	if err != nil {
		return err
	}
	in, err := readInput(ctx, u, sources)
	if err != nil {
		return err
	}
	defer in.drop()
	l := sitegen.Listing{Sites: []string{f.site}, Insights: true}
	if served, err := (siteFlags{redactFlags: f.redactFlags, pricing: f.pricing}).cachePath(sources); err == nil {
		l.Sites = append(l.Sites, served)
	}
	sessions, known, err := sitegen.List(ctx, sitegen.Options{
		Sources: in.files, Filter: filter, Pricing: f.pricing, Redaction: f.redaction(), Version: version,
		Fault: u.leftOut, Unread: u.unread,
	}, l)
	err = in.named(err)
	if known > 0 {
		u.detail("%s known from a site", words.Plural(known, "session", "sessions"))
	}
	if err == nil && len(sessions) == 0 {
		err = noMatch(sources, filter.String())
	}
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
