package sitegen

import (
	"cmp"
	"context"
	"encoding/json"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"viewer/assets"
	"viewer/internal/fingerprint"
	"viewer/internal/notes"
	"viewer/internal/sitegen/output"
	"viewer/internal/sitegen/segments"
	"viewer/internal/sitegen/state"
)

// A builder is one build of a site, or one check.
type builder struct {
	*reader
	movedSessions map[fingerprint.Digest]bool // sessions of the last build whose files were moved
	stages        *Stages
	stopwatch     *Stopwatch // of the main goroutine
	site          *Site      // nil when nothing is written
	out           *output.Writer

	segments *segments.Set // nil when nothing is written

	next   *state.State
	nextMu sync.Mutex // guards what sessions write to next
	*survey
	listing   fingerprint.Digest // see survey.listing
	fileCount int                // of the sources; rebuild would keep the list of files in memory for it
	projects  []*project
	memory    memoryLimit
	lost      []notes.Note // about sessions that are not there
	restamped bool         // only the stamps of sources have changed
	idleCores bool         // fewer sessions have changed than there are cores

	builtSession func(*session, result) error // called for each session from several goroutines; may be nil
}

func newBuilder(o Options, start time.Time) (*builder, error) {
	if err := o.ready(); err != nil {
		return nil, err
	}
	o.Originals = true // for net changes
	stages := new(Stages)
	return &builder{reader: &reader{Options: o, start: start}, stages: stages, stopwatch: stages.Stopwatch()}, nil
}

// withBuilder does something with a new builder. It limits memory meanwhile, and closes what the builder has opened.
// The site is nil when nothing is written.
func withBuilder[R any](o Options, s *Site, do func(*builder) (R, error)) (R, error) {
	b, err := newBuilder(o, time.Now())
	if err != nil {
		return *new(R), err
	}
	b.site, b.builtBefore = s, s != nil && s.last != nil
	defer b.close()
	if !b.builtBefore {
		b.memory.set(0) // until the largest session is known
	}
	return do(b)
}

func (b *builder) close() {
	b.closeSurvey()
	if b.segments != nil {
		b.segments.Close()
	}
	b.memory.reset()
}

// closeSurvey closes the sources, if any are open.
func (b *builder) closeSurvey() {
	if b.survey != nil {
		b.survey.close()
		b.survey = nil
	}
}

func (b *builder) build(ctx context.Context) (Report, error) {
	var looking, reading sync.WaitGroup
	defer looking.Wait()
	if err := b.openAll(ctx, &looking); err != nil {
		return Report{}, err
	}
	if b.cache != nil {
		b.cache.startBuild()
		b.survey.scans = &b.cache.scans
	}
	b.choosePrefetch()
	listed := b.sameListing()
	same := listed || b.sourcesUnchanged(b.files())
	if !same {
		b.prepare(&reading) // meanwhile
	}
	looking.Wait()
	if same {
		if report, ok := b.reuseReport(); ok {
			if b.restamped {
				b.site.restamped = b.old
			}
			b.stopwatch.Lap(StageFind, 0)
			return report, nil
		}
		b.prepare(&reading)
	}
	reading.Wait()
	if listed {
		if err := b.arrange(); err != nil {
			return Report{}, err
		}
	}
	files := b.files()
	b.next = state.New(b.site.base)
	b.next.Files = make(map[fingerprint.Digest]state.File, len(files)) // allocated at once
	b.next.Sessions = make(map[fingerprint.Digest]*state.Session, len(b.old.Sessions))
	return b.rebuild(ctx, files)
}

// openAll opens the site, finds the sessions, and starts to compare the files of the site with the state. A site that
// exists is opened while the sources are walked, a new one only if that succeeds. The files of the sources are not
// arranged into sessions if they are the same as at the last build.
func (b *builder) openAll(ctx context.Context, looking *sync.WaitGroup) (err error) {
	openSite := func() error {
		err := b.openSite(ctx)
		if err == nil && !b.Force && !b.Verify {
			looking.Go(b.out.StatAll)
		}
		return err
	}
	var opening errgroup.Group
	exists := output.IsSite(b.Out)
	if exists {
		opening.Go(openSite)
	}
	b.survey, err = listSources(ctx, b.Options, nil)
	failed := opening.Wait()
	b.listing = b.survey.listing(b.start)
	if err == nil && (!exists || failed != nil || !b.sameListing()) {
		err = b.arrange()
	}
	if err == nil && !exists {
		failed = openSite()
	}
	return cmp.Or(err, failed)
}

// arrange arranges the files of the sources into sessions.
func (b *builder) arrange() error {
	err := b.survey.arrange()
	if len(b.folders) == 0 || b.failed != nil {
		b.Prune = false // keep pages when a disk is missing
	}
	return err
}

// prepare starts to prepare what rebuild needs.
func (b *builder) prepare(reading *sync.WaitGroup) {
	go b.rules.Prepare() // the scan waits for them
	if b.builtBefore {
		return
	}
	reading.Go(func() {
		b.old.ReadSessions(b.out, &b.site.details)
	})
}

// openSite opens the site and reads the state of the last build.
func (b *builder) openSite(ctx context.Context) error {
	if err := b.site.open(ctx); err != nil {
		return err
	}
	b.out = b.site.out
	b.out.StartBuild()
	if b.site.last != nil {
		b.old = b.site.last
	} else {
		b.site.base = b.base()
		b.old = state.Read(b.out, b.site.base)
		b.site.stored = b.old
		b.out.Adopt(b.old.Outputs)
		if !b.site.shared {
			b.out.BeginWhole()
		}
	}
	b.segments = segments.New(b.out, b.old)
	b.segments.Holds = b.out.IsBucket() && !b.site.shared
	return nil
}

// rebuild builds what has changed.
func (b *builder) rebuild(ctx context.Context, files []file) (Report, error) {
	largest := b.largest()
	if b.builtBefore {
		largest += cacheMemory
	}
	b.memory.set(largest)
	kept, err := b.findSessions(ctx, files)
	if err != nil {
		return Report{}, err
	}
	if err := b.accept(kept); err != nil {
		return Report{}, err
	}
	b.stopwatch.Lap(StageFind, 0)
	if err := b.writeAssets(); err != nil {
		return Report{}, err
	}
	b.stopwatch.Lap(StageWrite, 0)
	results, err := b.sessions(ctx)
	if err != nil {
		return Report{}, err
	}
	b.addNotesOfEmpty(results)
	b.projects, b.folders = nil, nil   // free their memory for the indexes
	b.stopwatch = b.stages.Stopwatch() // each session has a stopwatch of its own
	if !b.builtBefore {
		b.memory.setForIndexes()
	}
	results = b.addKept(results, kept)
	report, err := b.writeIndexes(results)
	if err != nil {
		return Report{}, err
	}
	b.stopwatch.Lap(StageIndex, 0)
	if b.allRead() {
		b.next.Listing = b.listing
	}
	if err := b.finish(&report); err != nil {
		return Report{}, err
	}
	b.stopwatch.Lap(StageWrite, 0)
	return report, nil
}

// findSessions finds the projects to build, and the sessions that are only in the site.
func (b *builder) findSessions(ctx context.Context, files []file) (kept map[fingerprint.Digest]*state.Session,
	err error,
) {
	if err := b.scan(ctx, b.old); err != nil {
		return nil, err
	}
	b.idleCores = b.countChanged() < runtime.GOMAXPROCS(0)
	allNotes, err := b.readNotes()
	if err != nil {
		return nil, err
	}
	b.rememberFiles(files)
	kept = b.findKept()
	b.dropLogMissing(kept)
	var taken []string
	for _, id := range fingerprint.SortedKeys(kept) {
		taken = append(taken, kept[id].Folder)
	}
	b.projects = b.plan(b.folders, taken)
	for _, fo := range b.folders {
		fo.loose = nil // now listed with their sessions
	}
	b.lost = assignNotes(b.projects, allNotes)
	if err := b.chooseSessions(); err != nil {
		return nil, err
	}
	b.freeFacts()
	return kept, nil
}

// accept calls Options.Accept.
func (b *builder) accept(kept map[fingerprint.Digest]*state.Session) error {
	if b.Accept == nil {
		return nil
	}
	var ids []string
	for _, p := range b.projects {
		for _, s := range p.sessions {
			id := b.redactedName(s.id)
			if known := b.old.Sessions[s.main.id]; known != nil { // names that only its records tell are redacted, too
				id = known.Summary().ID
			}
			ids = append(ids, id)
		}
	}
	for _, known := range kept {
		ids = append(ids, known.Summary().ID)
	}
	return b.Accept(ids)
}

// writeAssets writes the style sheets, scripts and icons of the site.
func (b *builder) writeAssets() error {
	for _, f := range assets.Files() {
		if err := b.out.Write("assets/"+f.Name, []byte(f.Text)); err != nil {
			return err
		}
	}
	return nil
}

// isAsset reports whether a file of a site is one that writeAssets writes.
func isAsset(name string) bool {
	return strings.HasPrefix(name, "assets/") &&
		slices.ContainsFunc(assets.Files(), func(f assets.File) bool { return f.Name == name[len("assets/"):] })
}

// rememberFiles adds the files to the next state, as they were found. Sessions that are read later overwrite their
// entries.
func (b *builder) rememberFiles(files []file) {
	b.fileCount = len(files)
	for _, f := range files {
		if f.scanned != nil && f.scanned.err != nil && asFault(f.scanned.err) == nil {
			b.next.Files[f.id] = unread
			continue
		}
		content := fingerprint.Digest{}
		if known, same := b.old.Unchanged(f.id, f.Stamp); same {
			content = known.Content
		} else if f.scanned != nil {
			content = f.scanned.content
		}
		b.next.SetFile(f.id, f.Stamp, content, b.start)
	}
	for _, fo := range b.folders {
		for _, a := range fo.loose {
			b.next.LooseFacts[a.id] = a.scanned.encoded
		}
	}
}

// finish removes old files, and completes the next state and the report.
func (b *builder) finish(report *Report) error {
	// Without the state it is unknown which files belong to kept sessions, and those cannot be made again.
	if report.Left = 0; b.old.Lost && !b.Prune {
		report.Left = b.out.Abandon()
	}
	if err := b.out.Prune(); err != nil {
		return err
	}
	report.Kept, report.Removed = 0, b.countRemoved()
	for _, known := range b.next.Sessions {
		if known.Kept {
			report.Kept++
		}
	}
	report.Written, report.OutBytes = b.out.Counts()
	report.setFilter(b.Filter)
	report.Found, report.Fresh = b.found, b.old.Unusable
	report.Waiting, report.Read = int(b.unfinished.Load()), b.bytesRead.Load()
	said, err := json.Marshal(report)
	if err != nil {
		return err
	}
	b.next.Report = string(said)
	b.next.Lookups = b.old.NewLookups
	b.next.Outputs = b.out.Manifest()
	b.next.Segments = b.segments.TakeHeld()
	if err := b.site.details.Err(); err != nil {
		return err
	}
	report.Changed = b.out.TakeChanged()
	b.site.last, b.site.unsaved = b.next, true
	return nil
}
