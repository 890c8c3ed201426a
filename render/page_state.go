package render

import (
	"viewer/internal/tools"
	"viewer/normalize"
)

// pageState is the state of drawing one page.
type pageState struct {
	*sessionData
	name string // see Page.Name
	root string // from the page to the top of the site: "../../"
	base string // from the page to the folder of the session: "" or "../"

	media    *mediaSet
	entries  map[*normalize.Message]ledgerEntry
	outlined []outlineStep
	context  tools.Context // facts of the session for descriptions of calls
	lookups  *lookups      // in sessionData; nil for the first page, which is always drawn again
	quota    quota

	notedAnchors map[string]bool // elements whose notes are drawn
	noteCount    int             // number of notes that are drawn or left out
	noteHTML     int             // bytes of HTML of their texts
	moreNotes    []*placedNote   // notes above the limit
}

// newPageState begins a page. inner means that of a conversation inside the session, in another folder.
func newPageState(s *sessionData, name string, inner bool) *pageState {
	p := &pageState{
		sessionData: s, name: name, root: "../../",
		media: new(mediaSet), entries: make(map[*normalize.Message]ledgerEntry),
	}
	p.context = tools.Context{Folder: s.cwd, Spilled: p.spill, Run: p.workflow, Tasks: s.tasks, Ends: s.ends}
	if inner {
		p.base, p.root = "../", "../../../"
	}
	return p
}

// A ledgerEntry records how a message was drawn.
type ledgerEntry struct {
	kind    string // for the ledger, when generic: "tool Foo"
	generic bool
}

func (p *pageState) drawn(messages ...*normalize.Message) {
	for _, m := range messages {
		p.entries[m] = ledgerEntry{}
	}
}

func (p *pageState) drawnGenerically(kind string, m *normalize.Message) {
	if v := m.Record.Version; v != "" { // new kinds come with new versions
		kind += ", " + oneLine(v, 20)
	}
	p.entries[m] = ledgerEntry{kind: kind, generic: true}
}

// drawnHref returns the address of an anchor, "" if it is on no page.
func (p *pageState) drawnHref(anchor string) string {
	if anchor == "" || p.pageOf(anchor) == "" {
		return ""
	}
	return p.href(anchor)
}

// href returns the address of an anchor on any page.
func (p *pageState) href(anchor string) string {
	if page := p.pageOf(anchor); page != p.name && page != "" {
		return p.base + page + "#" + anchor
	}
	return "#" + anchor
}
