package main

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"viewer/internal/listing"
	"viewer/internal/sitegen"
)

type listFlags struct {
	listingFlags
	failed   bool
	sort, by wordFlag
	model    string
	minCost  float64
}

func newList(u *ui) *cobra.Command {
	var f listFlags
	c := &cobra.Command{
		Use:   "list [SOURCE...]",
		Short: "List sessions, the newest first",
		Long: `list prints sessions, the newest first: id, start, prompts, tokens, cost, project and
title. Tokens were processed for the first time; cached tokens are in a separate
column. Other commands accept the id. On a terminal ids are shortened, and titles are
cut to the width of the line. The source - is standard input.

Times are local; with --json they are UTC. The cost is the one in the log, otherwise
the list price of the tokens.

--by branch and --by pr sum up the sessions of each branch and each pull request. A
session counts for the last branch that it was on, and for each of its pull requests.
--by agent sums up the sessions of each coding agent. If there are several agents, the
list names the agent of each session.

For sessions that have not changed, list reads the facts in a site: the one in the
folder "site" (see --site), or the one that viewer serve keeps.`,
		Example: `  viewer list --limit 10
  viewer list --since "2 days ago" --project 'ledger-*'
  viewer list --since 2026-07 --sort cost --min-cost 1
  viewer list --by pr --sort cost
  viewer list ~/.claude/projects --json | jq -r '.[].id'`,
		RunE: func(c *cobra.Command, args []string) error { return list(c.Context(), u, f, args) },
	}
	f.add(c, "print at most `N` sessions; 0 prints all")
	addWord(c, &f.sort, "sort", byTime, []string{byTime, "cost", "tokens"},
		"order: the newest, the most expensive or those with the most new tokens first")
	addWord(c, &f.by, "by", listing.BySession, []string{listing.BySession, listing.ByBranch, listing.ByPullRequest,
		listing.ByAgent},
		"print a line for each session, or with the sums of each branch, pull request or coding agent")
	c.Flags().StringVar(&f.model, "model", "", "only sessions with a model whose name contains `WORD`")
	c.Flags().BoolVar(&f.failed, "failed", false, "only sessions in which a call failed")
	c.Flags().Float64Var(&f.minCost, "min-cost", 0, "only sessions that cost `DOLLARS` or more")
	return c
}

const byTime = "time"

func list(ctx context.Context, u *ui, f listFlags, sources []string) error {
	if err := f.check(); err != nil {
		return err
	}
	if f.minCost < 0 || math.IsNaN(f.minCost) {
		return usagef("--min-cost %v is invalid: at least 0", f.minCost)
	}
	l := sitegen.ListOptions{Limit: f.limit, Keep: f.keep(), By: f.order(), Net: f.asJSON}
	if f.by.value != listing.BySession { // the limit is of groups
		l.Limit, l.By = 0, nil
	}
	if f.by.value == listing.ByPullRequest {
		l.Git = sitegen.PullRequests
	}
	sessions, err := f.read(ctx, u, sources, l, f.String())
	if err != nil {
		return nothing(u, err, sources, f.asJSON, listing.JSON(nil))
	}
	switch {
	case f.by.value != listing.BySession:
		return f.groups(u, sessions)
	case f.asJSON:
		return printList(u, listing.JSON(sessions))
	}
	u.print("%s", listing.Table(sessions, u.outColumns()))
	return nil
}

// keep returns the function that applies the flags beside the filter, nil if none is set.
func (f *listFlags) keep() func(*sitegen.Listed) bool {
	if !f.failed && f.model == "" && f.minCost == 0 {
		return nil
	}
	model := strings.ToLower(f.model)
	return func(s *sitegen.Listed) bool {
		return (!f.failed || s.Totals.Failed > 0) && s.Totals.Cost.Total().Dollars() >= f.minCost &&
			(model == "" || slices.ContainsFunc(s.Models, func(name string) bool {
				return strings.Contains(strings.ToLower(name), model)
			}))
	}
}

// String returns these flags as they were given.
func (f *listFlags) String() string {
	var given []string
	if f.model != "" {
		given = append(given, "--model "+f.model)
	}
	if f.failed {
		given = append(given, "--failed")
	}
	if f.minCost > 0 {
		given = append(given, fmt.Sprintf("--min-cost %v", f.minCost))
	}
	return strings.Join(given, " ")
}

// order returns the selected order, nil for the newest first.
func (f *listFlags) order() func(a, b sitegen.Listed) int {
	switch f.sort.value {
	case "cost":
		return func(a, b sitegen.Listed) int { return cmp.Compare(b.Totals.Cost.Total(), a.Totals.Cost.Total()) }
	case "tokens":
		return func(a, b sitegen.Listed) int { return cmp.Compare(b.Totals.NewTokens(), a.Totals.NewTokens()) }
	}
	return nil
}

// groups lists branches, pull requests or coding agents.
func (f *listFlags) groups(u *ui, sessions []sitegen.Listed) error {
	all := listing.Groups(sessions, f.by.value)
	slices.SortStableFunc(all, func(a, b listing.Group) int {
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
		return printList(u, listing.GroupsJSON(all, f.by.value))
	}
	u.print("%s", listing.GroupTable(all, f.by.value, u.outColumns()))
	return nil
}

// printList prints a list as JSON.
func printList(u *ui, list any) error {
	if err := u.printJSON(list, " "); err != nil {
		return fmt.Errorf("printing the list: %w", err)
	}
	return nil
}
