package sitegen

import (
	"runtime"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"viewer/internal/fingerprint"
	"viewer/internal/sitegen/state"
	"viewer/render"
)

// An indexed is a session that the indexes show.
type indexed struct {
	*state.Session
	start   time.Time
	summary *render.Summary // nil when there are too many to decode all at once
	kept    bool            // it is the same as at the last build
}

// listSummary returns what lists show of the session.
func (k indexed) listSummary() *render.Summary {
	if k.summary != nil {
		return k.summary
	}
	s := k.Session.Summary()
	return &s
}

// writeIndexes writes the index pages that changed, and sessions.json.
func (b *builder) writeIndexes(results []result) (Report, error) {
	report := Report{Problems: b.problems}
	site := render.Site{Generator: "viewer " + b.Version, Prices: b.prices.Date, Failures: b.Failures}
	if b.Sample != nil {
		site.Sample = "No sessions were found, so this is a sample of three. See in it:"
	}
	if b.Compare != nil {
		site.Comparison = render.ComparisonPage
	}
	projects := make(map[string]bool)
	site.Sessions = make([]render.Summary, 0, len(results)) // allocated at once: there are pointers to its elements
	site.Keys = make([]render.Key, 0, len(results))
	var shown []indexed
	for _, r := range results {
		summary := r.summary()
		report.add(r, &summary)
		report.Wrong = append(report.Wrong, r.wrong...)
		if summary.Empty {
			continue
		}
		site.Sessions = append(site.Sessions, summary)
		site.Keys = append(site.Keys, render.Key(r.SummaryKey()))
		kept := r.Session.IsStored() && (r.reused || summary.Archived)
		shown = append(shown, indexed{r.Session, summary.Start, &site.Sessions[len(site.Sessions)-1], kept})
		projects[summary.Project.Path] = true
	}
	site.Ledger, site.Problems, site.Empty = report.Ledger, report.Problems, report.Empty
	var beside errgroup.Group
	defer beside.Wait()
	site.Large, site.Insights = b.large(len(shown)), len(shown) > 0
	if site.Large {
		if err := b.writeLargeFacts(site.Sessions, site.Keys); err != nil {
			return report, err
		}
	} else {
		beside.Go(func() error { return b.writeFacts(site.Sessions, shown) })
	}
	pages := render.PlanIndexes(site)
	if b.Compare != nil {
		pages = append(pages, render.PlanComparison(site, b.Compare)...)
	}
	ofFiles, kept, err := b.planFiles(site, shown)
	if err != nil {
		return report, err
	}
	ofInsights, same := b.planInsights(site, shown)
	pages, report.Pages = append(append(pages, ofFiles...), ofInsights...), report.Pages+kept+same
	slices.Reverse(pages) // write pages before those that link to them, so that a killed build leaves no dead link
	var drawn []render.IndexPage
	for _, page := range pages {
		if strings.HasSuffix(page.Name, ".html") {
			report.Pages++
		}
		key := fingerprint.Of([]byte(page.Key))
		b.next.IndexKeys[page.Name] = key
		if b.old.IndexKeys[page.Name] == key && !b.Force && !b.Verify && b.out.Intact(page.Name) {
			b.out.Keep(page.Name)
			continue
		}
		drawn = append(drawn, page)
	}
	together := b.idleCores || len(shown) <= serialBlocks // of more sessions both at once take too much memory
	if together {
		beside.Go(func() error { return b.writeSearch(shown) })
	}
	if err := b.writeInOrder(drawn); err != nil {
		return report, err
	}
	if err := beside.Wait(); err != nil {
		return report, err
	}
	if !together {
		site.Sessions = nil // free the memory of thousands of summaries
		for i := range shown {
			shown[i].summary = nil
		}
		if err := b.writeSearch(shown); err != nil {
			return report, err
		}
	}
	if err := b.writeTables(shown); err != nil {
		return report, err
	}
	report.Projects = len(projects)
	return report, nil
}

// writeInOrder draws pages on all cores and writes them in order. It begins with the last, which is the first page of
// the site and takes the longest.
func (b *builder) writeInOrder(pages []render.IndexPage) error {
	var group errgroup.Group
	group.SetLimit(max(2, runtime.GOMAXPROCS(0))) // one of them waits for the others
	turns := make([]chan bool, len(pages)+1)      // each tells whether the pages before were written
	for i := range turns {
		turns[i] = make(chan bool, 1)
	}
	turns[0] <- true
	for n := range pages {
		i := (n + len(pages) - 1) % len(pages)
		group.Go(func() error {
			html := pages[i].HTML()
			if !<-turns[i] {
				turns[i+1] <- false
				return nil
			}
			err := b.out.Write(pages[i].Name, html)
			turns[i+1] <- err == nil
			return err
		})
	}
	return group.Wait()
}
