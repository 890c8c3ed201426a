package main

import (
	"bufio"
	"cmp"
	"context"
	"crypto/md5"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"viewer/internal/failure"
	"viewer/internal/publish"
	"viewer/internal/sitedata"
	"viewer/internal/sitegen"
	"viewer/internal/sitegen/output"
	"viewer/internal/when"
	"viewer/internal/words"
)

type publishFlags struct {
	filterFlags
	redactFlags
	passwordFlags
	pricing              string
	noSearch, prune      bool
	withNotes            bool
	yes, dryRun, force   bool
	public, unlisted     bool
	list                 bool
	revoke, again        []string
	expire               string
	expireAfter          time.Duration // the argument of expire
	now                  time.Time
	destination, staging string
}

func newPublish(u *ui) *cobra.Command {
	var f publishFlags
	c := &cobra.Command{
		Use:   "publish DEST [SOURCE...]",
		Short: "Publish sessions in a folder, a bucket or a branch of a repository",
		Long: `publish builds a site of the sessions that the flags choose and copies it to DEST: a
folder, a bucket (s3://BUCKET/PREFIX), or a branch of a repository
(REPOSITORY#gh-pages, with a folder, a remote or an address that git knows). It shows
what would go out, asks, and writes only what differs. Files of others stay.

Search engines are asked to stay away (robots.txt, noindex) unless --public is given.
What was published is listed at DEST in a file that nobody can guess the name of.

With --unlisted each session is one file under a name that nobody can guess, and
there is no list. With --password or --password-file each session is one encrypted
file that asks for the password, and so does the list.

A session that was revoked or has expired is taken out of all pages, the search and
the lists, and stays out until --again names it. A branch keeps what it held in its
history: --force gives it a new history of one commit.`,
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
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			f.destination, f.now = args[0], time.Now().UTC().Truncate(time.Second)
			return publishSessions(c.Context(), u, f, args[1:])
		},
	}
	c.Flags().BoolVarP(&f.yes, "yes", "y", false, "publish without asking")
	c.Flags().BoolVar(&f.dryRun, "dry-run", false, "show what would be published, and write nothing to DEST")
	c.Flags().BoolVar(&f.list, "list", false, "list what is published at DEST")
	c.Flags().StringArrayVar(&f.revoke, "revoke", nil, "take `SESSION` out, and publish no other; may be repeated")
	c.Flags().StringArrayVar(&f.again, "again", nil,
		"publish `SESSION` again that was revoked or has expired; may be repeated")
	c.Flags().StringVar(&f.expire, "expire", "",
		"take sessions out that were published longer than `TIME` ago, such as 30d, with the first run after it")
	c.Flags().BoolVar(&f.public, "public", false, "let search engines find the pages")
	c.Flags().BoolVar(&f.unlisted, "unlisted", false,
		"one file a session, under a name that nobody can guess, and no list of them")
	c.Flags().BoolVar(&f.force, "force", false,
		"replace files of others that have the same names, the history of a branch, and what was published in another form")
	c.Flags().BoolVar(&f.noSearch, "no-search", false, "leave out the index for searches over all sessions")
	c.Flags().BoolVar(&f.withNotes, "with-notes", false,
		"publish the notes that viewer build would draw (see docs/notes.md), which are left out otherwise")
	c.Flags().BoolVar(&f.prune, "prune", false, "take sessions out whose files are gone; else their pages stay")
	c.Flags().StringVar(&f.pricing, "pricing", "", "read the prices of models from `FILE`, instead of the list prices")
	f.filterFlags.add(c)
	f.redactFlags.add(c)
	f.passwordFlags.add(c)
	return c
}

// complete checks the flags.
func (f *publishFlags) complete() error {
	if f.off {
		return usagef("publish always redacts: viewer build --no-redact -o FOLDER builds a site to copy yourself")
	}
	if f.list && (len(f.revoke)+len(f.again) > 0 || f.dryRun || f.yes) {
		return usagef("--list only lists")
	}
	if f.withNotes && (f.unlisted || f.ask || f.passwordFlags.file != "") {
		return usagef("--with-notes is for sites: pages with --unlisted or a password have no notes")
	}
	if len(f.revoke) > 0 && len(f.again) > 0 {
		return usagef("--revoke and --again exclude each other")
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
	place, err := publish.Open(ctx, f.destination)
	if err != nil {
		return err
	}
	defer place.Close()
	old, err := place.Read(ctx)
	if err != nil {
		return err
	}
	if f.list {
		return f.listPublished(u, place, old)
	}
	next := old.Next()
	if err := f.chooseForm(u, place, old, next); err != nil {
		return err
	}
	var spool output.Spool
	defer spool.Close()
	p := &publication{place: place, old: old, next: next, sources: sources, spool: &spool}
	out, err := f.takeOut(ctx, u, p)
	if err != nil {
		return err
	}
	if len(f.revoke) > 0 && place.IsHistory() && !f.force {
		return &failure.Error{
			Err:  fmt.Errorf("the history of %s keeps what is revoked", place.Name),
			Hint: "--force replaces the history by one commit",
		}
	}
	build := f.buildSessions
	if next.Form == publish.Site {
		build = f.build
	}
	made, err := build(ctx, u, p)
	if err != nil {
		return err
	}
	f.record(old, next, made.sessions)
	plan, err := place.Plan(made.files, old, next, f.force)
	if err != nil {
		return err
	}
	rewrite := place.IsHistory() && f.force
	f.show(u, place, plan, old, next, made)
	if rewrite {
		u.line("--force: the history of the branch is replaced by one commit")
	}
	switch {
	case plan.IsDone() && !(rewrite && place.HasOldCommits(ctx)):
		u.line("%s has it all: nothing to do", place.Name)
		return nil
	case f.dryRun:
		u.line("nothing was written: --dry-run")
		return nil
	}
	if err := f.confirm(u); err != nil {
		return err
	}
	message := "Publish " + words.Plural(len(next.Sessions), "session", "sessions")
	if err := plan.Apply(ctx, message, rewrite); err != nil {
		return err
	}
	u.line("published %s to %s: %s written, %d removed", words.Plural(len(next.Sessions), "session", "sessions"),
		place.Name, words.Plural(len(plan.New)+len(plan.Changed), "file", "files"), len(plan.Removed))
	if next.Form == publish.Unlisted || next.Form == publish.EncryptedUnlisted { // nothing else lists their addresses
		for _, s := range next.Sessions {
			if old.Published(s.ID) == nil {
				u.print("%s/%s  %s\n", place.Name, s.Page, cmp.Or(s.Title, made.facts[s.ID].Title))
			}
		}
	}
	if len(out) > 0 {
		warnOfCopies(ctx, u, place, len(out), rewrite)
	}
	return nil
}

// takeOut marks sessions in the next record as taken out: those of the last record, those that are revoked now, and
// those that have expired. It returns those that are new.
func (f *publishFlags) takeOut(ctx context.Context, u *ui, p *publication) ([]string, error) {
	var ids, published []string
	for _, s := range p.old.Sessions {
		published = append(published, s.ID)
	}
	known, err := f.knownIDs(ctx, u, p)
	if err != nil {
		return nil, err
	}
	for _, name := range f.again {
		var out []string
		for _, o := range p.next.Out {
			out = append(out, o.ID)
		}
		id, err := theOne(p.place, out, known, name, "revoked or expired")
		if err != nil {
			return nil, err
		}
		p.next.Out = slices.DeleteFunc(p.next.Out, func(o publish.TakenOut) bool { return o.ID == id })
	}
	for _, name := range f.revoke {
		id, err := theOne(p.place, published, known, name, "published")
		if err != nil {
			return nil, err
		}
		p.next.TakeOut(publish.TakenOut{ID: id, Since: f.now})
		ids = append(ids, id)
	}
	for _, s := range p.old.Sessions {
		if !s.Expires.IsZero() && !s.Expires.After(f.now) && !p.next.IsOut(s.ID) {
			p.next.TakeOut(publish.TakenOut{ID: s.ID, Since: f.now, Expired: true})
			ids = append(ids, s.ID)
		}
	}
	return ids, nil
}

// knownIDs returns the ids of sessions for which the record of encrypted pages has digests, as far as the password and
// the sources tell them. They are looked for only if the user names a session.
func (f *publishFlags) knownIDs(ctx context.Context, u *ui, p *publication) (map[string]string, error) {
	known := make(map[string]string)
	if !p.old.Form.IsEncrypted() || len(f.again)+len(f.revoke) == 0 {
		return known, nil
	}
	for _, s := range sitegen.IDs(ctx, p.sources) {
		known[p.old.Form.IDOf(s[0])] = s[0]
	}
	key, err := f.keyOf(u, p.place, p.old)
	if err != nil {
		return nil, err
	}
	for _, s := range p.old.Sessions {
		if facts := factsOf(key, s); facts.ID != "" {
			known[s.ID] = facts.ID
		}
	}
	return known, nil
}

func noPublished(place *publish.Place, name, state string) error {
	return &failure.Error{
		Err:  fmt.Errorf("no session %s is %s at %s", name, state, place.Name),
		Hint: "viewer publish " + place.Name + " --list shows what is there",
	}
}

// theOne returns the one of some ids of a record that is a name, or begins with it. known has the ids of sessions for
// which the record has digests.
func theOne(place *publish.Place, ids []string, known map[string]string, name, state string) (string, error) {
	var found, said []string
	for _, id := range ids {
		real := cmp.Or(known[id], id)
		switch {
		case id == name || real == name:
			return id, nil
		case name != "" && (strings.HasPrefix(id, name) || strings.HasPrefix(real, name)):
			found, said = append(found, id), append(said, real)
		}
	}
	switch len(found) {
	case 0:
		return "", noPublished(place, name, state)
	case 1:
		return found[0], nil
	}
	return "", usagef("%s is ambiguous: %s", name, strings.Join(said, ", "))
}

// A publication has the settings with which sessions are published.
type publication struct {
	place     *publish.Place
	old, next *publish.Record
	sources   []string
	spool     *output.Spool
}

// without returns the ids of the sessions that stay out. Those for which the record has digests are in the sources.
func (p *publication) without(ctx context.Context) (ids []string) {
	if len(p.next.Out) == 0 {
		return nil
	}
	for _, o := range p.next.Out {
		ids = append(ids, o.ID)
	}
	for _, s := range sitegen.IDs(ctx, p.sources) {
		if p.next.IsOut(s[0]) && !slices.Contains(ids, s[0]) {
			ids = append(ids, s[0])
		}
	}
	return ids
}

// A prepared has what is to be published.
type prepared struct {
	files    []publish.File
	sessions []publish.Session    // without dates
	facts    map[string]pageFacts // of encrypted sessions, by their ids in the record
	report   sitegen.Report
}

// build builds the site in the user's cache folder and returns the files to publish.
func (f *publishFlags) build(ctx context.Context, u *ui, p *publication) (made prepared, err error) {
	old, next, sources := p.old, p.next, p.sources
	o := sitegen.Options{
		Sources: sources, Pricing: f.pricing, Prune: f.prune, Narrow: true, NoSearch: f.noSearch,
		Redaction: f.redaction(), Version: version, Unread: u.unread,
		Notes: sitegen.NoteFiles{Off: !f.withNotes, Placed: true, Folders: []string{"."}},
	}
	if o.Filter, err = f.filter(); err != nil {
		return made, err
	}
	o.Filter.Without = p.without(ctx)
	if f.staging, err = stagingFolder(p.place); err != nil {
		return made, err
	}
	o.Out = f.staging
	site, err := f.buildSite(ctx, u, o)
	if others := f.notPublished(old, site.Sessions); err == nil && len(others) > 0 {
		o.Filter.Without = append(o.Filter.Without, others...)
		site, err = f.buildSite(ctx, u, o)
	}
	if errors.Is(err, sitegen.ErrNone) && len(next.Out) > 0 {
		return made, nil // all sessions were taken out
	}
	if err != nil {
		return made, err
	}
	for _, fault := range site.Faults() {
		u.fault("%s", fault)
	}
	for _, s := range site.Sessions {
		made.sessions = append(made.sessions, publish.Session{ID: s.ID, Page: s.Page, Title: s.Title})
	}
	made.report = site.Report
	made.files, err = f.files(site.Files)
	return made, err
}

func (f *publishFlags) buildSite(ctx context.Context, u *ui, o sitegen.Options) (sitegen.Published, error) {
	p := newProgress(u)
	defer p.done()
	o.Progress = p.update
	return sitegen.BuildPublished(ctx, o)
}

// notPublished returns the sessions that are not published yet: a revocation must not publish them.
func (f *publishFlags) notPublished(old *publish.Record, sessions []sitedata.Session) (ids []string) {
	for _, s := range sessions {
		if len(f.revoke) > 0 && old.Published(s.ID) == nil {
			ids = append(ids, s.ID)
		}
	}
	return ids
}

// stagingFolder returns the folder where the site of a place is built. It is kept, so that a site that was published
// from this machine is updated, and keeps the sessions whose files are missing.
func stagingFolder(place *publish.Place) (string, error) {
	cache, err := os.UserCacheDir()
	var id, folder string
	if err == nil {
		id, err = place.ID()
	}
	if err == nil {
		folder = filepath.Join(cache, "viewer", fmt.Sprintf("publish-%x", md5.Sum([]byte(id))))
		err = os.MkdirAll(folder, 0o700)
	}
	if err != nil {
		return "", fmt.Errorf("finding a cache folder: %w", failure.Cause(err))
	}
	return folder, nil
}

// record adds the published sessions to the record, with their earlier dates.
func (f *publishFlags) record(old, next *publish.Record, sessions []publish.Session) {
	for _, one := range sessions {
		one.Published = f.now
		if known := old.Published(one.ID); known != nil {
			one.Published, one.Expires = known.Published, known.Expires
		}
		if f.expireAfter > 0 && one.Expires.IsZero() {
			one.Expires = one.Published.Add(f.expireAfter)
		}
		next.Sessions = append(next.Sessions, one)
	}
	slices.SortFunc(next.Sessions, func(a, b publish.Session) int { return strings.Compare(a.Page, b.Page) })
}

// confirm asks whether to publish.
func (f *publishFlags) confirm(u *ui) error {
	if f.yes {
		return nil
	}
	if !term.IsTerminal(int(os.Stdin.Fd())) {
		return usagef("standard input is no terminal to ask on: --yes publishes without asking, --dry-run only shows")
	}
	_ = u.err.Printf("publish? [y/N] ")
	answer, _ := bufio.NewReader(os.Stdin).ReadString('\n') // the end of the input means no
	if answer = strings.ToLower(strings.TrimSpace(answer)); answer != "y" && answer != "yes" {
		return errors.New("nothing was published")
	}
	return nil
}
