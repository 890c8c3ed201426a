package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"viewer/export"
	"viewer/sitegen"
)

type exportFlags struct {
	format, at, tools string
	sources           []string
	personal          bool
}

// formats are what export can write.
var formats = []string{"api"}

func newExport(u *ui) *cobra.Command {
	var f exportFlags
	c := &cobra.Command{
		Use:   "export SESSION",
		Short: "Print a session in a form for other programs",
		Long: `export prints one session. SESSION is a file, an id or the beginning of one.

The format api is what the model is sent: {"messages":[...]} as the Messages API
takes it, after all that the program drops, merges and turns into text. It is the
request that would follow the log, or with --at the one that a message came of.
MESSAGE is what the link to it ends in, a uuid or the id of an API message.

Agents are conversations of their own: give the file of one.`,
		Example: `  viewer export ab12 --format api
  viewer export session.jsonl --format api --at '#1f3c9a' > request.json`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usageError{fmt.Errorf("viewer export takes one session, not %d", len(args))}
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error { return exportSession(c.Context(), u, f, args[0]) },
	}
	c.Flags().StringVar(&f.format, "format", "", "what to print: "+strings.Join(formats, ", "))
	c.Flags().StringVar(&f.at, "at", "", "print the request that `MESSAGE` came of, or that carried it")
	c.Flags().StringVar(&f.tools, "tools", "", "`FILE` with the tools of the request, as JSON: references to others are left out")
	c.Flags().StringArrayVar(&f.sources, "source", nil, "`FOLDER` to look for the session in, instead of the usual one; may be repeated")
	c.Flags().BoolVar(&f.personal, "personal", false, "with account data: e-mail address, organization")
	return c
}

func exportSession(ctx context.Context, u *ui, f exportFlags, session string) error {
	if !slices.Contains(formats, f.format) {
		said := fmt.Errorf("there is no format %q", f.format)
		if f.format == "" {
			said = errors.New("no format is given")
		}
		return usageError{fmt.Errorf("%w; there is --format %s", said, strings.Join(formats, ", --format "))}
	}
	r := export.Request{At: f.at, Personal: f.personal}
	if f.tools != "" {
		var err error
		if r.Tools, err = sitegen.ToolNames(f.tools); err != nil {
			return err
		}
	}
	if len(f.sources) == 0 {
		f.sources = []string{sitegen.DefaultSource()}
	}
	c, err := sitegen.Open(ctx, f.sources, session, f.personal)
	if err != nil {
		return err
	}
	data, err := export.API(c, r)
	switch {
	case errors.Is(err, export.ErrNoMessage):
		return &sitegen.Error{Err: err, Hint: "a message is named by what its link on the page ends in, by its uuid or by the id of its API message"}
	case errors.Is(err, export.ErrTakenBack):
		return &sitegen.Error{Err: err, Hint: "only what counts is sent again: name a message of the attempt that stayed"}
	case err != nil:
		return fmt.Errorf("exporting %s: %w", session, err)
	}
	if n := len(c.Problems); n > 0 {
		u.warn("%s in %s: viewer check lists them", plural(n, "problem", "problems"), session)
	}
	u.print("%s", data)
	return nil
}
