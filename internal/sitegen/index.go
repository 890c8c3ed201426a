package sitegen

import (
	"runtime"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"viewer/internal/fingerprint"
	"viewer/render"
	"viewer/render/comparisonpages"
	"viewer/render/indexpages"
)

// writeIndexes writes everything that shows all sessions.
func (b *builder) writeIndexes(results []result) (Report, error) {
	report := Report{Problems: b.problems}
	count := 0
	for _, r := range results {
		if !r.Session.Empty {
			count++
		}
	}
	l, shown := b.indexInMemory(count)
	var all []*render.Summary
	if !b.large(count) {
		all = make([]*render.Summary, 0, count)
	}
	for _, r := range results {
		summary := r.summary()
		report.add(r, summary)
		report.Wrong = append(report.Wrong, r.wrong...)
		if r.Session.Empty {
			continue
		}
		if all != nil {
			all = append(all, summary)
		}
		shown.add(r.Session, summary, all != nil)
	}
	x := b.newIndexBuild(&report, l)
	x.summaries, x.shown.LostNotes = all, b.lostNotes(b.lost, results)
	err := x.write()
	return report, err
}

// An indexBuild writes everything that shows all sessions: sessions.json, index pages, the search index and tables.
type indexBuild struct {
	*builder
	report    *Report
	list      *indexedSessions
	byProject map[string][]int32 // the sessions of each project, by its path
	shown     indexpages.Site    // what the index pages show
	summaries []*render.Summary  // of all sessions; nil for a large site, where each is decoded when needed
}

func (b *builder) newIndexBuild(report *Report, l *indexedSessions) *indexBuild {
	x := &indexBuild{builder: b, report: report, list: l, byProject: l.byProject(), shown: indexpages.Site{
		Generator: "viewer " + b.Version, Prices: b.prices.Date, Failures: b.Failures, Search: !b.NoSearch,
		Ledger: report.Ledger, Problems: report.Problems, Empty: report.Empty,
		List: l.List, Large: b.large(l.Len()), Insights: l.Len() > 0,
	}}
	if b.Sample != nil {
		x.shown.Sample = "No sessions were found, so this is a sample of three. See in it:"
	}
	if b.Compare != nil {
		x.shown.Comparison = comparisonpages.FirstPage
	}
	report.Projects = len(x.byProject)
	return x
}

func (b *indexBuild) write() error {
	insights := sync.OnceValues(b.planInsights)
	var beside errgroup.Group
	defer beside.Wait()
	if b.shown.Large {
		if err := b.writeLargeFacts(); err != nil {
			return err
		}
	} else { // planning insights takes the longest after a small change
		beside.Go(func() error { _, err := insights(); return err })
		beside.Go(b.writeFacts)
	}
	pages := indexpages.Plan(b.shown)
	if b.Compare != nil {
		pages = append(pages, comparisonpages.Plan(b.shown, b.Compare)...)
	}
	files, err := b.planFiles()
	if err != nil {
		return err
	}
	b.report.Pages += files.kept
	pages = append(pages, files.pages...)
	if b.shown.Large { // one after the other, because they take much memory
		if _, err := insights(); err != nil {
			return err
		}
	}
	together := b.idleCores || b.list.Len() <= serialBlocks // of more sessions, both at once take too much memory
	if together {
		beside.Go(b.writeSearch)
	}
	if err := b.writePagesAfter(pages, insights); err != nil {
		return err
	}
	if err := beside.Wait(); err != nil {
		return err
	}
	if !together {
		b.freeSummaries()
		if err := b.writeSearch(); err != nil {
			return err
		}
	}
	return b.writeTables()
}

// freeSummaries frees the memory of thousands of summaries.
func (b *indexBuild) freeSummaries() {
	b.summaries = nil
	b.list.freeSummaries()
}

// A pagePlan is pages that are planned together.
type pagePlan struct {
	pages []indexpages.Page // to be written
	kept  int               // number of pages that have not changed and are not planned
}

// add adds pages to a plan. In a large site it writes them at once: all plans would take too much memory.
func (b *indexBuild) add(p *pagePlan, pages ...indexpages.Page) error {
	if b.shown.Large {
		return b.writePages(pages)
	}
	p.pages = append(p.pages, pages...)
	return nil
}

// setIndexKey records the key of an index page or a file of the search index. Both are made at the same time.
func (b *builder) setIndexKey(name string, key fingerprint.Digest) {
	b.nextMu.Lock()
	defer b.nextMu.Unlock()
	b.next.IndexKeys[name] = key
}

// isKnown reports whether the last build has recorded that key, and its result may be used.
func (b *builder) isKnown(name string, key fingerprint.Digest) bool {
	return b.old.IndexKeys[name] == key && !b.Force && !b.Verify
}

// writePages writes the pages that have changed.
func (b *indexBuild) writePages(pages []indexpages.Page) error {
	ready := make(chan bool, 1)
	ready <- true
	return b.writeInOrder(b.changedPages(pages), ready)
}

// writePagesAfter draws the pages that have changed while those of insights, which they link to, are planned and
// written. It writes them after those.
func (b *indexBuild) writePagesAfter(pages []indexpages.Page, insights func() (pagePlan, error)) error {
	changed := b.changedPages(pages)
	ready := make(chan bool, 1)
	var group errgroup.Group
	group.Go(func() error {
		first, err := insights()
		if err == nil {
			b.report.Pages += first.kept
			err = b.writePages(first.pages)
		}
		ready <- err == nil
		return err
	})
	group.Go(func() error { return b.writeInOrder(changed, ready) })
	return group.Wait()
}

// changedPages returns the pages that have changed, in the order of writing, and keeps the others.
func (b *indexBuild) changedPages(pages []indexpages.Page) []indexpages.Page {
	slices.Reverse(pages) // write pages before those that link to them, so that a killed build leaves no dead link
	var drawn []indexpages.Page
	for _, page := range pages {
		if strings.HasSuffix(page.Name, ".html") {
			b.report.Pages++
		}
		key := fingerprint.Of([]byte(page.Key))
		b.setIndexKey(page.Name, key)
		if b.isKnown(page.Name, key) && b.out.Intact(page.Name) {
			b.out.Keep(page.Name)
			continue
		}
		drawn = append(drawn, page)
	}
	return drawn
}

// writeInOrder draws pages on all cores. It writes them in order, after ready tells that it may; if it may not, it
// writes none. It begins with the last, which is the first page of the site and takes the longest.
func (b *indexBuild) writeInOrder(pages []indexpages.Page, ready <-chan bool) error {
	var group errgroup.Group
	limit := max(2, runtime.GOMAXPROCS(0)) // one of them waits for the others
	if b.idleCores {
		limit = 8 // most wait for ready
	}
	group.SetLimit(limit)
	turns := make([]<-chan bool, 1, len(pages)+1) // each tells whether the pages before were written
	done := make([]chan<- bool, len(pages))
	turns[0] = ready
	for i := range pages {
		next := make(chan bool, 1)
		done[i], turns = next, append(turns, next)
	}
	for n := range pages {
		i := (n + len(pages) - 1) % len(pages)
		group.Go(func() error {
			html := pages[i].HTML()
			if !<-turns[i] {
				done[i] <- false
				return nil
			}
			err := b.list.failed()
			if err == nil {
				err = b.out.Write(pages[i].Name, html)
			}
			done[i] <- err == nil
			return err
		})
	}
	return group.Wait()
}
