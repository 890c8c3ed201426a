package render

import (
	"viewer/internal/changes"
	"viewer/render/page"
)

// changesPageView is a page of net diffs.
type changesPageView struct {
	Head  page.Head
	Title string
	Back  page.Link
	List  []fileEntry // of all pages
	More  string      // how many are not listed
	Count string
	View  changesView
	Pager *page.Pager
}

// ChangesLen returns the number of separate pages of net diffs.
func (b *Pages) ChangesLen() int { return len(b.b.data.net().pages) }

// ChangesName returns the name of page i of the net diffs.
func (b *Pages) ChangesName(i int) string { return changesName(i) }

// DrawChanges draws page i of the net diffs. Several may be drawn at the same time.
func (b *Pages) DrawChanges(i int, memory []byte) DrawnPage {
	p := newPageState(b.b.data, changesName(i), false)
	html := page.DrawWhole(memory, "page/changes", b.b.changesPage(p, i))
	return DrawnPage{Page: Page{Name: p.name, HTML: html}, Media: p.media.files}
}

// ReuseChanges reports whether page i of the net diffs is unchanged.
func (b *Pages) ReuseChanges(i int) bool {
	if b.b.cache == nil {
		return false
	}
	old, ok := b.b.cache.changesPages[changesName(i)]
	return ok && old == b.b.signChanges(i)
}

func (b *pagesData) changesPage(p *pageState, i int) changesPageView {
	n := b.data.net()
	crumbs := append(b.crumbs(p.root), page.Link{Href: "index.html", Text: b.title}, page.Link{Text: "Changes"})
	title := "Changes of " + b.title
	v := changesPageView{Title: b.title, Back: page.Link{Href: "index.html", Text: "The session"}}
	if i > 0 {
		title += ", page " + count(i+1)
	}
	v.Head = page.NewHead("page-changes", title, b.Generator, p.root, crumbs)
	v.Count = plural(len(n.files), "file", "files")
	v.View.summarize(n, b.data)
	v.List, v.More = p.changedFiles(n, false), unlisted(len(n.files)-maxAllFiles)
	d := changesDrawer{p, n, make(map[string]bool)}
	v.View.Files = d.files(n.pages[i][0], n.pages[i][1])
	if i > 0 {
		v.View.Undone, v.View.MoreUndone = nil, ""
	}
	if last := len(n.pages) - 1; last > 0 {
		v.Pager = &page.Pager{Label: "Pages", Number: i + 1, Of: last + 1}
		if i > 0 {
			v.Pager.Prev = &page.Link{Href: changesName(i - 1)}
		}
		if i < last {
			v.Pager.Next = &page.Link{Href: changesName(i + 1)}
		}
	}
	return v
}

// inlineChangesView returns the net diffs on the first page, nil when they are on separate pages.
func (d *pageDrawing) inlineChangesView() *changesView {
	n := d.net()
	if len(n.files) == 0 || len(n.pages) > 0 {
		return nil
	}
	v := &changesView{}
	v.summarize(n, d.sessionData)
	drawer := changesDrawer{d.pageState, n, make(map[string]bool)}
	v.Files = drawer.files(0, len(n.files))
	return v
}

// signChanges returns the signature of a page of changes.
func (b *pagesData) signChanges(i int) signature {
	n := b.data.net()
	s := signer{data: b.data}
	s.strings(b.title, b.Project.Name, b.Project.Path, b.Generator, b.data.cwd)
	s.ints(len(n.files), len(n.pages), len(n.undone), n.edits, n.added, n.removed, n.unknownAdded, n.unknownRemoved)
	s.bools(n.numbered())
	for j := range n.undone[:min(len(n.undone), maxUndone)] {
		s.strings(n.undone[j].Path)
	}
	for j := range n.files[:min(len(n.files), maxAllFiles)] {
		added, removed := n.files[j].ByCalls()
		s.strings(n.files[j].Path, n.places[j])
		s.ints(added, removed)
	}
	step := func(by changes.Writer) {
		s.ints(int(by))
		if by >= 0 {
			at := &n.steps[by]
			s.strings(at.Anchor, b.data.anchorPages[at.Anchor], at.Tool, at.Agent, at.Command)
			s.ints(at.Prompt)
		}
	}
	for j := n.pages[i][0]; j < n.pages[i][1]; j++ {
		f := &n.files[j]
		s.strings(f.Path, f.From, n.places[j])
		s.bools(f.Binary, f.Large, f.Late, f.Altered, f.Created(), f.Gone())
		s.ints(int(f.Begin), f.Net.ForeignAdded, f.Net.ForeignRemoved, len(f.Steps), len(f.Alone))
		s.strings(n.editWords(f))
		for part := range diffsOf(f) {
			if part.alone != nil {
				step(changes.Writer(part.alone.Step))
			}
			s.ints(len(part.hunks))
			for k := range part.hunks {
				h := &part.hunks[k]
				s.ints(h.OldStart, h.NewStart, len(h.Lines))
				for _, l := range h.Lines {
					s.strings(string(l.Sign), l.Text)
					s.bools(l.NoEnd)
					step(l.Cause)
				}
			}
		}
	}
	return s.signature()
}

// A netLink is a link to the lines of a call in the net diffs.
type netLink struct{ Href, Text string }

// netLink returns the link from a call to its lines, nil if it changed no file.
func (p *pageState) netLink(anchor string) *netLink {
	switch target, changed := p.linesOf(anchor); {
	case !changed:
		return nil
	case target == "":
		return &netLink{Text: "Nothing of this is left in the end"}
	default:
		return &netLink{p.within(target), "What is left of this in the end"}
	}
}

// within returns the address of a target in the folder of the session.
func (p *pageState) within(target string) string {
	if page, id, ok := cutLast(target, "#"); ok && page == p.name {
		return "#" + id
	}
	return p.base + target
}
