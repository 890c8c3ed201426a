package main

import (
	"cmp"

	"github.com/spf13/cobra"

	"viewer/internal/export"
	"viewer/internal/words"
)

func newShow(u *ui) *cobra.Command {
	var f exportFlags
	noPager := false
	c := &cobra.Command{
		Use:   "show SESSION",
		Short: "Show a session in the terminal",
		Long: `show prints one session as text: prompts, answers, and calls with their results.
SESSION is a file, an id or the beginning of one, or - for standard input. viewer list
prints the ids.

On a terminal the text has colours and is shown in a pager: $VIEWER_PAGER, otherwise
$PAGER, otherwise less.`,
		Example: `  viewer show ab12
  viewer show ab12 --level chat --turns 3-
  viewer list --limit 1 --json | jq -r '.[0].id' | xargs viewer show --no-pager`,
		Args:              oneSession,
		ValidArgsFunction: completeSession,
		RunE: func(c *cobra.Command, args []string) error {
			in, err := readInput(c.Context(), u, args)
			if err != nil {
				return err
			}
			defer in.drop()
			f.terminal = u.colors(u.out)
			text, problems, err := exportAs(c.Context(), f, "text", in.files[0])
			if err := exportError(args[0], in.named(err)); err != nil {
				return err
			}
			if problems > 0 {
				name := cmp.Or(in.kept[in.files[0]], args[0])
				u.warn("%s in %s: viewer check lists them", words.Plural(problems, "problem", "problems"), name)
			}
			if noPager {
				return u.printAll(text)
			}
			return u.page(text)
		},
	}
	f.level.former = export.FormerLevels
	addWord(c, &f.level, "level", export.Levels[export.Tools], export.Levels, "how much to show")
	f.addParts(c)
	addNoPager(c, &noPager)
	f.addSources(c)
	return c
}
