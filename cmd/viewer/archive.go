package main

import (
	"cmp"
	"context"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"viewer/internal/archive/signature"
	"viewer/internal/archive/store"
	"viewer/internal/settings"
	"viewer/internal/sitegen"
	"viewer/internal/storage"
	"viewer/internal/words"
)

type archiveFlags struct {
	out, machine, sign string
	follow             bool
	every              time.Duration // the shortest time between two runs of --watch
	watch              watchFlags
}

func newArchive(u *ui) *cobra.Command {
	var f archiveFlags
	c := &cobra.Command{
		Use:   "archive [SOURCE...] -o ARCHIVE",
		Short: "Keep sessions verbatim before they are deleted",
		Long: `archive adds new content of session logs to an archive: a folder or a bucket that keeps
the logs byte for byte, compressed, with the files that belong to them. Claude Code
deletes sessions after 30 days; an archive keeps them. Without a SOURCE, archive reads
the folders where coding agents keep their sessions. A source that is an archive itself
is added with all its versions.

An archive is never rewritten. If a log has grown, its new lines are added; if it was
rewritten or shortened, a new version is added, and the old one is kept. An archive can
be read like a folder, by viewer build ARCHIVE, list, search and serve.

With --watch it runs until you stop it, and archives changes.`,
		Example: `  viewer archive -o ~/sessions
  viewer archive ~/.claude/projects -o /mnt/share/sessions --machine laptop
  viewer archive -o ~/sessions --watch
  viewer archive -o s3://team/sessions
  viewer build ~/.claude/projects ~/sessions`,
		RunE: func(c *cobra.Command, args []string) error {
			switch {
			case f.follow:
				return watchArchive(c.Context(), u, f, args)
			case u.from["every"] == settings.ByCommandLine, u.from["poll"] == settings.ByCommandLine:
				return usagef("--every and --poll are for --watch")
			}
			return archiveSessions(c.Context(), u, f, args)
		},
	}
	c.Flags().StringVarP(&f.out, "output", "o", "", "folder of the archive, or the address of a bucket")
	c.Flags().StringVar(&f.machine, "machine", "",
		"`NAME` of the machine of the sessions (default the name of this machine)")
	c.Flags().StringVar(&f.sign, "sign", "",
		"sign the contents of the archive with the SSH key in `FILE`, by ssh-keygen")
	c.Flags().BoolVar(&f.follow, "watch", false, "keep running, and archive changes")
	c.Flags().DurationVar(&f.every, "every", 30*time.Second, "with --watch, the minimum time between two runs")
	f.watch.add(c)
	c.AddCommand(newVerify(u), newRestore(u))
	return c
}

// options returns the options that the flags set.
func (f *archiveFlags) options(ctx context.Context, u *ui, sources []string) (sitegen.ArchiveOptions, error) {
	if f.out == "" {
		return sitegen.ArchiveOptions{}, usagef("name the folder of the archive: viewer archive -o ARCHIVE")
	}
	if err := checkScheme(f.out); err != nil {
		return sitegen.ArchiveOptions{}, err
	}
	machine := f.machine
	if machine == "" {
		machine, _ = os.Hostname() // a machine without a name is no failure
	}
	if machine = store.Plain(machine); machine == "" {
		machine = "machine"
	}
	if strings.Contains(machine, "/") {
		return sitegen.ArchiveOptions{}, usagef("--machine %s is invalid: a name has no slash", f.machine)
	}
	if f.sign != "" {
		if err := signature.CanSign(f.sign); err != nil {
			return sitegen.ArchiveOptions{}, err
		}
	}
	o := sitegen.ArchiveOptions{
		Sources: sources, Archive: f.out, Machine: machine, Now: time.Now(), Unread: u.unread,
	}
	if f.sign != "" {
		o.Sign = func(seal []byte) ([]byte, error) { return signature.Sign(ctx, f.sign, seal) }
	}
	return o, nil
}

// leavesArchive is what a run leaves that is interrupted.
const leavesArchive = "what was archived stays, and the next run continues"

func archiveSessions(ctx context.Context, u *ui, f archiveFlags, sources []string) error {
	o, err := f.options(ctx, u, sources)
	if err != nil {
		return err
	}
	u.begins(leavesArchive)
	r, err := sitegen.Archive(ctx, o)
	u.tellArchived(f, r, err == nil)
	return err
}

// tellArchived prints what a run did.
func (u *ui) tellArchived(f archiveFlags, r sitegen.ArchiveReport, whole bool) {
	if r.Torn > 0 {
		u.warn("%s: an earlier run was interrupted: %s of its manifest dropped, its files archived again",
			storage.Words(f.out), words.Size(int(r.Torn)))
	}
	for _, p := range r.Problems {
		u.warn("%s", p)
	}
	for _, c := range r.Changed {
		u.warn("%s; the earlier version is kept", c)
	}
	if !whole {
		return
	}
	n := 0
	for _, files := range r.Files {
		n += files
	}
	add := func(result store.Result, word string) string {
		if r.Files[result] == 0 {
			return ""
		}
		return words.Count(r.Files[result]) + " " + word
	}
	results := cmp.Or(join(add(store.Added, "new"), add(store.Appended, "appended"), add(store.Copied, "copied"),
		add(store.Rewritten, "rewritten"), add(store.Shortened, "shortened"), add(store.Unchanged, "unchanged")),
		"none new")
	files := words.Plural(n, "file", "files")
	if r.Sessions > 0 { // those of other archives are not counted
		files = words.Plural(r.Sessions, "session", "sessions") + ", also empty ones, in " + files
	}
	u.line("%s (%s): %s; %s written to %s", files, words.Size(int(r.Read)), results,
		words.Size(int(r.Written)), storage.Words(f.out))
}
