package sitegen

import (
	"errors"
	"slices"

	"viewer/internal/failure"
	"viewer/internal/fingerprint"
	"viewer/internal/search"
	"viewer/internal/sitegen/state"
	"viewer/internal/transcript"
	"viewer/normalize"
	"viewer/render"
)

// A sessionBuild is the build of one session.
type sessionBuild struct {
	*builder
	session *session
	project *project
	files   *sessionReader     // nil until its files are known
	key     fingerprint.Digest // zero until it is known
	stored  storedSession      // by the last build
	drawing *drawing           // nil until it is drawn
}

// run draws the session, unless its pages are up to date, and adds it to the next state. A panic is reported on a page
// in place of the session.
func (b *sessionBuild) run() (r result, err error) {
	err = b.contain(func() (err error) {
		r, err = b.reuseOrDraw()
		return err
	})
	if f := asFault(err); f != nil {
		return b.drawFault(f)
	}
	return r, err
}

func (b *sessionBuild) reuseOrDraw() (result, error) {
	s := b.session
	watch := b.stages.Stopwatch()
	fail := func(err error) (result, error) { // the file existed a moment ago; the others are built
		switch {
		case asFault(err) != nil:
			return result{}, err
		case failure.Exhausted(err):
			return result{}, failure.New(err, "")
		}
		b.nextMu.Lock()
		defer b.nextMu.Unlock()
		b.next.Files[s.main.id] = unread
		empty := render.Summary{Empty: true, Problems: []transcript.Problem{b.unreadable(s.main, err)}}
		return result{Session: state.NewSession("", nil, &render.Drawing{Summary: empty})}, nil
	}
	b.probeStage(StageRead, s.folder)
	files, err := b.open(s, b.project, b.cacheable(s))
	if err != nil {
		return fail(err)
	}
	watch.Lap(StageRead, 0)
	b.files, b.key = files, files.key()
	old := b.old.Sessions[s.main.id]
	same := old != nil && old.Key == b.key
	if same && !b.Force && !b.Verify && s != b.prefetched && b.reusable(old) {
		old.SetKept(false)
		if files.resumed { // it was read and has not changed
			b.cache.checkIn(s.main.id, files.cached)
		}
		watch.Lap(StageFind, 0)
		b.note(old)
		r := result{Session: old, bytes: s.size(), reused: true}
		if b.idleCores && !b.large(len(b.old.Sessions)) { // the others take longer to draw
			summary := old.Summary()
			r.ready = &summary
		}
		return r, nil
	}
	if b.storesPages() {
		b.readStored()
	}
	in, err := files.read(watch)
	if errors.Is(err, errReread) {
		b.cache.evict(s.main.id)
		if files, err = b.open(s, b.project, false); err == nil {
			b.files = files
			in, err = files.read(watch)
		}
	}
	if err != nil {
		return fail(err)
	}
	return b.draw(in)
}

// note puts the session and the stamps of its files into the next state.
func (b *sessionBuild) note(made *state.Session) {
	b.nextMu.Lock()
	defer b.nextMu.Unlock()
	b.next.Sessions[b.session.main.id] = made
	if b.files == nil {
		return
	}
	if !b.files.unchanged {
		for _, f := range b.files.stamps() {
			b.next.SetFile(f.id, f.Stamp, f.content, b.start)
		}
	}
	if b.files.incomplete {
		b.next.Files[b.session.main.id] = unread
	}
}

// draw draws the session and writes it.
func (b *sessionBuild) draw(in render.Session) (result, error) {
	in.Generator, in.Prices = "viewer "+b.Version, b.prices
	s, old := b.session, b.old.Sessions[b.session.main.id]
	d := &drawing{builder: b.builder, planned: render.Open(in), folder: "s/" + s.folder}
	d.verify = old != nil && old.Key == b.key && b.Verify
	d.hadSegment = old != nil && old.HasSegment() && old.Folder == s.folder && b.site != nil && !b.site.shared
	b.drawing = d
	defer d.close()
	var cached *cachedSession
	if b.files != nil && !in.Fault {
		cached = b.files.cached
	}
	if cached == nil {
		b.cache.evict(s.main.id) // its pages are no longer those on disk
	} else {
		d.units = make(map[string][]search.Unit)
		if !b.Force {
			d.cached = cached.pages
		}
		cached.pages = cachedPages{} // invalid until all is written
		d.planned.UseCache(d.cached.memory)
	}
	stored := !in.Fault && b.storesPages()
	if stored {
		d.planned.SignContents()
		d.cached = b.readPages(d.planned)
	}
	if err := d.draw(in, cached == nil && d.cached.files == nil); err != nil {
		return result{}, err
	}
	segment, units, err := d.writeIndexFiles(in)
	if err != nil {
		return result{}, err
	}
	switch {
	case cached != nil:
		cached.pages = cachedPages{d.planned.Cache(), d.files, d.units, d.segment}
	case stored:
		if err := b.writePages(d); err != nil {
			return result{}, err
		}
	}
	if err := d.writeCalls(in); err != nil {
		return result{}, err
	}
	slices.Sort(d.wrong)
	made := state.NewSession(s.main.scanned.encoded, d.allOutputs(), &d.end)
	made.SafeName, made.Key, made.Source = s.main.scanned.safe, b.key, fingerprint.Of([]byte(s.main.source.ID))
	made.Pages, made.Segment, made.Units = d.pages, segment, units
	if b.files != nil && b.files.incomplete {
		made.Key = fingerprint.Digest{}
	}
	if b.site != nil && !b.builtBefore {
		made.Spool(&b.site.details)
	}
	b.note(made)
	return result{Session: made, bytes: s.size(), drawn: d.drawn, wrong: d.wrong}, nil
}

// reusable reports whether all files of a session are unchanged since the last build, and keeps them.
func (b *sessionBuild) reusable(k *state.Session) bool {
	files := k.Outputs()
	if !b.out.Intact(files...) || !b.NoSearch && !k.Empty && !b.segments.Has(k) {
		return false
	}
	b.out.Keep(files...)
	return true
}

// drawFault draws a page that reports a panic in a session. Pages of the session that were already written are removed
// later.
func (b *sessionBuild) drawFault(f *fault) (result, error) {
	s := b.session
	if b.drawing != nil && b.out != nil {
		b.out.MarkUnwritten("s/"+s.folder+"/", b.drawing.outputs)
	}
	b.cache.evict(s.main.id)
	main := &transcript.File{Name: b.nameOf(b.newRedactor(), s.main)}
	c := normalize.Build(normalize.Input{ID: b.redactedName(s.id), Main: main})
	c.Facts.Start = s.main.facts().Start
	c.Problems = []transcript.Problem{b.problem(s.main, f)}
	return b.draw(render.Session{
		Conversation: c, Main: main, Project: b.project.Project, Folder: s.folder, Fault: true,
		ShowAgent: b.project.several, Worktree: s.main.scanned.place.worktree,
		Notes: redactedNotes(s.notes, b.newRedactor().Text),
	})
}
