package sitegen

import (
	"cmp"
	"context"
	"encoding/json"
	"io/fs"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"viewer/assets"
	"viewer/internal/fingerprint"
	"viewer/internal/sitegen/output"
	"viewer/internal/sitegen/state"
	"viewer/internal/sources"
	"viewer/internal/stats"
	"viewer/internal/transcript"
	"viewer/render"
)

// Options say what to build and where.
type Options struct {
	Sources  []string // projects folders, project folders, session files
	Names    Names    // what session files are called
	Failures []string // of a report, which stand on its first page
	Sample   fs.FS    // built instead of Sources when not nil
	Empty    bool     // sources may hold no session yet, or not be there: what the site shows stays
	Out      string
	Personal bool   // draw the account of whoever ran the sessions, too
	Force    bool   // build into a folder that holds other files, and draw everything again
	Pricing  string // a file of prices, instead of the list prices; "" for those
	Verify   bool   // draw everything again, and compare with what the last build left
	Prune    bool   // remove the pages of sessions whose files are gone
	Narrow   bool   // remove the pages of sessions that Filter leaves out: else it is an error that there are some
	NoSearch bool   // write no search index
	Filter   Filter // of the sessions
	Version  string // of the program

	// Originals keeps the texts of whole files before edits, which logs hold and pages do not show.
	Originals bool

	// Progress, when not nil, is told of each finished session, from several goroutines.
	Progress func(Progress)

	// Fault, when not nil, is told of each session that something other than a build had to leave out
	// because of a fault of ours, from several goroutines. When it is nil, that is an error.
	Fault func(transcript.Problem)

	Redaction Redaction // what is taken out of the sessions

	writers sources.List // instead of those that the program knows: for tests

	bare  bool                // a panic ends the program: for fuzz tests
	probe func(Stage, string) // told of the stages of each session, by its folder: for tests

	prices    stats.Prices // of Pricing, read once
	pricesKey digest       // stands for them
	rules     rules
	rulesKey  digest // stands for them
}

// ready reads what the options name.
func (o *Options) ready() error {
	var err error
	if o.prices, o.pricesKey, err = readPrices(o.Pricing); err != nil {
		return err
	}
	o.rules, o.rulesKey, err = o.Redaction.rules()
	return err
}

// A Progress is how far a build is.
type Progress struct {
	Sessions, AllSessions int
	Bytes, AllBytes       int64 // of their files
}

// A Report says what a build made.
type Report struct {
	Sessions int // with a page
	Empty    int // without anything to show
	Rendered int // sessions that were drawn
	Reused   int // sessions whose pages were left as they are
	Drawn    int // pages of sessions that were drawn: of one that grows, those that show something new
	Archived int // sessions whose files are gone and whose pages stay
	Removed  int // sessions that the last build had and this one has not, though nobody asked to prune them
	Waiting  int // transcripts whose last line had no end yet: to be looked at again soon
	Projects int
	Pages    int
	Written  int   // files whose bytes changed
	InBytes  int64 // of the sessions
	Read     int64 // of them, what had to be read
	OutBytes int64
	Totals   stats.Totals
	Ledger   render.Ledger
	Problems []transcript.Problem
	Elapsed  time.Duration
	Stages   []StageTime // where the time went, summed over goroutines: more than Elapsed on several cores

	Filter string // that the sessions were chosen by, "" for all

	// Fresh says why nothing of the last build could be used, "" when it could or when there was none.
	Fresh string
	// Left is the number of files of sessions that stay and are listed no more, since what was known of their sessions is lost.
	Left int `json:"-"`
	// Changed are the files of the site that were written or removed.
	Changed []string `json:"-"`
	// Wrong are files that were left by the last build and are not what this one drew (Options.Verify).
	Wrong []string
}

// A builder is one build.
type builder struct {
	*reader
	moved     map[digest]bool // sessions of the last build whose files lie elsewhere now
	stages    *Stages
	stopwatch *Stopwatch // of the goroutine that leads
	site      *Site      // nil when nothing is written
	out       *output.Writer

	segments *segments // nil when nothing is written

	next   *state.State
	noting sync.Mutex // of what sessions leave in next
	*survey
	projects []*project
	memory   memoryLimit
	touched  bool // sources have other times and nothing else
	idle     bool // there is less to draw than there are cores
}

func newBuilder(o Options, start time.Time) (*builder, error) {
	if err := o.ready(); err != nil {
		return nil, err
	}
	stages := new(Stages)
	return &builder{reader: &reader{Options: o, start: start}, stages: stages, stopwatch: stages.Stopwatch()}, nil
}

func (b *builder) build(ctx context.Context) (Report, error) {
	defer b.memory.reset()
	defer func() {
		if b.segments != nil {
			b.segments.close()
		}
	}()
	if !b.again {
		b.memory.set(0) // until more is known
	}
	var err error
	var opening, looking, reading errgroup.Group
	defer looking.Wait()
	open := func() error {
		err := b.openSite()
		if err == nil && !b.Force && !b.Verify {
			looking.Go(func() error { b.out.StatAll(); return nil })
		}
		return err
	}
	there := output.IsSite(b.Out)
	if there { // what it holds is looked at while the sources are
		opening.Go(open)
	}
	b.survey, err = look(ctx, b.Options)
	failed := opening.Wait()
	if err != nil {
		return Report{}, err
	}
	defer b.survey.close()
	if !there {
		failed = open()
	}
	if failed != nil {
		return Report{}, failed
	}
	if len(b.folders) == 0 {
		b.Prune = false // a disk that is not there takes no pages with it
	}
	if b.cache != nil {
		b.cache.startBuild()
		b.survey.scans = &b.cache.scans
	}
	files := b.files()
	b.choosePrefetch()
	begin := func() { // whatever is found of the site
		go render.Prepare()
		go b.rules.prepare()
		if !b.again {
			reading.Go(func() error { b.old.ReadSessions(b.out); return nil })
		}
	}
	same := b.same(files)
	if !same {
		begin()
	}
	looking.Wait()
	if same {
		if report, ok := b.unchanged(); ok {
			if b.touched {
				b.site.restamped = b.old
			}
			b.stopwatch.Lap(StageFind, 0)
			return report, nil
		}
		begin()
	}
	reading.Wait()
	b.next = state.New(b.site.base)
	b.next.Files = make(map[digest]state.File, len(files)) // which does not grow by doubling
	return b.rebuild(ctx, files)
}

// openSite opens the site, and reads what the last build has left of it.
func (b *builder) openSite() error {
	if err := b.site.open(); err != nil {
		return err
	}
	b.out = b.site.out
	b.segments = newSegments(b.out)
	b.out.StartBuild()
	if b.site.last != nil {
		b.old = b.site.last
	} else {
		b.site.base = b.base()
		b.old = state.Read(b.out, b.site.base)
		b.out.Adopt(b.old.Outputs)
	}
	return nil
}

// rebuild makes what is missing.
func (b *builder) rebuild(ctx context.Context, files []file) (Report, error) {
	largest := b.largest()
	if b.again {
		largest += cacheMemory
	}
	b.memory.set(largest)
	if err := b.scan(ctx, b.old); err != nil {
		return Report{}, err
	}
	b.idle = b.countChanged() < runtime.GOMAXPROCS(0)
	b.note(files)
	archived := b.archive()
	b.dropGone(archived)
	var taken []string
	for _, id := range fingerprint.SortedKeys(archived) {
		taken = append(taken, archived[id].Folder)
	}
	var err error
	b.projects = b.plan(b.folders, taken)
	for _, fo := range b.folders {
		fo.loose = nil // they have found their sessions
	}
	if err := b.refuseNarrow(); err != nil {
		return Report{}, err
	}
	if b.projects, err = b.Filter.choose(b.projects); err != nil {
		return Report{}, err
	}
	for _, p := range b.projects {
		if err := relate(p, b.old); err != nil {
			return Report{}, err
		}
	}
	b.stopwatch.Lap(StageFind, 0)
	for _, f := range assets.Files() {
		if err := b.out.Write("assets/"+f.Name, []byte(f.Text)); err != nil {
			return Report{}, err
		}
	}
	b.stopwatch.Lap(StageWrite, 0)
	results, err := b.sessions(ctx)
	if err != nil {
		return Report{}, err
	}
	b.projects, b.folders = nil, nil   // what the indexes need takes as much
	b.stopwatch = b.stages.Stopwatch() // the sessions have watches of their own
	for _, id := range fingerprint.SortedKeys(archived) {
		known := archived[id]
		known.Archived = true
		b.next.Sessions[id] = known
		b.out.Keep(known.Outputs()...)
		results = append(results, result{Session: known})
	}
	report, err := b.indexes(results)
	if err != nil {
		return Report{}, err
	}
	b.stopwatch.Lap(StageIndex, 0)
	if err := b.leave(&report); err != nil {
		return Report{}, err
	}
	b.stopwatch.Lap(StageWrite, 0)
	return report, nil
}

// note remembers the files as they were found. What has to be read of a session
// is noted again then.
func (b *builder) note(files []file) {
	for _, f := range files {
		content := digest{}
		if known, same := b.old.Unchanged(f.id, f.stamp); same {
			content = known.Content
		} else if f.seen != nil {
			content = f.seen.content
		}
		b.next.SetFile(f.id, f.stamp, content, b.start)
	}
	for _, fo := range b.folders {
		for _, a := range fo.loose {
			b.next.LooseFacts[a.id] = a.seen.facts
		}
	}
}

// leave removes what is made no more and writes the state for the next build.
func (b *builder) leave(report *Report) error {
	if report.Left = 0; b.old.Lost && !b.Prune { // some may be of sessions whose files are gone, and nobody can make them again
		report.Left = b.out.Abandon()
	}
	if err := b.out.Prune(); err != nil {
		return err
	}
	report.Archived, report.Removed = 0, b.removed()
	for _, known := range b.next.Sessions {
		if known.Archived {
			report.Archived++
		}
	}
	report.Written, report.OutBytes = b.out.Counts()
	report.Fresh, report.Filter, report.Waiting, report.Read = b.old.Unusable, b.Filter.String(), int(b.unfinished.Load()), b.bytesRead.Load()
	said, err := json.Marshal(report)
	if err != nil {
		return err
	}
	b.next.Report = string(said)
	b.next.Lookups = b.old.NewLookups
	b.next.Outputs = b.out.Manifest()
	report.Changed = b.out.TakeChanged()
	b.site.last, b.site.unsaved = b.next, true
	return nil
}

// Check reads and draws everything as Build does, and writes nothing: the
// report says what there is and what could not be used.
func Check(ctx context.Context, o Options) (Report, error) {
	start := time.Now()
	b, err := newBuilder(o, start)
	if err != nil {
		return Report{}, err
	}
	defer b.memory.reset()
	b.memory.set(0) // until more is known
	b.old, b.next = state.New(digest{}), state.New(digest{})
	if b.survey, err = look(ctx, o); err != nil {
		return Report{}, err
	}
	defer b.survey.close()
	b.memory.set(b.largest())
	if err := b.scan(ctx, b.old); err != nil {
		return Report{}, err
	}
	if b.projects, err = o.Filter.choose(o.plan(b.folders, nil)); err != nil {
		return Report{}, err
	}
	for _, p := range b.projects {
		if err := relate(p, b.old); err != nil {
			return Report{}, err
		}
	}
	results, err := b.sessions(ctx)
	if err != nil {
		return Report{}, err
	}
	report := Report{Problems: b.problems}
	for _, r := range results {
		summary := r.summary()
		report.add(r, &summary)
	}
	report.Elapsed, report.Stages = time.Since(start), b.stages.Times()
	return report, nil
}

// add counts one session.
func (r *Report) add(s result, summary *render.Summary) {
	s.AddLedger(&r.Ledger)
	r.Totals.Accumulate(summary.Totals)
	r.Problems = append(r.Problems, summary.Problems...)
	r.Pages += s.Pages
	r.Drawn += s.drawn
	r.InBytes += s.bytes
	switch {
	case s.Archived:
	case s.reused:
		r.Reused++
	default:
		r.Rendered++
	}
	if s.Empty {
		r.Empty++
	} else {
		r.Sessions++
	}
}

// A result is a session after its pages are written.
type result struct {
	*state.Session
	bytes  int64
	drawn  int // pages
	reused bool
	wrong  []string
	ready  *render.Summary // nil when it is to be decoded
}

// summary is what lists say of it.
func (r result) summary() render.Summary {
	if r.ready != nil {
		return *r.ready
	}
	return r.Session.Summary()
}

// fresh is 1 for a session that was written to since the last build.
func (b *builder) changedRank(s *session) int {
	same := b.old.Files[s.main.id].Content == s.main.seen.content
	for _, a := range s.agents {
		if same {
			_, same = b.old.Unchanged(a.id, a.stamp)
		}
	}
	if same {
		return 0
	}
	return 1
}

// changed is how many sessions have changed, most likely.
func (b *builder) countChanged() int {
	n := 0
	for _, fo := range b.folders {
		for _, s := range fo.sessions {
			n += b.changedRank(s)
		}
	}
	return n
}

// sessions draws and writes the sessions on all cores, those that have changed before
// those that most likely have not, and the longest first; the results are in the order of
// the sessions.
func (b *builder) sessions(ctx context.Context) ([]result, error) {
	type task struct {
		s     *session
		p     *project
		at    int
		size  int64
		fresh int
	}
	var tasks []task
	var all int64
	for _, p := range b.projects {
		for _, s := range p.sessions {
			t := task{s, p, len(tasks), s.size(), b.changedRank(s)}
			all += t.size
			tasks = append(tasks, t)
		}
	}
	results := make([]result, len(tasks))
	slices.SortFunc(tasks, func(a, b task) int {
		return cmp.Or(cmp.Compare(b.fresh, a.fresh), cmp.Compare(b.size, a.size), cmp.Compare(a.at, b.at))
	})

	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	var done, bytes atomic.Int64
	for _, t := range tasks {
		group.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			r, err := (&sessionBuild{builder: b, session: t.s, project: t.p}).run()
			if err != nil {
				return err
			}
			results[t.at] = r
			n := done.Add(1)
			size := bytes.Add(t.size)
			if t.s.family == nil && b.cache == nil {
				t.s.main, t.s.agents, t.s.beside = file{}, nil, nil // nobody asks for its files any more
			}
			if b.Progress != nil {
				b.Progress(Progress{Sessions: int(n), AllSessions: len(tasks), Bytes: size, AllBytes: all})
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	return results, nil
}
