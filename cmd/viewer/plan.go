package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"viewer/internal/sitegen"
	"viewer/internal/storage"
	"viewer/internal/words"
)

type planFlags struct {
	siteFlags
	shards int
	facts  string
}

func newPlan(u *ui) *cobra.Command {
	var f planFlags
	c := &cobra.Command{
		Use:   "plan [SOURCE...]",
		Short: "Divide the build of a site among many machines",
		Long: `plan lists the sources once, and writes into the folder of the site which session
belongs to which shard. viewer build --shard then builds the shards, and viewer merge
makes a site of them. Give plan and each shard the same flags. An existing site stays
as it is until the merge.`,
		Example: `  viewer plan ~/.claude/projects -o site --shards 2
  viewer build ~/.claude/projects -o site --shard 0/2
  viewer build ~/.claude/projects -o site --shard 1/2
  viewer merge site`,
		RunE: func(c *cobra.Command, args []string) error { return plan(c.Context(), u, f, args) },
	}
	c.Flags().StringVarP(&f.out, "output", "o", "site", "folder of the site")
	c.Flags().IntVar(&f.shards, "shards", 0, "number of shards")
	addFacts(c, &f.facts)
	f.siteFlags.add(c)
	return c
}

func plan(ctx context.Context, u *ui, f planFlags, sources []string) error {
	if f.shards < 1 || f.shards > maxShards {
		return usagef("--shards is required: the number of shards, from 1 to %d", maxShards)
	}
	o, err := f.options(sources)
	if err != nil {
		return err
	}
	if o.Tables, err = withTables(f.facts); err != nil {
		return err
	}
	o.Unread = u.unread
	r, err := sitegen.Plan(ctx, o, f.shards)
	if err != nil {
		return err
	}
	u.detail("plan %s", r.Digest)
	u.line("%s, also empty ones, %s, in %s of at most %s", words.Plural(r.Sessions, "session", "sessions"),
		words.Size(int(r.Bytes)), words.Plural(r.Shards, "shard", "shards"), words.Size(int(r.Largest)))
	return nil
}

type mergeFlags struct{ strict, stats bool }

func newMerge(u *ui) *cobra.Command {
	var f mergeFlags
	c := &cobra.Command{
		Use:   "merge [FOLDER]",
		Short: "Make a site of the parts that shards have built",
		Long: `merge makes the index pages and the search index of a site, after viewer build --shard
has built all shards. It reads no sessions. The result is the same as that of a single
viewer build.`,
		Example: `  viewer merge site`,
		Args: func(_ *cobra.Command, args []string) error {
			switch {
			case len(args) > 1:
				return usagef("viewer merge takes one folder, not %d", len(args))
			case len(args) == 1 && args[0] == "":
				return usagef("viewer merge takes a folder: its name is empty")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			return merge(c.Context(), u, f, append(args, "site")[0])
		},
	}
	c.Flags().BoolVar(&f.strict, "strict", false, "list every problem of the data, and exit with 3 if there is one")
	c.Flags().BoolVar(&f.stats, "stats", false,
		"print the time of each stage, and the processor time and memory of the run")
	return c
}

func merge(ctx context.Context, u *ui, f mergeFlags, out string) error {
	u.begins("what was written stays, and the next merge completes it")
	report, err := sitegen.Merge(ctx, sitegen.Options{Out: out, Version: version})
	if errors.Is(err, sitegen.ErrMerged) {
		u.line("%s is up to date: no shard was built since the last merge", storage.Words(out))
		return nil
	}
	if err != nil {
		return err
	}
	u.tellBuilt(report, out, f.strict)
	if f.stats {
		printStats(u, report)
	}
	return strictly(report, f.strict)
}
