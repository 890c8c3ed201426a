package main

import (
	"fmt"

	"github.com/spf13/cobra"
)

func newRoot(u *ui) *cobra.Command {
	root := &cobra.Command{
		Use:   "viewer",
		Short: "Read Claude Code sessions in a browser",
		Long: `viewer turns Claude Code session logs into a static site that opens from a
double-clicked file: prompts, answers, every tool call with its hooks and its
result, and an honest account of every line.`,
		Example: `  viewer build                              all your sessions, into site/
  viewer build ~/.claude/projects -o site   the same, said in full
  viewer build session.jsonl -o out         one session`,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usageError{fmt.Errorf("there is no command %q", args[0])}
			}
			return nil
		},
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	root.SetOut(u.out)
	root.SetErr(u.err)
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usageError{err} })
	root.PersistentFlags().BoolVarP(&u.quiet, "quiet", "q", false, "say nothing but errors and warnings")
	root.AddCommand(newBuild(u), newWatch(u), newServe(u), newCheck(u), newExport(u), newList(u), newReport(u), newVersion(u))
	return root
}

func noArgs(c *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usageError{fmt.Errorf("viewer %s takes no arguments", c.Name())}
	}
	return nil
}
