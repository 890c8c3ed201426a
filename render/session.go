package render

import (
	"html/template"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/assets"
	"viewer/internal/markup"
	"viewer/internal/stats"
	"viewer/internal/transcript"
	"viewer/normalize"
)

// A Session is what DrawSession draws.
type Session struct {
	Conversation *normalize.Conversation
	Main         *transcript.File
	Agents       []normalize.AgentFile
	Project      Project
	Folder       string // of its pages, below s/
	Relations    []Relation
	Workflows    map[string]jsontext.Value // what is known of finished workflow runs, by run
	Spilled      map[string][]byte         // long outputs that lie beside the session, by the name of their file
	Prices       stats.Prices              // of requests whose cost the log does not tell
	Redacted     map[string]int            // what was taken out of its files before they were read, by rule
	Secrets      map[string]int            // of that, what is no personal data
	Sure         int                       // how many of the secrets are such without doubt
	Generator    string                    // name and version of the program
	Fault        bool                      // the program failed on it: there is nothing to draw but the problem
}

// A Project is how pages name and link a project.
type Project struct {
	Name string
	Path string // below the top of the site: "p/ledger-api/index.html"
}

// A Relation is another session that a session belongs to.
type Relation struct {
	How    string // "begins with 34 records of", "resumed from", "team harbour"
	Folder string // of its pages, below s/
	Title  string
	At     time.Time // when what it has for itself began; zero where nobody knows, or its name tells enough
}

// A Page is one page of a session.
type Page struct {
	Name string // below the folder of the session: "index.html", "2.html", "agents/ab12.html"
	HTML []byte
}

// A Drawing is a session drawn: its pages, the media they link to, and what is
// needed of it elsewhere.
type Drawing struct {
	Pages   []Page
	Media   []Media
	Summary Summary
	Ledger  Ledger
}

// A Summary is what the index pages need of a session.
type Summary struct {
	ID        string
	Folder    string // of its pages, below s/
	Empty     bool   // there is nothing to show
	Archived  bool   // its files are gone, its pages stay
	Title     string
	Project   Project
	Branch    string
	Models    []string
	Start     time.Time
	Totals    stats.Totals
	Relations []Relation
	Problems  []transcript.Problem
}

// Path is where the session's first page is, below the top of the site.
func (s Summary) Path() string { return "s/" + s.Folder + "/index.html" }

// Title is the title of a session as pages show it: one line, never empty.
func Title(c *normalize.Conversation) string {
	if t := markup.Excerpt(c.Facts.Title(), 120); t != "" {
		return t
	}
	if c.Facts.AgentName != "" && c.Facts.TeamName != "" { // a member that was never asked by anybody but the leader
		return oneLine(c.Facts.AgentName+" of team "+c.Facts.TeamName, 120)
	}
	name := "Session without a name"
	if head, _, _ := strings.Cut(c.ID, "-"); len(head) == 8 && len(c.ID) == 36 {
		name = "Session " + head
	} else if c.ID != "" {
		name = "Session " + clip(c.ID, 60)
	}
	if n := c.Facts.Gone; n > 0 {
		name += ", log is gone, " + plural(n, "agent", "agents")
	}
	return name
}

// A job is one page to draw.
type job struct {
	conversation *normalize.Conversation
	inner        *inner // nil for the session's own pages
	name         string
	index, last  int // which page of the conversation
	leaves       [][]leaf
}

// plan lists the pages of a conversation and of those inside it that get their
// own, and notes on which page each anchor stands.
func (b *book) plan(c *normalize.Conversation, in *inner) {
	leaves := paginate(c)
	if b.whole {
		leaves = [][]leaf{onePage(c)}
	}
	for i := range leaves {
		name := pageName(in, i)
		b.jobs = append(b.jobs, job{conversation: c, inner: in, name: name, index: i, last: len(leaves) - 1, leaves: leaves})
		for _, l := range leaves[i] {
			prompt := l.turn.Prompt
			if !l.first {
				prompt = nil
			}
			b.place(prompt, l.items, name)
		}
	}
	for _, a := range c.Agents[:min(len(c.Agents), mostLoose)] {
		b.planInner(b.d.ofAgent(a), pageName(in, len(leaves)-1))
	}
}

// planInner places a conversation inside: on the page it hangs on when it is
// small and the page has room for it.
func (b *book) planInner(in *inner, page string) {
	size := bulk(in.Conversation)
	if !b.whole && (size > innerFull || b.inlined[page]+size > innersFull && b.own < mostOwn) {
		if size <= innerFull {
			b.own++
		}
		in.own = true
		b.plan(in.Conversation, in)
		return
	}
	b.inlined[page] += size
	for _, t := range in.Turns {
		b.place(t.Prompt, t.Items, page)
	}
}

// place notes on which page an anchor stands. The parts of a prompt are drawn as one, with the anchor of the first.
func (b *book) place(prompt []*normalize.Message, items []normalize.Item, page string) {
	if len(prompt) > 0 && prompt[0].Kind == normalize.Prompt {
		prompt = prompt[:1]
	}
	for _, m := range prompt {
		b.d.pages[m.Anchor] = page
	}
	for _, item := range items {
		if _, isBranch := item.(*normalize.Branch); !isBranch {
			b.d.pages[itemHead(item).Anchor] = page
		}
		for _, in := range b.d.innersOf(item) {
			b.planInner(in, page)
		}
	}
}

type headView struct {
	Class, Title, Generator, Root string
	Script, Stylesheet            string
	Icons                         template.HTML
	Crumbs                        []link
	Levels                        bool
	Paged                         bool   // there are other pages of the session, which a search on this one looks through
	Policy                        string // of a page that stands by itself, with style and script inside
}

type link struct {
	Href, Text, Note string
	At               stamp
}

func newHead(class, title, generator, root string, crumbs []link) headView {
	return headView{
		Class: class, Title: title, Generator: generator, Root: root,
		Script: assets.Script.Name, Stylesheet: assets.Stylesheet.Name,
		Icons:  template.HTML(assets.Icons), // ours, embedded
		Crumbs: crumbs,
	}
}

type sessionView struct {
	Head     headView
	Title    string
	Meta     []metaFact
	Kin      []link // other sessions that this one belongs to
	Strip    *stripView
	Outline  outlineView
	Pager    *pagerView
	Turns    []section
	Loose    []template.HTML
	Gone     bool // the log, of which these are left
	Empty    string
	Problems *problemsView
	Ledger   []ledgerRow
}

type pagerView struct {
	Prev, Next *link
	Number     int
	Label      string
}

// draw makes one page, in memory that is given.
func (b *book) draw(j *job, memory []byte) Page {
	d := b.d
	d.page = j.name
	d.base, d.root = "", "../../"
	if j.inner != nil {
		d.base, d.root = "../", "../../../"
	}
	d.clock, d.day = time.Time{}, b.day(j)
	defer d.follow(j.conversation)()
	d.nest, d.undone = 0, 0
	d.used, d.filled, d.kept, d.endless = 0, 0, nil, b.whole
	if j.inner != nil && j.inner.folder == rewound {
		d.undone = 1
	}
	v := sessionView{Title: b.title}
	who := "You"
	crumbs := []link{{Href: d.root + "index.html", Text: "Sessions"}}
	if b.Project.Name != "" {
		crumbs = append(crumbs, link{Href: d.root + b.Project.Path, Text: b.Project.Name})
	}
	if j.inner != nil {
		crumbs = append(crumbs, link{Href: d.base + "index.html", Text: b.title})
		v.Title = j.inner.title
		who = j.inner.who
	}
	crumbs = append(crumbs, link{Text: v.Title})
	title := v.Title
	if j.index > 0 {
		title += ", page " + count(j.index+1)
	}
	if b.Project.Name != "" {
		title += " · " + b.Project.Name
	}
	v.Head = newHead("page-session", title, b.Generator, d.root, crumbs)
	v.Head.Levels = true
	v.Head.Paged = len(b.jobs) > 1 && !b.whole
	if b.whole {
		v.Head.Policy, v.Head.Crumbs = singlePolicy(), crumbs[len(crumbs)-1:]
	}
	v.Meta = b.meta(j)
	if j.index == 0 {
		v.Strip = d.strip(j.conversation)
	}
	if j.inner == nil && j.index == 0 {
		for _, r := range b.Relations {
			l := link{Href: "../" + r.Folder + "/index.html", Text: oneLine(r.Title, 80), Note: r.How, At: moment(r.At)}
			if b.whole {
				l.Href = "" // the other session is not there
			}
			v.Kin = append(v.Kin, l)
		}
	}
	for _, l := range j.leaves[j.index] {
		v.Turns = append(v.Turns, d.turn(l.turn, l.items, l.first, l.last, l.number, who))
	}
	if j.index == j.last {
		for _, a := range j.conversation.Agents[:min(len(j.conversation.Agents), mostLoose)] {
			html, _ := d.place(func() contents { return d.inside(d.ofAgent(a), "agent-") }, func() template.HTML { return d.agent(a, false) })
			v.Loose, v.Gone = append(v.Loose, html), j.conversation.Facts.Gone > 0
		}
		if agents := j.conversation.Agents; len(agents) > mostLoose {
			for _, a := range agents[mostLoose:] {
				d.kept = append(d.kept, d.inside(&inner{Conversation: a.Conversation}, "").messages...)
			}
		}
	}
	if rest := d.keepRest(); rest != "" {
		v.Turns = append(v.Turns, section{HTML: rest})
	}
	v.Outline = b.outline(j)
	if j.last > 0 {
		v.Pager = b.pager(j)
	}
	if j.inner == nil && j.index == 0 {
		b.ledger = d.account(b.Conversation, b.files())
		b.ledger.Redacted, b.ledger.Sure = b.Redacted, b.Sure
		v.Ledger = b.ledger.rows(b.totals)
		v.Problems = b.problems()
		switch {
		case b.Conversation.Facts.Gone > 0:
			v.Empty = "The log of this session is gone: " + plural(b.Conversation.Facts.Gone, "agent is", "agents are") + " what is left of it."
		case len(b.jobs) == 1 && len(v.Turns) == 0 && len(v.Loose) == 0:
			v.Empty, b.empty = b.emptiness()
		}
	}
	page := append(executePage(memory, "page/session", v), '\n')
	if !b.whole {
		page = usedIcons(page)
	}
	return Page{Name: j.name, HTML: page}
}

// emptiness says of a session without any turn why, and whether lists leave it out.
func (b *book) emptiness() (why string, empty bool) {
	switch {
	case b.Fault:
		return "The viewer failed on this session, so it is not shown. The file is intact.", false
	case len(b.Relations) > 0: // others link to it
		return "This session holds nothing of its own.", false
	}
	return "This session holds no conversation.", true
}

func (b *book) pager(j *job) *pagerView {
	p := &pagerView{Number: j.index + 1}
	if j.index > 0 {
		p.Prev = &link{Href: b.d.base + pageName(j.inner, j.index-1), Note: prompts(j.leaves[j.index-1])}
	}
	if j.index < j.last {
		p.Next = &link{Href: b.d.base + pageName(j.inner, j.index+1)}
	}
	return p
}

// prompts names the prompts of a page: "prompts 3–7".
func prompts(leaves []leaf) string {
	from, to := 0, 0
	for _, l := range leaves {
		if l.number > 0 {
			if from == 0 {
				from = l.number
			}
			to = l.number
		}
	}
	switch {
	case from == 0:
		return ""
	case from == to:
		return "prompt " + count(from)
	}
	return "prompts " + count(from) + "–" + count(to)
}

type spanView struct{ Start, End stamp }

func newSpan(start, end time.Time) spanView {
	if start.IsZero() {
		return spanView{}
	}
	v := spanView{Start: moment(start)}
	if end.Sub(start) >= time.Minute {
		v.End = newStamp(end, "time", "15:04")
		if start.UTC().Format("2006-01-02") != end.UTC().Format("2006-01-02") {
			v.End = moment(end)
		}
	}
	return v
}
