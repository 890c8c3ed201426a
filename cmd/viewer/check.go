package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"viewer/internal/console"
	"viewer/internal/export"
	"viewer/internal/sitegen"
	"viewer/internal/stats"
)

type checkFlags struct {
	filterFlags
	redactFlags
	asJSON, strict bool
	pricing        string
}

func newCheck(u *ui) *cobra.Command {
	var f checkFlags
	c := &cobra.Command{
		Use:   "check [SOURCE...]",
		Short: "Count what session logs contain, and list what could not be read",
		Long: `check reads session logs like build, and writes nothing. It counts the kinds of
records, the records of unknown kinds, the hidden records by rule, the calls, results
and agents without a counterpart, and what would be redacted. It lists every problem
with file and line. The source - is standard input.`,
		Example: `  viewer check ~/.claude/projects
  viewer check ab12.jsonl --json`,
		RunE: func(c *cobra.Command, args []string) error { return check(c.Context(), u, f, args) },
	}
	addPricing(c, &f.pricing)
	addJSON(c, &f.asJSON)
	c.Flags().BoolVar(&f.strict, "strict", false, "exit with 3 if there is a problem")
	f.filterFlags.add(c)
	f.redactFlags.add(c)
	return c
}

func check(ctx context.Context, u *ui, f checkFlags, sources []string) error {
	filter, err := f.filter()
	if err != nil {
		return err
	}
	in, err := readInput(ctx, u, sources)
	if err != nil {
		return err
	}
	defer in.drop()
	o := sitegen.Options{
		Sources: in.files, Filter: filter, Pricing: f.pricing, Redaction: f.redaction(), Version: version,
		Unread: u.unread,
	}
	if f.asJSON {
		o.Names = sitegen.Exact
	}
	r, err := sitegen.Check(ctx, o)
	if err != nil {
		return in.named(err)
	}
	if f.asJSON {
		err = printJSON(u, r)
	} else {
		printLedger(u, r)
	}
	for _, p := range r.Faults() {
		u.fault("%s", p)
	}
	if err != nil {
		return err
	}
	return strictly(r, f.strict)
}

func printLedger(u *ui, r sitegen.Report) {
	l := r.Ledger
	u.table("", []count{
		{"sessions", r.Sessions}, {"empty sessions", r.Empty}, {"sessions without a prompt", l.Promptless},
		{"sessions whose log is missing", l.LogMissing}, {"files", l.Files},
		{"records read", l.Read}, {"drawn", l.Drawn}, {"drawn without knowing more", l.Generics()},
		{"left out by a rule", l.Hiddens()},
		{"could not be read", l.Lost}, {"missing from the pages", l.Missed},
		{"results without a call", l.Orphans}, {"calls without a result", l.Unanswered},
		{"agents without a call", l.Loose},
	})
	if len(r.Agents) > 1 {
		u.table("sessions by coding agent", byCount(r.Agents))
	}
	u.table("drawn without knowing more", byCount(l.Generic))
	u.table("left out by rule", byCount(l.Hidden))
	u.table("redacted", byCount(l.Redacted))
	u.table("kinds", byCount(l.Kinds))
	newTokens := func(m stats.Model) int64 { return m.Usage.Context() + m.Usage.Output - m.Usage.CacheRead }
	u.table("tokens by model", byCount(tokens(r.Totals, newTokens)))
	u.table("tokens from cache", byCount(tokens(r.Totals, func(m stats.Model) int64 { return m.Usage.CacheRead })))
	u.table("tokens without a price", byCount(tokens(r.Totals, func(m stats.Model) int64 { return m.Cost.Unpriced })))
	u.table("tokens of empty sessions, in addition", byCount(tokens(r.EmptyTotals, newTokens)))
	if len(r.Problems) > 0 {
		u.print("\nproblems\n")
		for _, p := range r.Problems {
			u.print("  %s\n", console.Line(p.String()))
		}
	}
}

// tokens returns the tokens of each model.
func tokens(t stats.Totals, count func(stats.Model) int64) map[string]int {
	all := make(map[string]int)
	for _, m := range t.Models {
		if n := count(m); n > 0 {
			all[cmp.Or(m.Name, "no model named")] = int(n)
		}
	}
	return all
}

// counts returns an object in JSON, even if it is empty.
func counts(m map[string]int) map[string]int {
	if m == nil {
		return map[string]int{}
	}
	return m
}

// A count is one line of a table.
type count struct {
	name string
	n    int
}

// byCount sorts by number, the largest first, then by name.
func byCount(m map[string]int) []count {
	var all []count
	for name, n := range m {
		all = append(all, count{name, n})
	}
	slices.SortFunc(all, func(a, b count) int { return cmp.Or(cmp.Compare(b.n, a.n), cmp.Compare(a.name, b.name)) })
	return all
}

// A checked is the output of check --json.
type checked struct {
	Schema  string `json:"schema"`
	Version int    `json:"version"`

	Sessions   int `json:"sessions"`
	Empty      int `json:"sessionsEmpty"`
	Promptless int `json:"sessionsWithoutPrompt"`
	LogMissing int `json:"sessionsWithoutLog"`
	Files      int `json:"logFiles"`
	Read       int `json:"recordsRead"`
	Drawn      int `json:"recordsDrawn"`
	Lost       int `json:"recordsLost"`
	Missed     int `json:"recordsMissing"`
	Orphans    int `json:"resultsWithoutCall"`
	Unanswered int `json:"callsWithoutResult"`
	Loose      int `json:"agentsWithoutCall"`

	Generic  map[string]int `json:"generic"`
	Hidden   map[string]int `json:"hidden"`
	Redacted map[string]int `json:"redacted"`
	Kinds    map[string]int `json:"kinds"`

	Tokens      export.Tokens    `json:"tokens"` // of the sessions that are not empty, as in lists
	EmptyTokens export.Tokens    `json:"tokensOfEmpty"`
	ByModel     []export.ByModel `json:"byModel"`
	export.Spent
	Problems []export.Problem `json:"problems"`
}

// checkVersion is incremented when a member of the JSON is changed or removed.
const checkVersion = 2

func printJSON(u *ui, r sitegen.Report) error {
	l := r.Ledger
	c := checked{
		"viewer/check", checkVersion,
		r.Sessions, r.Empty, l.Promptless, l.LogMissing, l.Files, l.Read, l.Drawn, l.Lost, l.Missed, l.Orphans,
		l.Unanswered, l.Loose,
		counts(l.Generic), counts(l.Hidden), counts(l.Redacted), counts(l.Kinds),
		export.TokensOf(r.Totals.Usage), export.TokensOf(r.EmptyTotals.Usage), export.ByModels(r.Totals),
		export.SpentOn(r.Totals),
		export.Problems(r.Problems),
	}
	if err := u.printJSON(c, "  "); err != nil {
		return fmt.Errorf("printing the counts: %w", err)
	}
	return nil
}
