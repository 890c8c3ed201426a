package main

import (
	"context"
	"errors"
	"slices"
	"time"

	"viewer/internal/archive/store"
	"viewer/internal/sitegen"
	"viewer/internal/transcript"
	"viewer/internal/watch"
)

// An archiveWatcher archives again when the sources change.
type archiveWatcher struct {
	u       *ui
	flags   archiveFlags
	sources []string

	endedAt   time.Time       // of the last run
	lastError string          // the message that was printed last, "" after a success
	waiting   bool            // the default sources have no session, and this was printed
	said      map[string]bool // problems of files that were printed, each once
}

// busyWait is the time between two attempts at the start while another process archives into the same folder.
const busyWait = time.Second

// watchArchive archives, and archives what changes, until the context ends.
func watchArchive(ctx context.Context, u *ui, f archiveFlags, sources []string) error {
	if f.sign != "" {
		return usagef("--sign and --watch cannot be combined: run viewer archive --sign from time to time")
	}
	if err := f.watch.check(); err != nil {
		return err
	}
	if f.every < 0 {
		return usagef("--every %v is invalid: a duration such as 30s", f.every)
	}
	if err := onDisk(sources); err != nil {
		return err
	}
	a := &archiveWatcher{u: u, flags: f, sources: sources, said: make(map[string]bool)}
	w := a.newWatcher(ctx) // first, so that it misses no change
	if err := a.firstRun(ctx); err != nil {
		return err
	}
	u.line("watching for changes; press Ctrl-C to stop")
	w.Run(ctx)
	return errStopped
}

// firstRun archives everything that is new. It waits while another process has the archive.
func (a *archiveWatcher) firstRun(ctx context.Context) error {
	for {
		r, err := a.run(ctx)
		a.tell(r, err == nil && !a.waiting)
		if !errors.Is(err, store.ErrBusy) {
			a.lastError = ""
			return err
		}
		a.complainOnce(err)
		select {
		case <-time.After(busyWait):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// run archives once. The default sources may hold no session yet.
func (a *archiveWatcher) run(ctx context.Context) (sitegen.ArchiveReport, error) {
	o, err := a.flags.options(ctx, a.u, a.sources)
	if err != nil {
		return sitegen.ArchiveReport{}, err
	}
	a.u.begins(leavesArchive)
	r, err := sitegen.Archive(ctx, o)
	a.endedAt = time.Now()
	empty := len(a.sources) == 0 && errors.Is(err, sitegen.ErrNone)
	if empty && !a.waiting {
		a.u.line("no sessions in %s yet: waiting for the first", sitegen.UsualWords())
	}
	if a.waiting = empty; empty {
		err = nil
	}
	return r, err
}

// update archives what changed. It prints errors, and returns them so that the watcher tries again.
func (a *archiveWatcher) update(ctx context.Context) error {
	select {
	case <-time.After(time.Until(a.endedAt.Add(a.flags.every))):
	case <-ctx.Done():
		return nil
	}
	r, err := a.run(ctx)
	if ctx.Err() != nil {
		return nil
	}
	a.tell(r, err == nil && r.Written > 0 && a.u.verbose)
	if err != nil {
		a.complainOnce(err)
		return err
	}
	if a.lastError != "" {
		a.lastError = ""
		a.u.line("the archive is up to date again")
	}
	return nil
}

// tell prints problems of files that were not printed before, and what a run did.
func (a *archiveWatcher) tell(r sitegen.ArchiveReport, whole bool) {
	r.Problems = slices.DeleteFunc(r.Problems, func(p transcript.Problem) bool {
		text := p.String()
		known := a.said[text]
		a.said[text] = true
		return known
	})
	a.u.tellArchived(a.flags, r, whole)
}

func (a *archiveWatcher) complainOnce(err error) {
	if a.lastError != err.Error() {
		a.lastError = err.Error()
		a.u.complain(err)
	}
}

// newWatcher watches the sources, except for the archive if it is inside one.
func (a *archiveWatcher) newWatcher(ctx context.Context) *watch.Watcher {
	names := a.sources
	if len(names) == 0 {
		names = sitegen.UsualSources()
	}
	var paths []string
	for _, name := range names {
		paths = append(paths, withFilesBeside(name)...)
	}
	return watch.New(watch.Options{
		Paths: append(paths, sitegen.TitlesAround(a.sources)...), Poll: a.flags.watch.poll,
		Enter:   entersFolder(a.flags.out),
		Changed: func([]string) error { return a.update(ctx) },
		Failed:  a.u.reportWatchError,
	})
}
