package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"viewer/internal/failure"
	"viewer/internal/publication"
	"viewer/internal/publish"
	"viewer/internal/sitegen"
	"viewer/internal/storage"
	"viewer/internal/when"
	"viewer/internal/words"
)

type publishFlags struct {
	filterFlags
	redactFlags
	passwordFlags
	pricing            string
	noSearch, prune    bool
	withNotes          bool
	yes, dryRun, force bool
	public, unlisted   bool
	list               bool
	revoke, again      []string
	expire             string
	expireAfter        time.Duration // the argument of expire
	now                time.Time
	destination        string
}

func newPublish(u *ui) *cobra.Command {
	var f publishFlags
	c := &cobra.Command{
		Use:   "publish DEST [SOURCE...]",
		Short: "Publish sessions in a folder, a bucket or a branch of a repository",
		Long: `publish builds a site of the selected sessions and copies it to DEST: a folder, a bucket
(s3://BUCKET/PREFIX), or a branch of a repository (REPOSITORY#gh-pages, where REPOSITORY
is a folder, a remote or an address). It shows what will be published, asks, and writes
only what differs. Other files at DEST stay.

Search engines are asked to stay away (robots.txt, noindex), unless --public is given.
A file at DEST lists what was published; nobody can guess its name.

With --unlisted each session is one file under a name that nobody can guess, and there
is no list. With --password or --password-file each session is one encrypted file that
asks for the password, and so does the list.

A revoked or expired session is removed from all pages, the search and the lists, and
stays out until --again names it. A branch keeps removed files in its history; --force
replaces the history by one commit.`,
		Example: `  viewer publish public --project tides --dry-run
  viewer publish s3://bucket/sessions --since "2 weeks ago" --expire 30d --yes
  viewer publish .#gh-pages --session ab12 --public
  viewer publish public --session ab12 --password-file password.txt
  viewer publish public --list
  viewer publish public --revoke ab12`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 || args[0] == "" {
				return usagef("name a place: viewer publish DEST")
			}
			if strings.Contains(args[0], "#") { // a branch of a repository at any address
				return nil
			}
			return checkScheme(args[0])
		},
		RunE: func(c *cobra.Command, args []string) error {
			f.destination, f.now = args[0], time.Now().UTC().Truncate(time.Second)
			return publishSessions(c.Context(), u, f, args[1:])
		},
	}
	c.Flags().BoolVarP(&f.yes, "yes", "y", false, "publish without asking")
	c.Flags().BoolVar(&f.dryRun, "dry-run", false, "show what would be published, and write nothing to DEST")
	c.Flags().BoolVar(&f.list, "list", false, "list what is published at DEST")
	c.Flags().StringArrayVar(&f.revoke, "revoke", nil, "remove `SESSION`, and publish no other; may be repeated")
	c.Flags().StringArrayVar(&f.again, "again", nil,
		"publish the revoked or expired `SESSION` again; may be repeated")
	c.Flags().StringVar(&f.expire, "expire", "",
		"remove sessions that were published more than `TIME` ago, such as 30d")
	c.Flags().BoolVar(&f.public, "public", false, "let search engines find the pages")
	c.Flags().BoolVar(&f.unlisted, "unlisted", false,
		"publish one file for each session, under a name that nobody can guess, and no list")
	c.Flags().BoolVar(&f.force, "force", false,
		"replace other files of the same names, the history of a branch, and what was published in another form")
	addNoSearch(c, &f.noSearch)
	c.Flags().BoolVar(&f.withNotes, "with-notes", false,
		"publish notes, too (see docs/notes.md)")
	c.Flags().BoolVar(&f.prune, "prune", false, "remove sessions whose files are gone; otherwise their pages stay")
	addPricing(c, &f.pricing)
	f.filterFlags.add(c)
	f.redactFlags.add(c)
	f.passwordFlags.add(c)
	return c
}

// complete checks the flags.
func (f *publishFlags) complete() error {
	if f.off {
		return usagef("viewer publish always redacts: viewer build --no-redact -o FOLDER builds a site that you can copy yourself")
	}
	if f.list && (len(f.revoke)+len(f.again) > 0 || f.dryRun || f.yes) {
		return usagef("--list only lists")
	}
	if f.withNotes && (f.unlisted || f.ask || f.passwordFlags.file != "") {
		return usagef("--with-notes is for sites: pages with --unlisted or a password have no notes")
	}
	if len(f.revoke) > 0 && len(f.again) > 0 {
		return usagef("--revoke and --again cannot be combined")
	}
	if f.expire != "" {
		then, err := when.Parse(f.expire, f.now, false)
		if f.expireAfter = f.now.Sub(then); err != nil || f.expireAfter <= 0 || strings.Contains(f.expire, "-") {
			return usagef("--expire %s is invalid: use a time such as 30d, 2 weeks or 36h", f.expire)
		}
	}
	return nil
}

func publishSessions(ctx context.Context, u *ui, f publishFlags, sources []string) error {
	if err := f.complete(); err != nil {
		return err
	}
	p, err := publication.Open(ctx, f.destination)
	if err != nil {
		return err
	}
	defer p.Close()
	if p.Options, err = f.options(u, sources); err != nil {
		return err
	}
	if f.list {
		return listPublished(u, p)
	}
	if p.Place.Kind == publish.Folder && len(f.revoke) == 0 {
		if err := refuseLogs(p.Place.Name, sources); err != nil {
			return err
		}
	}
	plan, err := p.Prepare(ctx)
	for _, fault := range p.Report.Faults() {
		u.fault("%s", fault)
	}
	if err != nil {
		return err
	}
	rewrite := p.Place.IsHistory() && f.force
	showPlan(u, p, plan)
	if rewrite {
		u.line("--force: the history of the branch is replaced by one commit")
	}
	switch {
	case plan.IsDone() && !(rewrite && p.Place.HasOldCommits(ctx)):
		u.line("%s is up to date", p.Place.Name)
		return nil
	case f.dryRun:
		u.line("nothing was written: --dry-run")
		return nil
	}
	if err := f.confirm(u); err != nil {
		return err
	}
	sessions := words.Plural(len(p.Next.Sessions), "session", "sessions")
	u.begins("what was published stays, and the next run does the rest")
	if err := plan.Apply(ctx, "Publish "+sessions, rewrite); err != nil {
		return err
	}
	u.line("published %s to %s: %s written, %d removed", sessions, p.Place.Name,
		words.Plural(len(plan.New)+len(plan.Changed), "file", "files"), len(plan.Removed))
	if form := p.Next.Form; form == publish.Unlisted || form == publish.EncryptedUnlisted {
		printAddresses(u, p)
	}
	if len(p.Taken) > 0 {
		warnOfCopies(ctx, u, p.Place, len(p.Taken), rewrite)
	}
	return nil
}

// refuseLogs returns an error if a source is inside the published folder: who reads the pages could read the logs, too,
// which are not redacted.
func refuseLogs(folder string, sources []string) error {
	if len(sources) == 0 {
		sources = sitegen.UsualSources()
	}
	for _, name := range sources {
		if storage.IsAddress(name) {
			continue
		}
		path := storage.Folder(name)
		if _, inside := sitegen.Inside(folder, path); !inside {
			continue
		}
		if _, err := os.Stat(path); err == nil {
			return failure.New(fmt.Errorf("%s would publish the logs in %s, which are not redacted", folder, name),
				"name a folder without logs")
		}
	}
	return nil
}

// options returns the options that the flags set.
func (f *publishFlags) options(u *ui, sources []string) (publication.Options, error) {
	o := publication.Options{
		Build: sitegen.Options{
			Sources: sources, Pricing: f.pricing, Prune: f.prune, NoSearch: f.noSearch, Redaction: f.redaction(),
			Version: version, Unread: u.unread, Fault: u.leftOut,
		},
		Notes: f.withNotes, Public: f.public, Unlisted: f.unlisted, Force: f.force,
		Encrypted: f.ask || f.passwordFlags.file != "", Password: func() (string, error) { return f.password(u) },
		Expire: f.expireAfter, Revoke: f.revoke, Again: f.again, Now: f.now,
		Progress: func() (func(sitegen.Progress), func()) {
			p := newProgress(u)
			return p.update, p.done
		},
	}
	var err error
	o.Build.Filter, err = f.filter()
	return o, err
}

// confirm asks whether to publish.
func (f *publishFlags) confirm(u *ui) error {
	if f.yes {
		return nil
	}
	if !term.IsTerminal(int(os.Stdin.Fd())) {
		return usagef("cannot ask, as standard input is not a terminal: --yes publishes without asking, --dry-run publishes nothing")
	}
	_ = u.err.Printf("publish? [y/N] ")
	answer, _ := bufio.NewReader(os.Stdin).ReadString('\n') // the end of the input means no
	if answer = strings.ToLower(strings.TrimSpace(answer)); answer != "y" && answer != "yes" {
		return errors.New("nothing was published")
	}
	return nil
}
