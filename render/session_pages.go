package render

import (
	"maps"
	"sync"

	"viewer/internal/changes"
	"viewer/internal/outcome"
	"viewer/internal/stats"
	"viewer/normalize"
	"viewer/render/strip"
)

// Pages are the planned pages of a session. Each page can be drawn separately, so that a caller can write it and
// free its memory.
//
//	b := render.Open(session)
//	for i := range b.Len() - 1 {
//		write(b.Draw(i + 1, nil)) // at the same time, where there are cores
//	}
//	write(b.Draw(0, nil)) // has the outline and the ledger of all the others
type Pages struct{ b *pagesData }

// A DrawnPage is a drawn page with its files.
type DrawnPage struct {
	Page  Page
	Media []Media
}

// Open decides which pages a session has.
func Open(s Session) *Pages { return open(s, false) }

func open(s Session, single bool) *Pages {
	c := s.Conversation
	data := newSessionData(c, s.Prices)
	data.rows = s.Rows
	data.spilled, data.workflows, data.labels = s.Spilled, s.Workflows, workflowLabels(s.Workflows)
	b := &pagesData{Session: s, single: single, data: data, totals: data.tally.Of(c), title: outcome.Title(c)}
	data.net = sync.OnceValue(func() *netChange { return b.newNetChange(b.replayed) })
	if s.Fault {
		b.title += ", not shown"
	}
	plan := pagePlanner{data: data, single: single, inlined: make(map[string]int)}
	plan.conversation(c, nil)
	b.jobs = plan.jobs
	data.sentTables = sentTablesOf(b.jobs)
	data.noteReplies(c)
	data.notes = data.placeNotes(c, s.Notes)
	b.pageResults = make([]pageResult, len(b.jobs))
	b.outcome = sync.OnceValue(func() *outcome.Facts {
		f := outcome.Of(c, s.Spilled)
		return &f
	})
	data.commits = sync.OnceValue(func() map[*normalize.Message]string { return commitWords(b.outcome()) })
	data.prompts = b.totals.Prompts
	return &Pages{b}
}

// Parts returns functions that compute what all pages share and what takes long. They are optional and may run at the
// same time: otherwise the first page that needs a result computes it.
func (b *Pages) Parts() []func() {
	return []func(){func() { b.b.data.commits() }, func() { b.b.data.net() }}
}

// Len returns the number of pages.
func (b *Pages) Len() int { return len(b.b.jobs) }

// PageOf returns the page that has an anchor, "" when none has it.
func (b *Pages) PageOf(anchor string) string { return b.b.data.anchorPages[anchor] }

// DiffOf returns the address of the net diff of a file, relative to the folder of the session, "" when there is none.
func (b *Pages) DiffOf(path string) string {
	n := b.b.data.net()
	for i := range n.files {
		if n.files[i].Path == path {
			return n.places[i]
		}
	}
	return ""
}

// Draw draws page i. Several pages may be drawn at the same time, except page 0, which sums up the others and is drawn
// last. The page is written into memory if that is large enough; it may be nil.
func (b *Pages) Draw(i int, memory []byte) DrawnPage {
	d := newPageDrawing(b.b, i)
	page := Page{Name: d.job.name, HTML: d.draw(memory)}
	t := &b.b.pageResults[i]
	t.entries, t.steps, t.lookups = d.entries, d.outlined, d.lookups
	t.outline = d.outlineHTML
	if i == 0 {
		b.b.ledger, b.b.empty = d.ledger, d.empty
	}
	return DrawnPage{Page: page, Media: d.media.files}
}

// Title returns the title of the session as its pages show it.
func (b *Pages) Title() string { return b.b.title }

// Close returns what other pages need of the session. It must be called after all pages are drawn.
func (b *Pages) Close() Drawing {
	s, c := b.b.Session, b.b.Conversation
	out := Drawing{Ledger: b.b.ledger, Files: b.b.data.net().listed(b.b.data)}
	if !b.b.empty && !s.Fault {
		out.Insights = b.b.insights(out.Files)
	}
	out.Summary = Summary{
		ID: c.ID, Folder: s.Folder, Empty: b.b.empty, Title: b.b.title, Project: s.Project,
		Writer: c.Writer.Name, Worktree: clip(s.Worktree, 100), Start: c.Facts.Start,
		Totals: b.b.totals, Outcome: b.b.summaryOutcome(),
		Failure:   b.b.summaryFailure(),
		Relations: s.Relations, Problems: c.Problems, Notes: len(s.Notes),
	}
	for _, m := range stats.ModelNames(c, b.b.totals) {
		out.Summary.Models = append(out.Summary.Models, clip(m, 100))
	}
	if n := len(c.Facts.Branches); n > 0 {
		out.Summary.Branch = c.Facts.Branches[n-1]
	}
	return out
}

// DrawSession draws all pages of a session. The result depends on nothing but
// its argument.
func DrawSession(s Session) Drawing { return drawSession(s, false) }

// DrawOnePage draws a session on a single page, which has a policy for style and script inside.
func DrawOnePage(s Session) Drawing { return drawSession(s, true) }

func drawSession(s Session, single bool) Drawing {
	b := open(s, single)
	drawn := make([]DrawnPage, b.Len())
	for i := len(drawn) - 1; i >= 0; i-- { // the first page last
		drawn[i] = b.Draw(i, nil)
	}
	for i := range b.ChangesLen() {
		drawn = append(drawn, b.DrawChanges(i, nil))
	}
	var pages []Page
	media := new(mediaSet)
	for _, p := range drawn {
		pages = append(pages, p.Page)
		for _, m := range p.Media {
			media.put(m)
		}
	}
	out := b.Close()
	out.Pages, out.Media = pages, media.files
	return out
}

// pagesData is the data of Pages, which all its pages share. Only Draw, UseCache and Reuse write to it.
type pagesData struct {
	Session
	single      bool // on one self-contained page, see DrawOnePage
	data        *sessionData
	title       string
	totals      stats.Totals
	outcome     func() *outcome.Facts // computed once
	ledger      Ledger
	empty       bool
	jobs        []job
	pageResults []pageResult    // by page
	arena       *strip.Arena    // see UseCache
	replayed    *changes.Memory // see UseCache, nil where nothing is cached
	cache       *PageCache      // of an earlier drawing, nil when there is none
}

// A pageResult is what is kept of a page in memory: what the first page sums up, and the signature by which the page is
// reused.
type pageResult struct {
	entries map[*normalize.Message]ledgerEntry
	steps   []outlineStep
	outline string // of all pages, for those after it; "" where there are none; see Pages.Outlines
	lookups *lookups
	signature
	signed []*normalize.Message // nil before the signature is computed
}

// otherEntries returns the ledger entries of all pages but the first.
func (b *pagesData) otherEntries() map[*normalize.Message]ledgerEntry {
	all := make(map[*normalize.Message]ledgerEntry)
	for i := range b.pageResults {
		if i > 0 {
			maps.Copy(all, b.pageResults[i].entries)
		}
	}
	return all
}

// Places returns the page of each anchor, relative to the folder of the session.
func (b *Pages) Places() map[string]string { return b.b.data.anchorPages }
