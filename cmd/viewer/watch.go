package main

import (
	"context"
	"time"

	"github.com/spf13/cobra"

	"viewer/internal/storage"
	"viewer/internal/words"
)

// watchFlags are the flags for how to notice changes.
type watchFlags struct{ poll time.Duration }

func (f *watchFlags) add(c *cobra.Command) {
	c.Flags().DurationVar(&f.poll, "poll", 0,
		"poll for changes at this interval (`1s`) instead of using notifications of the system")
}

// minPoll is the minimum interval of polling, so that the machine has time for other work.
const minPoll = 10 * time.Millisecond

func (f *watchFlags) check() error {
	if f.poll != 0 && f.poll < minPoll {
		return usagef("--poll %v is invalid: a duration such as 1s, at least %v", f.poll, minPoll)
	}
	return nil
}

func newWatch(u *ui) *cobra.Command {
	var site siteFlags
	var f watchFlags
	c := &cobra.Command{
		Use:   "watch [SOURCE...]",
		Short: "Build a site and keep it up to date while sessions run",
		Long: `watch builds a site and keeps it up to date until you stop it with Ctrl-C. When a
session grows, it reads only the new lines. It prints errors, and tries again until
the build succeeds.`,
		Example: `  viewer watch -o site
  viewer watch /mnt/share/projects -o site --poll 5s`,
		RunE: func(c *cobra.Command, args []string) error { return watchSite(c.Context(), u, site, f, args) },
	}
	c.Flags().StringVarP(&site.out, "output", "o", "site", "folder to write the site to")
	site.add(c)
	f.add(c)
	return c
}

// onDisk returns an error for a bucket if files are to be watched or served.
func onDisk(sources []string) error {
	for _, s := range sources {
		if storage.IsAddress(s) {
			return usagef("%s is a bucket, which cannot be watched or served: run viewer build from time to time", storage.Words(s))
		}
	}
	return nil
}

// watchSite builds a site and keeps it current until the context ends.
func watchSite(ctx context.Context, u *ui, site siteFlags, f watchFlags, sources []string) error {
	if err := f.check(); err != nil {
		return err
	}
	if err := onDisk(append(sources, site.out)); err != nil {
		return err
	}
	b := newRebuilder(u, site, sources)
	b.onWritten = func(files int, took time.Duration) {
		u.line("%s written in %s", words.Plural(files, "file", "files"), took.Round(time.Millisecond))
	}
	w := b.newWatcher(ctx, f)
	report, err := b.firstBuild(ctx)
	if err != nil {
		return err
	}
	summarize(u, report)
	u.open(site.out, "index.html")
	u.line("watching for changes; press Ctrl-C to stop")
	b.prefetch(ctx)
	w.Run(ctx)
	if err := b.close(); err != nil {
		u.complain(err)
	}
	return errStopped
}
