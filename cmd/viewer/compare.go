package main

import (
	"context"
	"os"

	"github.com/spf13/cobra"

	"viewer/internal/compare"
	"viewer/internal/runs"
	"viewer/internal/sitegen"
	"viewer/internal/words"
)

type compareFlags struct {
	redactFlags
	matrixFlags
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
		Use:   "compare RUN RUN... | --matrix FOLDER...",
		Short: "Compare runs side by side: where they differ, what each did, changed and cost",
		Long: `compare builds a site of two to eight runs with a page that shows them side by side. A
RUN is a session file, an id or the beginning of one, or a folder that contains a run.

The page shows how each run ended, what it cost, how long it took and which files it
changed; where the runs first part; what only one of them did; and all steps, aligned:
prompts by their text, calls by their subject. Runs of different agents and models can
be compared. Each step links to its place in the session.

Two or more folders with several runs each are compared task by task. --matrix makes a
table of many runs: tasks by models, or with --by by agents, prompts or sources. A cell
has the result of a run, its cost and its turns, and links to the run. A task links to
its runs side by side.

The result of a run comes from result.json of Harbor, a report of SWE-bench or JUnit XML
next to the runs, or from a file that --verdicts names: one of these, or lines of a name
and an exit code, where the name is a task, a session or a path. Otherwise it is the one
in the log. A task has the name in these files, otherwise that of its first prompt;
with --rows folder it is the first folder below FOLDER.`,
		Example: `  viewer compare ab12 cd34 -o comparison
  viewer compare sonnet/run.jsonl opus/run.jsonl codex/rollout.jsonl
  viewer compare before/ after/
  viewer compare --matrix jobs/ -o matrix
  viewer compare --matrix runs/ --by agent --rows folder --verdicts codes.txt`,
		ValidArgsFunction: completeSession,
		RunE:              func(c *cobra.Command, args []string) error { return compareRuns(c.Context(), u, f, args) },
	}
	c.Flags().StringVarP(&f.out, "output", "o", "comparison", "folder to write the site to")
	addSource(c, &f.sources)
	c.Flags().BoolVar(&f.force, "force", false, "build into a folder that has other files, and draw everything again")
	addNoSearch(c, &f.noSearch)
	addPersonal(c, &f.personal)
	addPricing(c, &f.pricing)
	f.matrixFlags.add(c, "make a table of many runs")
	f.redactFlags.add(c)
	return c
}

func compareRuns(ctx context.Context, u *ui, f compareFlags, args []string) error {
	if len(args) == 0 {
		return usagef("viewer compare needs two or more runs, or a folder of many with --matrix")
	}
	if err := f.matrixFlags.check(u); err != nil {
		return err
	}
	if f.out == "" {
		return usagef("-o is empty: name the folder of the comparison")
	}
	if err := checkFolder(f.out, "a comparison is the site of its runs"); err != nil {
		return err
	}
	o := sitegen.Options{
		Out: f.out, Force: f.force, Personal: f.personal, Pricing: f.pricing, NoSearch: f.noSearch,
		Redaction: f.redaction(), Version: version, Fault: u.leftOut, Unread: u.unread,
		Prune: true, // the folder is only for this comparison
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
	read, err := runs.Read(ctx, o, f.verdicts)
	if err != nil {
		return err
	}
	defer read.Close()
	var shown *compare.Comparison
	switch columns := compare.Axis(f.by.value); {
	case f.matrix:
		shown = read.Matrix(columns, compare.Axis(f.rows.value))
	case ofFolders(o.Sources, read.Runs):
		shown = read.Matrix(compare.BySource, compare.ByTask)
	default:
		if shown, err = read.SideBySide(); err != nil {
			return err
		}
	}
	report, err := runs.Build(ctx, o, read, shown)
	if err != nil {
		return err
	}
	for _, p := range report.Faults() {
		u.fault("%s", p)
	}
	if m := shown.Matrix; m != nil {
		u.line("%s: %s by %s", words.Plural(len(read.Runs), "run", "runs"),
			words.Plural(len(m.Tasks), "task", "tasks"), words.Plural(len(m.Columns), string(m.By), string(m.By)+"s"))
	} else {
		u.line("%s: %s", words.Plural(len(read.Runs), "run", "runs"), partingWords(shown))
	}
	u.open(f.out, "compare.html")
	return nil
}

// ofFolders reports whether two or more folders were given and one of them has several runs. Then the folders have runs
// of the same tasks.
func ofFolders(sources []string, runs []compare.Run) bool {
	count := make(map[string]int)
	several := false
	for i := range runs {
		count[runs[i].Source]++
		several = several || count[runs[i].Source] > 1
	}
	return several && len(sources) > 1 && len(count) > 1
}

// partingWords returns one line about where runs part.
func partingWords(c *compare.Comparison) string {
	whole := make([]compare.Run, len(c.Runs))
	for i := range whole {
		whole[i] = c.Load(i)
	}
	all := compare.Partings(whole)
	if len(all) == 0 {
		return "the same steps from beginning to end"
	}
	return "part at step " + words.Count(all[0].After+1)
}
