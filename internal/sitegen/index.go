package sitegen

import (
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"viewer/internal/fingerprint"
	"viewer/render"
	"viewer/render/comparisonpages"
	"viewer/render/indexpages"
)

// writeIndexes writes the index pages that changed, and sessions.json.
func (b *builder) writeIndexes(results []result) (Report, error) {
	report := Report{Problems: b.problems}
	site := b.newSite()
	count := 0
	for _, r := range results {
		if !r.Session.Empty {
			count++
		}
	}
	shown := make([]indexed, 0, count)
	var all []*render.Summary // nil for a large site, where each is decoded when needed
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
		k := indexed{Session: r.Session}
		if all != nil {
			all, k.summary = append(all, summary), summary
		}
		shown = append(shown, k)
	}
	l := b.indexInMemory(shown)
	site.LostNotes = b.lostNotes(b.lost, results)
	facts := func() error { return nil } // of a large site are in several files
	if all != nil {
		facts = func() error { return b.writeFacts(all) }
	}
	free := func() { // the memory of thousands of summaries
		all = nil
		for i := range shown {
			shown[i].summary = nil
		}
	}
	return report, b.drawIndexes(&report, site, l, facts, free)
}

// newSite returns what index pages show, without sessions.
func (b *builder) newSite() indexpages.Site {
	site := indexpages.Site{
		Generator: "viewer " + b.Version, Prices: b.prices.Date, Failures: b.Failures, Search: !b.NoSearch,
	}
	if b.Sample != nil {
		site.Sample = "No sessions were found, so this is a sample of three. See in it:"
	}
	if b.Compare != nil {
		site.Comparison = comparisonpages.FirstPage
	}
	return site
}

// drawIndexes writes everything that shows the listed sessions. facts writes their facts, free frees their summaries.
func (b *builder) drawIndexes(
	report *Report, site indexpages.Site, l *indexedSessions, facts func() error, free func(),
) error {
	site.Ledger, site.Problems, site.Empty = report.Ledger, report.Problems, report.Empty
	site.List, site.Large, site.Insights = l.List, b.large(l.Len()), l.Len() > 0
	projects := make(map[string]bool)
	for i := range l.Len() {
		projects[l.Listed(i).Project.Path] = true
	}
	report.Projects = len(projects)
	var beside, planning errgroup.Group
	defer beside.Wait()
	defer planning.Wait()
	var write func([]indexpages.Page) error
	if site.Large {
		if err := b.writeLargeFacts(l); err != nil {
			return err
		}
		write = func(pages []indexpages.Page) error { return b.writePages(report, l, pages) }
	}
	var ofInsights []indexpages.Page
	var sameInsights int
	planInsights := func() (err error) {
		ofInsights, sameInsights, err = b.planInsights(site, l, write)
		return err
	}
	if !site.Large { // this takes the longest after a small change
		planning.Go(planInsights)
	}
	pages := indexpages.Plan(site)
	if b.Compare != nil {
		pages = append(pages, comparisonpages.Plan(site, b.Compare)...)
	}
	ofFiles, kept, err := b.planFiles(site, l, write)
	if err != nil {
		return err
	}
	pages, report.Pages = append(pages, ofFiles...), report.Pages+kept
	if site.Large { // one after the other, because they take much memory
		if err := planInsights(); err != nil {
			return err
		}
	}
	beside.Go(facts)
	together := b.idleCores || l.Len() <= serialBlocks // of more sessions, both at once take too much memory
	if together {
		beside.Go(func() error { return b.writeSearch(l) })
	}
	err = b.writePagesAfter(report, l, pages, func() ([]indexpages.Page, error) {
		err := planning.Wait()
		report.Pages += sameInsights
		return ofInsights, err
	})
	if err != nil {
		return err
	}
	if err := beside.Wait(); err != nil {
		return err
	}
	if !together {
		free()
		if err := b.writeSearch(l); err != nil {
			return err
		}
	}
	return b.writeTables(l)
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
func (b *builder) writePages(report *Report, l *indexedSessions, pages []indexpages.Page) error {
	ready := make(chan bool, 1)
	ready <- true
	return b.writeInOrder(l, b.changedPages(report, pages), ready)
}

// writePagesAfter draws the pages that have changed while first plans and writes others, which they link to. It writes
// them after those.
func (b *builder) writePagesAfter(
	report *Report, l *indexedSessions, pages []indexpages.Page, first func() ([]indexpages.Page, error),
) error {
	changed := b.changedPages(report, pages)
	ready := make(chan bool, 1)
	var group errgroup.Group
	group.Go(func() error {
		pages, err := first()
		if err == nil {
			err = b.writePages(report, l, pages)
		}
		ready <- err == nil
		return err
	})
	group.Go(func() error { return b.writeInOrder(l, changed, ready) })
	return group.Wait()
}

// changedPages returns the pages that have changed, in the order of writing, and keeps the others.
func (b *builder) changedPages(report *Report, pages []indexpages.Page) []indexpages.Page {
	slices.Reverse(pages) // write pages before those that link to them, so that a killed build leaves no dead link
	var drawn []indexpages.Page
	for _, page := range pages {
		if strings.HasSuffix(page.Name, ".html") {
			report.Pages++
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
func (b *builder) writeInOrder(l *indexedSessions, pages []indexpages.Page, ready <-chan bool) error {
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
			err := l.failed()
			if err == nil {
				err = b.out.Write(pages[i].Name, html)
			}
			done[i] <- err == nil
			return err
		})
	}
	return group.Wait()
}
