package main

import (
	"context"
	"os"

	"github.com/spf13/cobra"

	"viewer/internal/compare"
	"viewer/internal/sitegen"
	"viewer/internal/words"
)

type compareFlags struct {
	redactFlags
	sources  []string
	out      string
	force    bool
	personal bool
	noSearch bool
	pricing  string
}

func newCompare(u *ui) *cobra.Command {
	var f compareFlags
	c := &cobra.Command{
		Use:   "compare RUN RUN...",
		Short: "Set runs side by side: where they part, what each did, changed and cost",
		Long: `compare builds a site of two to eight runs with a page that sets them side by side.
A RUN is a session file, an id or the beginning of one, or a folder that holds a run.

The page tells how each ended, what it cost and took, and which files it changed;
where the runs first part; what one did and no other; and all steps, aligned: prompts
by their text, calls by what they are about. Runs of different agents and models can
be compared. Each step leads to its place in the session.`,
		Example: `  viewer compare ab12 cd34 -o comparison
  viewer compare sonnet/run.jsonl opus/run.jsonl codex/rollout.jsonl`,
		ValidArgsFunction: completeSession,
		RunE:              func(c *cobra.Command, args []string) error { return compareRuns(c.Context(), u, f, args) },
	}
	c.Flags().StringVarP(&f.out, "output", "o", "comparison", "folder to write the site to")
	c.Flags().StringArrayVar(&f.sources, "source", nil,
		"`FOLDER` to look for ids in, instead of the usual ones; may be repeated")
	c.Flags().BoolVar(&f.force, "force", false, "build into a folder that holds other files, and draw everything again")
	c.Flags().BoolVar(&f.noSearch, "no-search", false, "leave out the index for searches over all sessions")
	c.Flags().BoolVar(&f.personal, "personal", false,
		"show account data too: e-mail address, organization, remote control ids")
	c.Flags().StringVar(&f.pricing, "pricing", "", "read the prices of models from `FILE`, instead of the list prices")
	f.redactFlags.add(c)
	return c
}

func compareRuns(ctx context.Context, u *ui, f compareFlags, args []string) error {
	if len(args) == 0 {
		return usagef("viewer compare needs two or more runs")
	}
	if err := checkFolder(f.out, "a comparison is the site of its runs"); err != nil {
		return err
	}
	o := sitegen.Options{
		Out: f.out, Force: f.force, Personal: f.personal, Pricing: f.pricing, NoSearch: f.noSearch,
		Redaction: f.redaction(), Version: version, Fault: u.leftOut, Unread: u.unread,
		Prune: true, // the folder is of this comparison
	}
	for _, arg := range args {
		if _, err := os.Stat(arg); err != nil {
			where := o
			where.Sources = f.sources
			if arg, err = sitegen.Locate(ctx, where, arg); err != nil {
				return err
			}
		}
		o.Sources = append(o.Sources, arg)
	}
	runs, err := sitegen.ReadRuns(ctx, o)
	if err != nil {
		return err
	}
	if o.Compare, err = sitegen.SideBySide(runs); err != nil {
		return err
	}
	report, err := sitegen.Build(ctx, o)
	if err != nil {
		return err
	}
	for _, p := range report.Faults() {
		u.fault("%s", p)
	}
	u.line("%s: %s", words.Plural(len(runs), "run", "runs"), partingWords(runs))
	u.line("open %s/compare.html", f.out)
	return nil
}

// partingWords say in a line where runs part.
func partingWords(runs []compare.Run) string {
	all := compare.Partings(runs)
	if len(all) == 0 {
		return "the same steps from beginning to end"
	}
	return "part at step " + words.Count(all[0].After+1)
}
