package render

import (
	"html/template"

	"viewer/normalize"
	"viewer/render/page"
	"viewer/render/strip"
)

type sessionView struct {
	Head        page.Head
	Title       string
	Story       *storyView  // on the first page of the session
	Meta        []metaFact  // on all others
	Later       bool        // a page of the session itself that is not its first
	Related     []page.Link // other sessions that this one belongs to
	Strip       *strip.View
	Outline     outlineView
	Pager       *page.Pager
	PagerAbove  *page.Pager // on all pages but the first
	Notes       *notesList  // on the first page
	Turns       []section
	RestNotes   *NotesView
	Unlinked    []template.HTML
	LogMissing  bool // only its agents exist
	Empty       string
	Changes     *changesView     // net diffs, on the first page where they are short
	Permissions *permissionsView // on the first page
	Problems    *ProblemsView
	Ledger      []LedgerRow
}

// A pageDrawing draws one page of a session.
type pageDrawing struct {
	*pagesData
	*job
	*pageState
	first  bool   // the first page of the session, which sums up all others
	ledger Ledger // of the first page
	empty  bool   // see Summary

	outlineHTML string // see pageResult.outline
}

func newPageDrawing(b *pagesData, i int) *pageDrawing {
	j := &b.jobs[i]
	d := &pageDrawing{pagesData: b, job: j, first: i == 0}
	d.pageState = newPageState(b.data, j.name, j.inner != nil)
	d.quota.unlimited = b.single
	if i > 0 { // the first page is always drawn again
		d.lookups = newLookups()
	}
	return d
}

// draw draws the page into memory.
func (d *pageDrawing) draw(memory []byte) []byte {
	v := sessionView{Title: d.title}
	if d.inner != nil {
		v.Title = d.inner.title
	}
	v.Head = d.head(v.Title)
	if !d.first {
		v.Meta, v.Later = d.meta(), d.inner == nil
	}
	if d.index == 0 {
		v.Strip = d.strip(d.conversation, d.stripArena())
	}
	if d.first {
		v.Related, v.Notes = d.related(), d.notesList()
	}
	d.turns(&v)
	v.RestNotes = d.restOfNotes()
	v.Outline = d.outline()
	if d.last > 0 {
		v.Pager = d.pager()
		if v.Pager.Prev != nil {
			above := *v.Pager
			above.Label = "Pages, above"
			v.PagerAbove = &above
		}
	}
	if d.first {
		v.Changes = d.inlineChangesView()
		v.Permissions = d.permissions()
		stopped := 0
		if v.Permissions != nil {
			stopped = v.Permissions.Stopped
		}
		v.Story = d.story(&v.Outline, stopped)
		d.account(&v)
	}
	d.wholeOutline(&v)
	if d.single {
		return append(page.Draw(memory, "page/session", v), '\n')
	}
	return page.DrawWhole(memory, "page/session", v)
}

// strip draws a conversation of the session, nil if it is too short.
func (d *pageDrawing) strip(c *normalize.Conversation, arena *strip.Arena) *strip.View {
	v := strip.Draw(c, strip.Places{Pages: d.anchorPages, Href: d.href}, arena)
	if v == nil {
		return nil
	}
	if sum := d.tally.Of(c); sum.Tokens() > 0 {
		v.Models = page.NewModels(sum.Models, page.Exact)
		if sum.Agents > 0 {
			v.Notes = []string{"Agents are counted where their model is."}
		}
	}
	return v
}

// stripArena returns the memory of an earlier strip of the first page, nil for others.
func (d *pageDrawing) stripArena() *strip.Arena {
	if d.first {
		return d.arena
	}
	return nil
}

// head returns the head of the page: its title and the links above it.
func (d *pageDrawing) head(title string) page.Head {
	crumbs := d.crumbs(d.root)
	if d.inner != nil {
		crumbs = append(crumbs, page.Link{Href: d.base + "index.html", Text: d.title})
	}
	crumbs = append(crumbs, page.Link{Text: title})
	if d.index > 0 {
		title += ", page " + count(d.index+1)
	}
	if d.Project.Name != "" {
		title += " · " + d.Project.Name
	}
	v := page.NewHead("page-session", title+" · session", d.Generator, d.root, crumbs)
	if d.first {
		v.Description = d.describe()
	}
	v.Levels, v.AsSent = true, d.Conversation.AsSent()
	v.Paged = len(d.jobs) > 1 && !d.single
	if d.single {
		v.Policy, v.Crumbs = page.Policy(), crumbs[len(crumbs)-1:]
	}
	return v
}

// crumbs returns links to the pages above the session.
func (b *pagesData) crumbs(root string) []page.Link {
	all := []page.Link{{Href: root + "index.html", Text: "Sessions"}}
	if b.Project.Name != "" {
		all = append(all, page.Link{Href: root + b.Project.Path, Text: b.Project.Name})
	}
	return all
}

// related returns links to related sessions.
func (d *pageDrawing) related() []page.Link {
	var all []page.Link
	for _, r := range d.Relations {
		l := page.Link{
			Href: "../" + r.Folder + "/index.html", Text: oneLine(r.Title, 80), Note: r.How, At: page.Moment(r.At),
		}
		if d.single {
			l.Href = "" // the other session is not in the site
		}
		all = append(all, l)
	}
	return all
}

// turns draws the turns on the page, and on the last page the agents that no call started.
func (d *pageDrawing) turns(v *sessionView) {
	who, drawer := "You", newDrawer(d.pageState, d.conversation, d.day())
	if d.inner != nil {
		who = d.inner.who
		if d.inner.folder == takenBackFolder {
			drawer.takenBack = 1
		}
	}
	for _, l := range d.parts[d.index] {
		v.Turns = append(v.Turns, drawer.turn(l, who))
	}
	if agents := d.conversation.Agents; d.index == d.last {
		for _, a := range agents[:min(len(agents), maxUnlinked)] {
			html, _ := drawer.withinQuota(
				func() contents { return d.inside(d.ofAgent(a), "agent-") },
				func() template.HTML { return drawer.agent(a, false) })
			v.Unlinked, v.LogMissing = append(v.Unlinked, html), d.conversation.Facts.AgentsWithoutLog > 0
		}
		for _, a := range agents[min(len(agents), maxUnlinked):] {
			d.quota.overflow = append(d.quota.overflow, d.inside(&inner{Conversation: a.Conversation}, "").messages...)
		}
	}
	if rest := d.flushOverflow(); rest != "" {
		v.Turns = append(v.Turns, section{HTML: rest})
	}
}

// account adds to the first page what is known after drawing the others: the ledger, problems, and why the session is
// empty.
func (d *pageDrawing) account(v *sessionView) {
	facts := d.Conversation.Facts
	d.ledger = newLedger(d.Conversation, d.Session.files(), d.entries, d.otherEntries())
	d.ledger.Redacted, d.ledger.Sure = d.Redacted, d.Sure
	if d.Part == "" {
		v.Ledger = append(d.ledger.Rows(d.totals, page.Exact), versionRows(d.conversation)...)
	}
	v.Problems = d.problems()
	switch {
	case facts.AgentsWithoutLog > 0:
		v.Empty = "The log of this session is missing: " + plural(facts.AgentsWithoutLog, "agent is", "agents are") +
			" what is left of it."
	case len(d.jobs) == 1 && len(v.Turns) == 0 && len(v.Unlinked) == 0:
		v.Empty, d.empty = d.emptyReason()
	}
}

// emptyReason returns why a session has no turn, and whether lists leave it out.
func (b *pagesData) emptyReason() (why string, empty bool) {
	switch {
	case b.Fault:
		return "The viewer failed on this session, so it is not shown. The file is intact.", false
	case len(b.Relations) > 0: // other sessions link to it
		return "This session has nothing of its own.", false
	}
	return "This session has no conversation.", true
}
