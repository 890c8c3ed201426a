package main

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"viewer/internal/failure"
	"viewer/internal/sitegen"
)

func newOpen(u *ui) *cobra.Command {
	var f siteFlags
	var sources []string
	c := &cobra.Command{
		Use:   "open SESSION",
		Short: "Open a session in the browser",
		Long: `open builds the pages of one session in your cache folder, opens them in the browser and
prints their path. SESSION is a file, an id or the beginning of one; viewer list
prints the ids. Pages that are up to date are not built again. To follow running
sessions, use viewer serve.`,
		Example: `  viewer open ab12
  viewer open session.jsonl`,
		Args:              oneSession,
		ValidArgsFunction: completeSession,
		RunE: func(c *cobra.Command, args []string) error {
			return openSession(c.Context(), u, f, sources, args[0])
		},
	}
	addSource(c, &sources)
	f.redactFlags.add(c)
	addPersonal(c, &f.personal)
	addPricing(c, &f.pricing)
	return c
}

func openSession(ctx context.Context, u *ui, f siteFlags, sources []string, name string) error {
	file, err := sitegen.Locate(ctx, sitegen.Options{Sources: sources}, name)
	if err != nil {
		return err
	}
	serve := serveFlags{siteFlags: f}
	serve.prune = true // the site is only for this session
	const hint = "set HOME, or XDG_CACHE_HOME, to a folder that can be written to"
	if f.out, err = serve.cacheFolder([]string{file}, hint); err != nil {
		return err
	}
	f.prune = true
	o, err := f.options([]string{file})
	if err != nil {
		return err
	}
	p := newProgress(u)
	o.Progress = p.update
	report, err := sitegen.Build(ctx, o)
	p.done()
	if err != nil {
		return err
	}
	if u.verbose {
		summarize(u, report)
	} else {
		for _, fault := range report.Faults() {
			u.fault("%s", fault)
		}
	}
	page := filepath.Join(f.out, "index.html")
	if pages, err := filepath.Glob(filepath.Join(f.out, "s", "*", "index.html")); err == nil && len(pages) == 1 {
		page = pages[0]
	}
	u.print("%s\n", page)
	if err := openBrowser(page); err != nil {
		return &failure.Error{
			Err: fmt.Errorf("opening a browser: %w", failure.Cause(err)), Hint: "open the page by hand: " + page,
		}
	}
	return nil
}

// oneSession checks the arguments of commands about one session.
func oneSession(c *cobra.Command, args []string) error {
	if len(args) != 1 {
		return usagef("viewer %s takes one session, not %d", c.Name(), len(args))
	}
	return nil
}
