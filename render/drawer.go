package render

import (
	"html/template"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/stats"
	"viewer/normalize"
)

// A drawer carries what the drawings of one session share.
type drawer struct {
	cwd       string // paths below it are shown relative
	root      string // from the page to the top of the site: "../../"
	base      string // from the page to the folder of the session: "" or "../"
	tally     *stats.Tally
	media     *mediaSet
	marks     map[*normalize.Message]mark
	others    map[*normalize.Message]mark // those of the other pages, when the first is drawn
	pages     map[string]string           // anchor -> page, for links across pages
	calls     map[string]string           // id of a call -> anchor
	page      string                      // the one being drawn
	nest      int                         // agents inside agents
	spilled   map[string][]byte           // see Session
	workflows map[string]jsontext.Value   // see Session
	labels    map[string]string           // what they call their agents, by id
	clock     time.Time                   // of the last message drawn, for pauses
	day       string                      // the last that the page told: 2026-05-12
	job       int                         // of the page being drawn
	undone    int                         // attempts around what is being drawn that were taken back
	tasks     taskBoard                   // the list of tasks after each call that changes it
	touched   map[int][]touch             // changes to files, by the job of their page
	shown     level                       // the lowest at which a part of the turn being drawn shows
	sent      *follower                   // what became of the messages being drawn, nil where nobody asks

	inners map[*normalize.Conversation]*inner // agents and branches
	taken  map[string]bool                    // names of theirs

	followers map[*normalize.Conversation]*follower // of conversations that have pages of their own

	used    int                  // bytes of HTML of the texts on the page, see room
	filled  int                  // and of all that stands in its turns
	kept    []*normalize.Message // that the page has no room for, see overflow.go
	endless bool                 // the page may be as long as it gets

	stripRoom *stripRoom // for the strip of the first page, nil for any

	asked *asked // what the page has looked up of the session

	settled bool // all of the session has been seen: maps that pages share are written no more
}

// A mark says how a message was drawn.
type mark struct {
	kind    string // for the ledger, when generic: "tool Foo"
	generic bool
}

func newDrawer(c *normalize.Conversation, prices stats.Prices) *drawer {
	d := &drawer{
		cwd:    c.Facts.CWD,
		day:    dayOf(c.Facts.Start),
		tally:  stats.Count(c, prices),
		media:  new(mediaSet),
		marks:  make(map[*normalize.Message]mark),
		pages:  make(map[string]string, len(c.Order)),
		calls:  anchorsOf(c),
		inners: make(map[*normalize.Conversation]*inner),
		taken:  make(map[string]bool),

		touched: make(map[int][]touch),
		tasks:   make(taskBoard),

		followers: make(map[*normalize.Conversation]*follower),
	}
	for conversation := range c.All() {
		d.tasks.follow(conversation)
	}
	return d
}

// forPage is a drawer for one page, which shares what is settled with the others.
func (d *drawer) forPage(job int) *drawer {
	own := *d
	own.job, own.media, own.marks, own.touched = job, new(mediaSet), make(map[*normalize.Message]mark), make(map[int][]touch)
	if job > 0 { // the first page is drawn again whatever it asks
		own.asked = newAsked()
	}
	return &own
}

func (d *drawer) drawn(messages ...*normalize.Message) {
	for _, m := range messages {
		d.marks[m] = mark{}
	}
}

func (d *drawer) drawnGenerically(kind string, m *normalize.Message) {
	if v := m.Record.Version; v != "" { // new kinds come with new versions
		kind += ", " + oneLine(v, 20)
	}
	d.marks[m] = mark{kind: kind, generic: true}
}

// href is the address of an anchor, on whatever page it stands.
func (d *drawer) href(anchor string) string {
	if page := d.pageOf(anchor); page != d.page && page != "" {
		return d.base + page + "#" + anchor
	}
	return "#" + anchor
}

// path shortens a path below the working directory of the session.
func (d *drawer) path(p string) string {
	if p == d.cwd && p != "" {
		return "."
	}
	for _, sep := range []string{"/", `\`} {
		if dir := strings.TrimSuffix(d.cwd, sep); dir != "" {
			if rest, ok := strings.CutPrefix(p, dir+sep); ok && rest != "" {
				return rest
			}
		}
	}
	return p
}

// A fact is a short remark at the end of a row: "+3", "exit 1", "148 lines".
type fact struct {
	Text string
	Look string // add, del, bad, warn, or "" for grey
	Main bool   // stays on a narrow screen
}

func facts(texts ...string) []fact {
	var all []fact
	for _, t := range texts {
		if t != "" {
			all = append(all, fact{Text: t})
		}
	}
	return all
}

// changes are the facts of an edit.
func changes(added, removed int) []fact {
	var all []fact
	if added > 0 || removed == 0 {
		all = append(all, fact{Text: "+" + count(added), Look: "add", Main: true})
	}
	if removed > 0 {
		all = append(all, fact{Text: "−" + count(removed), Look: "del", Main: true})
	}
	return all
}

// A level is the lowest level of the page at which something shows, as its class.
type level string

const (
	always       level = ""
	atChat       level = "at-chat"
	atTools      level = "at-tools"
	atEverything level = "at-everything"
)

// join puts fragments one after the other.
func join(parts ...template.HTML) template.HTML {
	var b strings.Builder
	for _, p := range parts {
		b.WriteString(string(p))
	}
	return template.HTML(b.String())
}
