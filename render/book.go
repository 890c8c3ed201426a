package render

import (
	"viewer/internal/stats"
	"viewer/normalize"
)

// A Book is a session on its way to pages: which pages there are is settled,
// and each can be drawn by itself, so that one after the other can be written
// and forgotten.
//
//	b := render.Open(session)
//	for i := range b.Len() - 1 {
//		write(b.Draw(i + 1, nil)) // at the same time, where there are cores
//	}
//	write(b.Draw(0, nil)) // tells of all the others
type Book struct{ b book }

// A Sheet is a page with the files that go with it.
type Sheet struct {
	Page  Page
	Media []Media
}

// Open settles the pages of a session.
func Open(s Session) *Book { return open(s, false) }

func open(s Session, whole bool) *Book {
	c := s.Conversation
	d := newDrawer(c, s.Prices)
	d.spilled, d.workflows, d.labels = s.Spilled, s.Workflows, workflowLabels(s.Workflows)
	b := &Book{book{Session: s, whole: whole, inlined: make(map[string]int), d: d, totals: d.tally.Of(c), title: Title(c)}}
	if s.Fault {
		b.b.title += ", not shown"
	}
	b.b.plan(c, nil)
	for _, j := range b.b.jobs {
		d.follow(j.conversation)()
	}
	d.settled = true
	b.b.drawn = make([]trace, len(b.b.jobs))
	return b
}

// Len is the number of pages.
func (b *Book) Len() int { return len(b.b.jobs) }

// PageOf is the page on which an anchor stands, "" when it is on none.
func (b *Book) PageOf(anchor string) string { return b.b.d.pages[anchor] }

// Draw draws page i. Others may be drawn at the same time, but for page 0: what
// it tells of the others is known when they are drawn. The page is written into
// memory, where that is large enough; nil is fine.
func (b *Book) Draw(i int, memory []byte) Sheet {
	j := b.b.jobs[i]
	own := b.b // with a drawer of its own: what pages share is settled
	own.d = b.b.d.forPage(i)
	if i == 0 {
		for job, page := range b.b.drawn {
			own.d.touched[job] = page.touched
		}
		own.d.others, own.d.stripRoom = b.b.gather(), b.b.room
	}
	page := own.draw(&j, memory)
	b.b.drawn[i].marks, b.b.drawn[i].touched, b.b.drawn[i].asked = own.d.marks, own.d.touched[i], own.d.asked
	if i == 0 {
		b.b.ledger, b.b.empty = own.ledger, own.empty
	}
	return Sheet{Page: page, Media: own.d.media.files}
}

// Close gives what is needed of the session elsewhere, when all pages are drawn.
func (b *Book) Close() Drawing {
	s, c := b.b.Session, b.b.Conversation
	out := Drawing{Ledger: b.b.ledger}
	out.Summary = Summary{
		ID: c.ID, Folder: s.Folder, Empty: b.b.empty, Title: b.b.title, Project: s.Project, Start: c.Facts.Start, Totals: b.b.totals,
		Relations: s.Relations, Problems: c.Problems,
	}
	for _, m := range c.Facts.Models[:min(mostModels, len(c.Facts.Models))] {
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

func drawSession(s Session, whole bool) Drawing {
	b := open(s, whole)
	sheets := make([]Sheet, b.Len())
	for i := len(sheets) - 1; i >= 0; i-- { // the first one last
		sheets[i] = b.Draw(i, nil)
	}
	var pages []Page
	media := new(mediaSet)
	for _, sheet := range sheets {
		pages = append(pages, sheet.Page)
		for _, m := range sheet.Media {
			media.take(m)
		}
	}
	out := b.Close()
	out.Pages, out.Media = pages, media.files
	return out
}

// A book is what a Book knows and its pages share.
type book struct {
	Session
	whole   bool // on one page, that stands by itself (single.go)
	d       *drawer
	title   string
	totals  stats.Totals
	ledger  Ledger
	empty   bool
	inlined map[string]int // by page: the bulk of what stands inside it
	own     int            // small conversations that have a page of their own
	jobs    []job
	drawn   []trace    // by page
	room    *stripRoom // see Recall
	memory  *Memory    // of an earlier drawing, nil when there is none
}

// A trace is what the first page wants to know of a page, and what tells
// whether it is the same the next time.
type trace struct {
	marks   map[*normalize.Message]mark
	touched []touch // changes to files
	asked   *asked
	signature
	signed []*normalize.Message // nil before anybody asked for the signature
}
