package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"viewer/internal/sitegen"
	"viewer/internal/transcript"
	"viewer/internal/watch"
	"viewer/internal/words"
)

// A keeper keeps a site current.
type keeper struct {
	u       *ui
	flags   siteFlags
	sources []string

	wrote   func(files int, took time.Duration) // may be nil
	changed func(pages []string)                // is told the files of the site that are others now; may be nil
	anew    func()                              // is told that all of them may be, after a failure; may be nil

	site   *sitegen.Site // nil after a failure
	built  bool          // at least once
	empty  bool          // the usual source held no session when it was built last
	failed string        // what was said last, "" when all is well
	saved  time.Time
	faults []transcript.Problem // of the last build
}

// errLater has the watcher come again: a line waits for its end.
var errLater = errors.New("a line has no end yet")

// saveTime is how long a site that changes goes without leaving on disk what
// the next program needs to know of it.
const saveTime = time.Minute

func newKeeper(u *ui, flags siteFlags, sources []string) *keeper {
	return &keeper{u: u, flags: flags, sources: sources}
}

// first builds the site as viewer build does.
func (k *keeper) first(ctx context.Context) (sitegen.Report, error) {
	o, err := k.options()
	if err != nil {
		return sitegen.Report{}, err
	}
	p := newProgress(k.u)
	o.Progress = p.update
	k.open(o)
	report, err := k.site.Build(ctx)
	p.done()
	if err == nil {
		k.built = true
		k.sayEmpty(report)
	}
	if err != nil || o.Force { // to draw everything again is meant once
		if closing := k.close(); err == nil {
			err = closing
		}
	}
	k.flags.force, k.saved, k.faults = false, time.Now(), report.Faults()
	return report, err
}

// warm gets ready for the changes to come. It is called when the site can be looked
// at, and before the watcher runs: what goes wrong is said, and tried again with the
// next change, but a line that waits for its end may be the last that is written.
func (k *keeper) warm(ctx context.Context) {
	if k.site == nil {
		return
	}
	k.site.Prefetch()
	if err := k.again(ctx); !errors.Is(err, errLater) {
		return
	}
	select {
	case <-time.After(lineTime):
		_ = k.again(ctx)
	case <-ctx.Done():
	}
}

// lineTime is somewhat longer than a line may go without its end before it is
// taken for torn.
const lineTime = 1200 * time.Millisecond

func (k *keeper) open(o sitegen.Options) { k.site = sitegen.NewSite(o) }

// options are those of the flags. The usual source may hold no session yet: its first one comes.
func (k *keeper) options() (sitegen.Options, error) {
	o, err := k.flags.options(k.sources)
	o.Empty = len(k.sources) == 0
	o.Narrow = o.Narrow || k.built // from then on only time takes sessions out
	return o, err
}

// sayEmpty says that the usual source holds no session, once.
func (k *keeper) sayEmpty(r sitegen.Report) {
	empty := r.Sessions+r.Empty-r.Archived == 0
	switch {
	case !empty || k.empty || len(k.sources) > 0:
	case r.Archived > 0:
		k.u.warn("no sessions in %s: %s of it stay", sitegen.DefaultSource(), words.Plural(r.Archived, "session that is archived", "sessions that are archived"))
	default:
		k.u.line("no sessions in %s yet: waiting for the first", sitegen.DefaultSource())
	}
	k.empty = empty
}

// close saves the site, if it is open.
func (k *keeper) close() error {
	if k.site == nil {
		return nil
	}
	err := k.site.Close()
	k.site = nil
	return err
}

// renew has the next build begin from what is on disk. What could not be saved
// is built again.
func (k *keeper) renew() { _ = k.close() }

// again makes the site what the sources say now. What goes wrong is said here,
// and is an error so that the watcher comes again until it has passed.
func (k *keeper) again(ctx context.Context) error {
	report, err := k.rebuild(ctx)
	if ctx.Err() != nil {
		return nil
	}
	if err != nil {
		if k.failed != err.Error() {
			k.failed = err.Error()
			k.u.complain(err)
		}
		k.renew() // what the site remembers may not be what is there
		return err
	}
	k.sayEmpty(report)
	if k.failed != "" {
		k.failed = ""
		k.u.line("the site is up to date again")
		if k.anew != nil {
			k.anew()
		}
	} else if len(report.Changed) > 0 && k.changed != nil {
		k.changed(report.Changed)
	}
	faults := report.Faults()
	for _, p := range faults {
		if !slices.Contains(k.faults, p) { // first says its own
			k.u.fault("%s", p)
		}
	}
	k.faults = faults
	if n := len(report.Changed); n > 0 && k.wrote != nil {
		k.wrote(n, report.Elapsed)
	}
	if report.Waiting > 0 {
		return errLater
	}
	return k.save()
}

func (k *keeper) rebuild(ctx context.Context) (sitegen.Report, error) {
	o, err := k.options()
	if err != nil {
		return sitegen.Report{}, err
	}
	if k.site == nil {
		k.open(o)
	}
	return k.site.Build(ctx)
}

// save leaves on disk what is known of the site, now and then.
func (k *keeper) save() error {
	if time.Since(k.saved) < saveTime {
		return nil
	}
	k.saved = time.Now()
	if err := k.site.Save(); err != nil {
		k.u.complain(err)
	}
	return nil
}

// watcher takes note of what there is; what changes from now on is told to the
// keeper. It is made before the first build, so that nothing falls in between.
func (k *keeper) watcher(ctx context.Context, f watchFlags) *watch.Watcher {
	var paths []string
	for _, s := range k.sources {
		paths = append(paths, s)
		if own := strings.TrimSuffix(s, ".jsonl"); own != s {
			paths = append(paths, own) // what lies beside a session file
		}
	}
	if len(k.sources) == 0 {
		paths = append(paths, sitegen.DefaultSource())
	}
	options := make(map[string]bool) // files that say how to build
	for _, file := range []string{k.flags.pricing, k.flags.redactFlags.file} {
		if file != "" {
			options[filepath.Clean(file)] = true
			paths = append(paths, file)
		}
	}
	index := filepath.Join(k.flags.out, "index.html") // which is there as long as the site is
	changed := func(files []string) error {
		_, err := os.Stat(index)
		gone := k.built && errors.Is(err, os.ErrNotExist)
		switch {
		case gone:
			k.u.line("%s is gone: building the site again", index)
			k.renew()
		case slices.ContainsFunc(files, func(file string) bool { return options[file] }):
			k.renew()
		}
		return k.again(ctx)
	}
	return watch.New(watch.Options{Paths: paths, Keep: []string{index}, Poll: f.poll, Enter: k.enter(), Changed: changed, Trouble: k.trouble})
}

// enter says which folders of a source are read: sitegen follows no links and
// looks into no hidden folders, and a site that lies in its source must not
// wake itself.
func (k *keeper) enter() func(dir string, link bool) bool {
	site, err := filepath.Abs(k.flags.out)
	if err != nil {
		site = k.flags.out
	}
	return func(dir string, link bool) bool {
		full, err := filepath.Abs(dir)
		return !link && !strings.HasPrefix(filepath.Base(dir), ".") && (err != nil || !sameFolder(full, site))
	}
}

// sameFolder says that two names are of one folder: there are systems that do not tell capitals.
func sameFolder(a, b string) bool {
	if a == b || !strings.EqualFold(a, b) {
		return a == b
	}
	one, err := os.Stat(a)
	if err != nil {
		return false
	}
	other, err := os.Stat(b)
	return err == nil && os.SameFile(one, other)
}

// trouble says what cannot be watched. The site is kept current as far as can be.
func (k *keeper) trouble(err error) {
	var limit *watch.Limit
	if !errors.As(err, &limit) {
		k.u.warn("%v", err)
		return
	}
	k.u.warn("%v; falling back to polling every %v", err, limit.Poll)
	k.u.hint("the limit of the system for file watches is reached; on Linux, raise fs.inotify.max_user_watches or max_user_instances")
}
