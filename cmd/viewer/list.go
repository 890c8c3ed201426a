package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"viewer/sitegen"
	"viewer/words"
)

type listFlags struct {
	filterFlags
	asJSON  bool
	limit   int
	pricing string
}

func newList(u *ui) *cobra.Command {
	var f listFlags
	c := &cobra.Command{
		Use:   "list [SOURCE...]",
		Short: "List sessions, the newest first",
		Long: `list prints the sessions of the sources, the newest first: id, when it began,
prompts, tokens, cost, project and title. The id is what other commands take.

Times are those of this machine; with --json they are UTC. Cost is what the log
says, else the list price of the tokens.`,
		Example: `  viewer list --limit 10
  viewer list --since "2 days ago" --project 'ledger-*'
  viewer list ~/.claude/projects --json | jq -r '.[].id'`,
		RunE: func(c *cobra.Command, args []string) error { return list(c.Context(), u, f, args) },
	}
	c.Flags().BoolVar(&f.asJSON, "json", false, "print JSON")
	c.Flags().IntVarP(&f.limit, "limit", "n", 0, "print at most `N` sessions; 0 prints all")
	c.Flags().StringVar(&f.pricing, "pricing", "", "read the prices of models from `FILE`, instead of the list prices")
	f.add(c)
	return c
}

func list(ctx context.Context, u *ui, f listFlags, sources []string) error {
	if f.limit < 0 {
		return usagef("--limit: there is no list of %d sessions", f.limit)
	}
	filter, err := f.filter()
	if err != nil {
		return err
	}
	if len(sources) == 0 {
		sources = []string{sitegen.DefaultSource()}
	}
	sessions, err := sitegen.List(ctx, sitegen.Options{Sources: sources, Filter: filter, Pricing: f.pricing, Version: version, Fault: u.leftOut}, f.limit)
	if err != nil {
		return err
	}
	if f.asJSON {
		return listJSON(u, sessions)
	}
	w := tabwriter.NewWriter(u.out, 0, 0, 2, ' ', 0)
	for i, s := range sessions {
		if i == 0 {
			fmt.Fprintln(w, "ID\tBEGAN\tPROMPTS\tTOKENS\tCOST\tPROJECT\tTITLE")
		}
		began := ""
		if !s.Start.IsZero() {
			began = s.Start.Local().Format("2006-01-02 15:04")
		}
		cost := ""
		if c := s.Totals.Cost.Total(); c > 0 {
			cost = words.Dollars(c.Dollars())
		}
		fmt.Fprintf(w, "%s\t%s\t%d\t%s\t%s\t%s\t%s\n", word(s.ID), began, s.Totals.Prompts, words.Short(s.Totals.Tokens()), cost, word(s.Project), word(s.Title))
	}
	return w.Flush()
}

// word is text of a log that is printed into a table: on one line, and without
// what a terminal would obey.
func word(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < ' ' || 0x7f <= r && r < 0xa0 {
			return ' '
		}
		return r
	}, s)
	return strings.Join(strings.Fields(s), " ")
}

// listed is what list --json prints of a session.
type listed struct {
	ID      string      `json:"id"`
	Title   string      `json:"title"`
	Project string      `json:"project"`
	CWD     string      `json:"cwd,omitempty"`
	File    string      `json:"file"`
	Branch  string      `json:"branch,omitempty"`
	Start   string      `json:"start,omitempty"`
	End     string      `json:"end,omitempty"`
	Models  []string    `json:"models"`
	Prompts int         `json:"prompts"`
	Calls   int         `json:"calls"`
	Failed  int         `json:"failed"`
	Agents  int         `json:"agents"`
	Tokens  listedUsage `json:"tokens"`
	CostUSD float64     `json:"costUSD"`
	List    bool        `json:"listPrice"` // some of the cost is a list price
}

type listedUsage struct {
	Input      int64 `json:"input"`
	Output     int64 `json:"output"`
	CacheRead  int64 `json:"cacheRead"`
	CacheWrite int64 `json:"cacheWrite"`
}

func listJSON(u *ui, sessions []sitegen.Listed) error {
	all := make([]listed, 0, len(sessions))
	utc := func(t time.Time) string {
		if t.IsZero() {
			return ""
		}
		return t.UTC().Format(time.RFC3339)
	}
	for _, s := range sessions {
		t := s.Totals
		all = append(all, listed{
			s.ID, s.Title, s.Project, s.CWD, s.File, s.Branch, utc(s.Start), utc(s.End), append([]string{}, s.Models...),
			t.Prompts, t.Tools, t.Failed, t.Agents, listedUsage{t.Usage.Input, t.Usage.Output, t.Usage.CacheRead, t.Usage.CacheWrite},
			t.Cost.Total().Dollars(), t.Cost.List > 0,
		})
	}
	data, err := json.MarshalIndent(all, "", " ")
	if err != nil {
		return fmt.Errorf("printing the list: %w", err)
	}
	u.print("%s\n", data)
	return nil
}
