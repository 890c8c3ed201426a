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
	"viewer/internal/storage"
	"viewer/internal/transcript"
	"viewer/internal/watch"
	"viewer/internal/words"
)

// A rebuilder builds a site, and builds it again when its sources change.
type rebuilder struct {
	u       *ui
	flags   siteFlags
	sources []string

	onWritten func(files int, took time.Duration) // may be nil
	// onChanged gets the files of the site that were written or removed; may be nil.
	onChanged    func(pages []string)
	onAllChanged func() // all files may have changed, after a failure; may be nil

	site        *sitegen.Site // nil after a failure
	built       bool          // at least once
	sourceEmpty bool          // the default source held no session at the last build
	lastError   string        // the message that was printed last, "" after a success
	savedAt     time.Time
	faults      []transcript.Problem // of the last build
}

// errUnfinished makes the watcher call again, because a line has no end yet.
var errUnfinished = errors.New("a line has no end yet")

// saveInterval is the time between two writes of the state while a site changes.
const saveInterval = time.Minute

func newRebuilder(u *ui, flags siteFlags, sources []string) *rebuilder {
	return &rebuilder{u: u, flags: flags, sources: sources}
}

// firstBuild builds the site as viewer build does.
func (b *rebuilder) firstBuild(ctx context.Context) (sitegen.Report, error) {
	o, err := b.options()
	if err != nil {
		return sitegen.Report{}, err
	}
	p := newProgress(b.u)
	o.Progress = p.update
	b.openSite(o)
	b.u.begins(leavesSite)
	report, err := b.site.Build(ctx)
	p.done()
	if err == nil {
		b.built = true
		b.reportEmpty(report)
	}
	if err != nil || o.Force { // --force is for one build
		if closing := b.close(); err == nil {
			err = closing
		}
	}
	b.flags.force, b.savedAt, b.faults = false, time.Now(), report.Faults()
	return report, err
}

// prefetch reads the session that changed last into the cache. It is called when the site can be read, and before the
// watcher runs: an error is printed, and the next change tries again. A line without an end may be the last that is
// written, so that is tried again here.
func (b *rebuilder) prefetch(ctx context.Context) {
	if b.site == nil {
		return
	}
	b.site.Prefetch()
	if err := b.update(ctx); !errors.Is(err, errUnfinished) {
		return
	}
	select {
	case <-time.After(unfinishedWait):
		_ = b.update(ctx)
	case <-ctx.Done():
	}
}

// unfinishedWait is somewhat longer than a line may stay without its end before it is
// taken for torn.
const unfinishedWait = 1200 * time.Millisecond

func (b *rebuilder) openSite(o sitegen.Options) { b.site = sitegen.NewSite(o) }

// options returns the options that the flags set. The default source may have no session yet.
func (b *rebuilder) options() (sitegen.Options, error) {
	o, err := b.flags.options(b.sources)
	o.Empty, o.Unread = len(b.sources) == 0, b.u.unread
	o.Narrow = o.Narrow || b.built // later only time excludes sessions, as with --since
	return o, err
}

// reportEmpty prints that the default source holds no session, once.
func (b *rebuilder) reportEmpty(r sitegen.Report) {
	empty := r.Sessions+r.Empty-r.Kept == 0
	switch {
	case !empty || b.sourceEmpty || len(b.sources) > 0:
	case r.Kept > 0:
		b.u.warn("no sessions in %s: kept %s", sitegen.UsualWords(),
			words.Plural(r.Kept, "session whose files are gone", "sessions whose files are gone"))
	default:
		b.u.line("no sessions in %s yet: waiting for the first", sitegen.UsualWords())
	}
	b.sourceEmpty = empty
}

// close saves the site, if it is open.
func (b *rebuilder) close() error {
	if b.site == nil {
		return nil
	}
	err := b.site.Close()
	b.site = nil
	return err
}

// dropCache makes the next build start from the state on disk. What could not be saved is built again.
func (b *rebuilder) dropCache() { _ = b.close() }

// update builds the site again. It prints errors, and returns them so that the watcher calls again until they are gone.
func (b *rebuilder) update(ctx context.Context) error {
	report, err := b.build(ctx)
	if ctx.Err() != nil {
		return nil
	}
	if err != nil {
		if b.lastError != err.Error() {
			b.lastError = err.Error()
			b.u.complain(err)
		}
		b.dropCache() // what is cached may not be what is on disk
		return err
	}
	b.reportEmpty(report)
	if b.lastError != "" {
		b.lastError = ""
		b.u.line("the site is up to date again")
		if b.onAllChanged != nil {
			b.onAllChanged()
		}
	} else if len(report.Changed) > 0 && b.onChanged != nil {
		b.onChanged(report.Changed)
	}
	faults := report.Faults()
	for _, p := range faults {
		if !slices.Contains(b.faults, p) { // the first build has printed its own
			b.u.fault("%s", p)
		}
	}
	b.faults = faults
	if n := len(report.Changed); n > 0 && b.onWritten != nil {
		b.onWritten(n, report.Elapsed)
	}
	if report.Waiting > 0 {
		return errUnfinished
	}
	return b.save()
}

func (b *rebuilder) build(ctx context.Context) (sitegen.Report, error) {
	o, err := b.options()
	if err != nil {
		return sitegen.Report{}, err
	}
	if b.site == nil {
		b.openSite(o)
	}
	return b.site.Build(ctx)
}

// save writes the state of the site, once in saveInterval.
func (b *rebuilder) save() error {
	if time.Since(b.savedAt) < saveInterval {
		return nil
	}
	b.savedAt = time.Now()
	if err := b.site.Save(); err != nil {
		b.u.complain(err)
	}
	return nil
}

// newWatcher returns a watcher of the sources, which calls update. It must be made before the first build, so that it
// misses no change.
func (b *rebuilder) newWatcher(ctx context.Context, f watchFlags) *watch.Watcher {
	var paths []string
	for _, s := range b.sources {
		if storage.IsAddress(s) {
			continue // serve reports that it is not watched
		}
		paths = append(paths, withFilesBeside(s)...)
	}
	if len(b.sources) == 0 {
		paths = append(paths, sitegen.UsualSources()...)
	}
	paths = append(paths, sitegen.TitlesAround(b.sources)...)
	notes := b.flags.noteFiles()
	notes.Folders = append(notes.Folders, foldersOfFiles(b.sources)...)
	paths = append(paths, notes.Paths()...)
	options := make(map[string]bool) // files with options of a build
	for _, file := range []string{b.flags.pricing, b.flags.redactFlags.file} {
		if file != "" {
			options[filepath.Clean(file)] = true
			paths = append(paths, file)
		}
	}
	index := filepath.Join(b.flags.out, "index.html") // exists as long as the site does
	changed := func(files []string) error {
		_, err := os.Stat(index)
		gone := b.built && errors.Is(err, os.ErrNotExist)
		switch {
		case gone:
			b.u.line("%s is gone: building the site again", index)
			b.dropCache()
		case slices.ContainsFunc(files, func(file string) bool { return options[file] }):
			b.dropCache()
		}
		return b.update(ctx)
	}
	return watch.New(watch.Options{
		Paths: paths, Required: []string{index}, Poll: f.poll,
		Enter: entersFolder(b.flags.out), Changed: changed, Failed: b.u.reportWatchError,
	})
}

// withFilesBeside returns a source, and the files that belong to it if it is one file: those beside a session, and the
// write-ahead log of a database.
func withFilesBeside(source string) []string {
	info, err := os.Stat(source)
	ext := filepath.Ext(source)
	if err != nil || info.IsDir() || ext == "" {
		return []string{source}
	}
	return []string{source, strings.TrimSuffix(source, ext), source + "-wal"}
}

// foldersOfFiles returns the folders of sources that are one file. Notes next to it are read.
func foldersOfFiles(sources []string) (folders []string) {
	for _, s := range sources {
		if info, err := os.Stat(s); err == nil && !info.IsDir() {
			folders = append(folders, filepath.Dir(s))
		}
	}
	return folders
}

// entersFolder reports whether a folder of a source is watched. Links and hidden folders are not, because sitegen does
// not read them. The output is not, if it is inside its source, because it would cause another run.
func entersFolder(out string) func(dir string, link bool) bool {
	at, err := filepath.Abs(out)
	if err != nil {
		at = out
	}
	return func(dir string, link bool) bool {
		full, err := filepath.Abs(dir)
		return !link && !sitegen.IsUnread(filepath.Base(dir)) && (err != nil || !sameFolder(full, at))
	}
}

// sameFolder reports whether two names are of the same folder. Some systems ignore the case of letters.
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

// reportWatchError prints what cannot be watched. Everything else is watched.
func (u *ui) reportWatchError(err error) {
	limit, ok := errors.AsType[*watch.Limit](err)
	if !ok {
		u.warn("%v", err)
		return
	}
	u.warn("%v; falling back to polling every %v", err, limit.Poll)
	u.hint("the limit of the system for file watches is reached; on Linux, raise fs.inotify.max_user_watches or max_user_instances")
}
