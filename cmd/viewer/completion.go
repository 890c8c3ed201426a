package main

import (
	"context"

	"github.com/spf13/cobra"

	"viewer/internal/sitegen"
)

// completeIDs lists the sessions of the sources on the command line, or of the usual ones.
func completeIDs(c *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	sources, _ := c.Flags().GetStringArray("source") // of commands that have this flag
	if len(sources) == 0 && c.Name() != "export" {
		sources = args
	}
	return sessionIDs(c.Context(), sources), cobra.ShellCompDirectiveNoFileComp
}

// completeSession completes the argument of export: an id or a file.
func completeSession(c *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	sources, _ := c.Flags().GetStringArray("source")
	return sessionIDs(c.Context(), sources), cobra.ShellCompDirectiveDefault
}

func sessionIDs(ctx context.Context, sources []string) []string {
	if ctx == nil {
		ctx = context.Background()
	}
	var all []string
	for _, s := range sitegen.IDs(ctx, sources) {
		all = append(all, cobra.CompletionWithDesc(s[0], s[1]))
	}
	return all
}
