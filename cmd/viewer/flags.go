package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"viewer/internal/sitegen"
	"viewer/internal/words"
)

// Flags that several commands have.

func addJSON(c *cobra.Command, to *bool) { c.Flags().BoolVar(to, "json", false, "print JSON") }

func addNoPager(c *cobra.Command, to *bool) {
	c.Flags().BoolVar(to, "no-pager", false, "do not use a pager")
}

func addNoSearch(c *cobra.Command, to *bool) {
	c.Flags().BoolVar(to, "no-search", false, "leave out the search index")
}

func addPersonal(c *cobra.Command, to *bool) {
	c.Flags().BoolVar(to, "personal", false,
		"also show account data: e-mail address, organization, remote control ids")
}

func addPricing(c *cobra.Command, to *string) {
	c.Flags().StringVar(to, "pricing", "", "read the prices of models from `FILE` instead of the list prices")
}

func addSource(c *cobra.Command, to *[]string) {
	c.Flags().StringArrayVar(to, "source", nil, "`FOLDER` with sessions, instead of the usual ones; may be repeated")
}

// listingFlags are the flags of commands that print facts of many sessions.
type listingFlags struct {
	filterFlags
	redactFlags
	asJSON        bool
	limit         int
	pricing, site string
}

func (f *listingFlags) add(c *cobra.Command, limit string) {
	addJSON(c, &f.asJSON)
	c.Flags().IntVarP(&f.limit, "limit", "n", 0, limit)
	addPricing(c, &f.pricing)
	c.Flags().StringVar(&f.site, "site", "site", "read facts about unchanged sessions from the site in `FOLDER`")
	f.filterFlags.add(c)
	f.redactFlags.add(c)
}

// check returns an error for a limit that is none.
func (f *listingFlags) check() error {
	if f.limit < 0 {
		return usagef("--limit %d is invalid: at least 0", f.limit)
	}
	return nil
}

// read lists the sessions of the sources, with the facts that sites have of unchanged ones. It is an error if there are
// none. more are the flags of the command that select sessions, "" for none.
func (f *listingFlags) read(ctx context.Context, u *ui, sources []string, l sitegen.ListOptions, more string) (
	[]sitegen.Listed, error) {
	filter, err := f.filter()
	if err != nil {
		return nil, err
	}
	in, err := readInput(ctx, u, sources)
	if err != nil {
		return nil, err
	}
	defer in.drop()
	l.Sites = []string{f.site}
	if served, err := (siteFlags{redactFlags: f.redactFlags, pricing: f.pricing}).cachePath(sources); err == nil {
		l.Sites = append(l.Sites, served)
	}
	sessions, known, err := sitegen.List(ctx, sitegen.Options{
		Sources: in.files, Filter: filter, Pricing: f.pricing, Redaction: f.redaction(), Version: version,
		Fault: u.leftOut, Unread: u.unread,
	}, l)
	err = in.named(err)
	if known > 0 {
		u.detail("%s known from a site", words.Plural(known, "session", "sessions"))
	}
	if err == nil && len(sessions) == 0 {
		err = noMatch(sources, strings.TrimSpace(filter.String()+" "+more))
	}
	return sessions, err
}
