package render

import (
	"cmp"
	"html/template"
	"math"
	"slices"
	"strconv"
	"strings"

	"viewer/internal/insights"
	"viewer/internal/markup"
	"viewer/internal/notes"
	"viewer/internal/words"
	"viewer/normalize"
	"viewer/render/page"
)

// Limits of notes. More of them are in a file next to the page.
const (
	maxPageNotes   = 200      // of a page, and of the list on the first page
	maxNoteHTML    = 96 << 10 // bytes of HTML of the texts of all notes on a page; later notes become links
	maxNoteLabel   = 60
	maxNoteAuthor  = 60
	maxNoteExcerpt = 110
	maxNoteRows    = 30 // labels of a session in insights
)

// A placedNote is a note with its place on the pages of the session.
type placedNote struct {
	notes.Note
	id     string // of its element, independent of notes about other elements
	anchor string // of the element that it is about, "" for the whole session or a missing element
	page   string // the page of the element, "" for the same page
	order  int    // position of the element in the session
}

// sessionNotes are the notes about a session.
type sessionNotes struct {
	all  []*placedNote            // those about the whole session first, then in the order of their elements
	at   map[string][]*placedNote // by anchor
	rest []*placedNote            // about the whole session or missing elements
}

// placeNotes finds the elements of notes. It returns nil for no notes.
func (s *sessionData) placeNotes(c *normalize.Conversation, all []notes.Note) *sessionNotes {
	if len(all) == 0 {
		return nil
	}
	n := &sessionNotes{at: make(map[string][]*placedNote)}
	places := s.notePlaces(c, all)
	seen := make(map[string]int) // number of notes about an element
	for _, one := range all {
		p := &placedNote{Note: one, order: -1}
		about := "notes"
		if place, ok := places[one.Anchor]; ok {
			p.anchor, p.page, p.order = place.anchor, s.anchorPages[place.anchor], place.order
			about = "note-" + place.anchor
		} else if one.Anchor != "" {
			p.order = math.MaxInt
			about = "notes-gone"
		}
		seen[about]++
		switch n := seen[about]; {
		case p.anchor == "":
			p.id = about + "-" + strconv.Itoa(n)
		case n == 1:
			p.id = about
		default:
			p.id = "note" + strconv.Itoa(n) + "-" + p.anchor
		}
		n.all = append(n.all, p)
		if p.anchor == "" {
			n.rest = append(n.rest, p)
		} else {
			n.at[p.anchor] = append(n.at[p.anchor], p)
		}
	}
	slices.SortStableFunc(n.all, func(a, b *placedNote) int { return cmp.Compare(a.order, b.order) })
	return n
}

// A notePlace is the element that a note refers to.
type notePlace struct {
	anchor string
	order  int
}

// notePlaces finds the elements that notes refer to: by anchors, by ids of records or by ids of calls. An element that
// is drawn inside another one becomes that one.
func (s *sessionData) notePlaces(c *normalize.Conversation, all []notes.Note) map[string]notePlace {
	wanted := make(map[string]bool, len(all))
	for _, n := range all {
		wanted[n.Anchor] = n.Anchor != ""
	}
	places, order := make(map[string]notePlace), 0
	found := func(anchor string, names ...string) {
		if s.anchorPages[anchor] == "" {
			return
		}
		for _, name := range names {
			if _, known := places[name]; !known && wanted[name] {
				places[name] = notePlace{anchor, order}
			}
		}
	}
	message := func(anchor string, m *normalize.Message) {
		found(anchor, m.Anchor, m.ID, m.Record.UUID)
		if m.Block != nil {
			found(anchor, m.Block.ID, m.Block.ToolUseID)
		}
	}
	for inner := range c.All() {
		for _, t := range inner.Turns {
			for _, m := range t.Prompt {
				order++
				if m.Kind == normalize.Prompt { // drawn as one
					message(t.Prompt[0].Anchor, m)
				} else {
					message(m.Anchor, m)
				}
			}
			for _, item := range t.Items {
				order++
				switch it := item.(type) {
				case *normalize.Message:
					message(it.Anchor, it)
				case *normalize.Group:
					for _, m := range it.Messages() {
						message(it.Head().Anchor, m)
					}
					for _, a := range it.Agents {
						found(it.Head().Anchor, "agent-"+s.ofAgent(a).name, a.ID)
					}
				}
			}
		}
	}
	return places
}

// A noteView is a note in the margin, or in the list on the first page.
type noteView struct {
	ID            string
	Label, Author string
	HTML          template.HTML
	At            *page.Link // what it is about
	Gone          string     // the name of a missing element that it is about
	Lost          string     // the missing session that it is about
	Source        string
	Cut           string // where the rest is
}

// A NotesView is a list of notes.
type NotesView struct {
	List  []noteView
	Title string    // for screen readers
	More  *fullText // the notes above the limit
	Left  string    // how many notes were left out
}

// notesOn draws the notes about elements of the page.
func (p *pageState) notesOn(anchors ...string) template.HTML {
	if p.notes == nil {
		return ""
	}
	var v NotesView
	for _, anchor := range anchors {
		if anchor == "" || p.notedAnchors[anchor] {
			continue
		}
		for _, n := range p.notes.at[anchor] {
			if p.noteCount++; p.noteCount > maxPageNotes {
				p.moreNotes = append(p.moreNotes, n)
				continue
			}
			v.List = append(v.List, p.noteView(n))
		}
		if p.notedAnchors == nil {
			p.notedAnchors = make(map[string]bool)
		}
		p.notedAnchors[anchor] = true
	}
	if len(v.List) == 0 {
		return ""
	}
	return page.Execute("partial/notes", v)
}

// noted draws messages with the notes about them.
func (d *drawer) noted(html template.HTML, messages ...*normalize.Message) template.HTML {
	if d.notes == nil {
		return html
	}
	anchors := make([]string, len(messages))
	for i, m := range messages {
		anchors[i] = m.Anchor
	}
	beside := d.notesOn(anchors...)
	if beside == "" {
		return html
	}
	d.show(always)
	return page.Execute("partial/noted", notedView{html, beside})
}

type notedView struct{ HTML, Notes template.HTML }

// notesOnItems draws the notes about items that are drawn as one.
func (d *drawer) notesOnItems(items []normalize.Item) template.HTML {
	if d.notes == nil {
		return ""
	}
	var anchors []string
	for _, item := range items {
		anchors = append(anchors, itemHead(item).Anchor)
	}
	return d.notesOn(anchors...)
}

// unnote marks notes as not drawn, because the elements that they are about were left out of the page.
func (p *pageState) unnote(anchors []string) {
	for _, anchor := range anchors {
		delete(p.notedAnchors, anchor)
	}
}

// noteView draws a note. Texts above the limit are in files.
func (p *pageState) noteView(n *placedNote) noteView {
	v := noteView{ID: n.id, Label: oneLine(n.Label, maxNoteLabel), Author: oneLine(n.Author, maxNoteAuthor),
		Source: oneLine(n.Source, 120)}
	switch {
	case n.anchor != "":
		v.At = &page.Link{Href: p.href(n.anchor), Text: "#" + n.anchor}
	case n.Anchor != "":
		v.Gone = oneLine(n.Anchor, 60)
	}
	text := n.Text
	if p.noteHTML > maxNoteHTML {
		v.HTML = page.Execute("partial/fulltext", p.fullText(text))
		return v
	}
	cut := cutBytes(text, excerptText)
	if v.HTML = markup.Markdown(cut, n.id); len(v.HTML) > maxNoteHTML {
		cut = cutBytes(text, minText)
		v.HTML = markup.Markdown(cut, n.id)
	}
	if len(cut) < len(text) {
		v.HTML += page.Execute("partial/fulltext", p.fullText(text))
	}
	p.noteHTML += len(v.HTML)
	return v
}

// restOfNotes draws the notes about elements of the page that it does not show.
func (d *pageDrawing) restOfNotes() *NotesView {
	if d.notes == nil {
		return nil
	}
	v := &NotesView{Title: "Notes on what this page leaves out"}
	for _, n := range d.notes.all {
		if n.anchor == "" || n.page != d.job.name || d.notedAnchors[n.anchor] {
			continue
		}
		if d.noteCount++; d.noteCount > maxPageNotes {
			d.moreNotes = append(d.moreNotes, n)
			continue
		}
		v.List = append(v.List, d.noteView(n))
	}
	v.More = d.notesFile(d.moreNotes)
	if len(v.List) == 0 && v.More == nil {
		return nil
	}
	return v
}

// notesFile returns a file with some notes, nil for none.
func (p *pageState) notesFile(all []*placedNote) *fullText {
	if len(all) == 0 {
		return nil
	}
	var b strings.Builder
	for _, n := range all {
		b.WriteString(strings.Join(words.NonEmpty("#"+cmp.Or(n.anchor, n.Anchor), n.Label, n.Author, n.Source), " · "))
		b.WriteString("\n\n" + n.Text + "\n\n")
	}
	return p.fullText(b.String())
}

// A notesList is the list of all notes on the first page.
type notesList struct {
	Count string
	Whole []noteView  // about the session or missing elements
	Links []notedLink // to those in the margins
	More  string
	File  *fullText
}

// A notedLink leads to a note in a margin.
type notedLink struct {
	Href, Label, Text, Author string
}

// notesList lists all notes about the session.
func (d *pageDrawing) notesList() *notesList {
	if d.notes == nil {
		return nil
	}
	v := &notesList{Count: count(len(d.notes.all))}
	var more []*placedNote
	for _, n := range d.notes.rest {
		if len(v.Whole) == maxPageNotes {
			more = append(more, n)
			continue
		}
		v.Whole = append(v.Whole, d.noteView(n))
	}
	v.File = d.notesFile(more)
	left := 0
	for _, n := range d.notes.all {
		if n.anchor == "" {
			continue
		}
		if len(v.Links) == maxPageNotes {
			left++
			continue
		}
		l := notedLink{Href: "#" + n.id, Label: oneLine(n.Label, maxNoteLabel),
			Author: oneLine(n.Author, maxNoteAuthor), Text: markup.Excerpt(n.Text, maxNoteExcerpt)}
		if n.page != d.job.name {
			l.Href = d.base + n.page + l.Href
		}
		v.Links = append(v.Links, l)
	}
	if left > 0 {
		v.More = "and " + count(left) + " more, on the pages"
	}
	return v
}

// A DrawnNote is a note on a page.
type DrawnNote struct{ Page, ID, Text string }

// Notes returns the notes about the session, with their labels and authors.
func (b *Pages) Notes() []DrawnNote {
	if b.b.data.notes == nil {
		return nil
	}
	var all []DrawnNote
	for _, n := range b.b.data.notes.all {
		all = append(all, DrawnNote{cmp.Or(n.page, pageName(nil, 0)), n.id,
			strings.Join(words.NonEmpty(n.Label, n.Author, n.Text), "\n")})
	}
	return all
}

// noteRows counts the notes about the session by label.
func (b *pagesData) noteRows() []insights.Row {
	if b.data.notes == nil {
		return nil
	}
	rows := make(map[string]*insights.Row)
	var names []string
	for _, n := range b.data.notes.all {
		name := cmp.Or(oneLine(n.Label, maxNoteLabel), "no label")
		row := rows[name]
		if row == nil {
			place := cmp.Or(n.page, pageName(nil, 0)) + "#" + n.id
			row = &insights.Row{Kind: insights.Finding, Name: name, Place: place}
			rows[name], names = row, append(names, name)
		}
		row.Count++
	}
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(cmp.Compare(rows[b].Count, rows[a].Count), strings.Compare(a, b))
	})
	var all []insights.Row
	rest := insights.Row{Kind: insights.Finding}
	for i, name := range names {
		if i < maxNoteRows {
			all = append(all, *rows[name])
		} else {
			rest.Count += rows[name].Count
			rest.Place = cmp.Or(rest.Place, rows[name].Place)
		}
	}
	if rest.Count > 0 {
		all = append(all, rest)
	}
	return all
}

// signNotes adds the notes of a page to its signature.
func (s *signer) signNotes(page string) {
	if s.data.notes == nil {
		return
	}
	for _, n := range s.data.notes.all {
		if n.anchor != "" && n.page == page {
			s.strings(n.id, n.anchor, n.Author, n.Label, n.Text, n.Source)
		}
	}
}
