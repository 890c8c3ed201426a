package search

import (
	"slices"
	"strings"
	"time"

	"viewer/internal/tools"
	"viewer/internal/transcript"
	"viewer/normalize"
)

// A Kind says what a document is.
type Kind uint8

const (
	Event    Kind = iota // additions of the program: system records, attachments, notifications
	Hook                 // the outcome of a hook
	Tool                 // a call with its result
	Thinking             // of the model
	Answer               // of the model
	Prompt               // of a human, also a command
	Title                // of the session
	Noted                // a note of a person or a finding of a program about the session
)

// kindNames are the names of the kinds, in order.
var kindNames = [...]string{"event", "hook", "tool", "thinking", "answer", "prompt", "title", "note"}

func (k Kind) String() string { return kindNames[k] }

// A Document is what a query finds: a message with a link. A call and its result are one document, as on the page.
type Document struct {
	Page   string // in the folder of the session: "2.html"
	Anchor string // on the page; "" for its top
	Kind   Kind
	Tool   string
	Path   string // of the file that the call is about
	Failed bool
	Time   time.Time // zero if unknown
	Text   string
}

// A Session is a session to index.
type Session struct {
	Conversation *normalize.Conversation
	Title        string
	Spilled      map[string][]byte          // long outputs in files next to the session, by file name
	Page         func(anchor string) string // the page with an anchor, "" if there is none
	Notes        []Note                     // about the session
	Skip         func(page string) bool     // reports whether to leave out the documents of a page; nil for no page
}

// A Note is a note about the session, with its place on its pages.
type Note struct{ Page, Anchor, Text string }

// A location is the place of a document and its content. Its text is built with those of its page, so that only one
// page is in memory at a time.
type location struct {
	page, anchor string // "" for the top of the page
	// a *normalize.Turn for its prompt, a *normalize.Message, a *normalize.Group, a *Note, nil for the title
	item any
}

// locations returns the places of the documents of a session, page by page. The title is first, and the documents of a
// page are in the order of the conversation.
func (s Session) locations() []location {
	d := collector{s: s, all: []location{{page: firstPage}}}
	for inner := range s.Conversation.All() {
		for _, t := range inner.Turns {
			d.page = s.Page(t.Head().Anchor)
			d.turn(t)
		}
	}
	for i := range s.Notes {
		if n := &s.Notes[i]; s.Skip == nil || !s.Skip(n.Page) {
			d.all = append(d.all, location{page: n.Page, anchor: n.Anchor, item: n})
		}
	}
	slices.SortStableFunc(d.all, func(a, b location) int { return strings.Compare(a.page, b.page) })
	return d.all
}

const firstPage = "index.html"

type collector struct {
	s    Session
	all  []location
	page string // of the last message with a page
}

// add adds a document that begins at m. If m has no page, the document is on the page of the last one.
func (d *collector) add(m *normalize.Message, item any) {
	p := location{item: item}
	if page := d.s.Page(m.Anchor); page != "" {
		d.page, p.anchor = page, m.Anchor
	}
	if p.page = d.page; p.page != "" {
		d.all = append(d.all, p)
	}
}

// skips reports whether documents that begin at m are left out. It records the page in any case.
func (d *collector) skips(m *normalize.Message) bool {
	if d.s.Skip == nil {
		return false
	}
	if page := d.s.Page(m.Anchor); page != "" {
		d.page = page
	}
	return d.s.Skip(d.page)
}

func (d *collector) turn(t *normalize.Turn) {
	switch {
	case len(t.Prompt) == 0 || d.skips(t.Prompt[0]):
	case t.Prompt[0].Kind == normalize.Prompt:
		d.add(t.Prompt[0], t)
	default:
		for _, m := range t.Prompt {
			d.message(m)
		}
	}
	for _, item := range t.Items {
		switch it := item.(type) {
		case *normalize.Message:
			if !d.skips(it) {
				d.message(it)
			}
		case *normalize.Group:
			if !d.skips(it.Head()) {
				d.call(it)
			}
		}
	}
}

func (d *collector) message(m *normalize.Message) {
	if m.Rule == "" {
		d.add(m, m)
	}
}

func (d *collector) call(g *normalize.Group) {
	d.add(g.Head(), g)
	for _, m := range g.Pre {
		d.hook(g, m)
	}
	for _, m := range g.Post {
		d.hook(g, m)
	}
}

// hook adds a hook that the page shows inside a call.
func (d *collector) hook(g *normalize.Group, m *normalize.Message) {
	n := len(d.all)
	d.message(m)
	if head := g.Head().Anchor; len(d.all) > n && d.all[n].anchor == "" && d.s.Page(head) != "" {
		d.all[n].anchor = head
	}
}

// document returns the document at a location. A document without text is left out. The text is valid until the builder
// is used again.
func (s Session) document(p location, d *textBuilder) Document {
	d.begin()
	var doc Document
	switch it := p.item.(type) {
	case nil:
		doc = Document{Kind: Title, Time: s.Conversation.Facts.Start}
		d.add(s.Title)
	case *normalize.Turn:
		doc = Document{Kind: Prompt, Time: it.Prompt[0].Time()}
		for _, m := range it.Prompt {
			d.prompt(m)
			d.end()
		}
	case *Note:
		doc = Document{Kind: Noted}
		d.add(it.Text)
	case *normalize.Message:
		doc = d.message(it)
	case *normalize.Group:
		doc = s.call(it, d)
	}
	doc.Page, doc.Anchor, doc.Text = p.page, p.anchor, d.end()
	return doc
}

func (d *textBuilder) prompt(m *normalize.Message) {
	d.add(m.Text)
	for _, c := range m.Contexts {
		d.add(c.Name)
		d.add(c.Label)
		d.add(c.Detail)
	}
	if m.Text == "" && m.Block != nil && m.Block.Type != "text" {
		d.addBlock(m.Block)
	}
}

func (d *textBuilder) message(m *normalize.Message) Document {
	doc := Document{Kind: Event, Time: m.Time()}
	switch m.Kind {
	case normalize.Prompt:
		doc.Kind = Prompt
		d.prompt(m)
	case normalize.Command, normalize.Shell:
		doc.Kind = Prompt
		d.add(m.Name)
		d.add(m.Text)
	case normalize.Text:
		doc.Kind = Answer
		d.add(m.Text)
	case normalize.Thinking:
		doc.Kind = Thinking
		d.add(m.Text)
	case normalize.Status, normalize.APIError:
		doc.Failed = m.Kind == normalize.APIError
		d.add(m.Text)
	case normalize.Hook:
		doc.Kind = Hook
		d.add(m.HookEvent)
		d.addBody(m)
	default:
		d.add(m.Name)
		d.addBody(m)
	}
	return doc
}

// addBody adds the text of a message that is not chat.
func (d *textBuilder) addBody(m *normalize.Message) {
	switch {
	case m.Text != "":
		d.add(m.Text)
	case m.Block != nil && m.Block.OnlyEncrypted():
	case m.Record.Attachment != nil:
		d.addStrings(m.Record.Attachment.Raw, skippedMembers)
	case m.Block != nil:
		d.addBlock(m.Block)
	default:
		d.addStrings(m.Record.Raw, skippedMembers)
	}
}

func (d *textBuilder) addResult(m *normalize.Message) {
	for _, b := range m.Block.Content {
		switch {
		case b.OnlyEncrypted():
		case b.Type == "text":
			text, reminder := normalize.ResultText(b.Text) // as shown on the page
			d.add(text)
			d.add(reminder)
		default:
			d.addBlock(&b)
		}
	}
}

func (s Session) call(g *normalize.Group, d *textBuilder) Document {
	doc := Document{
		Kind:   Tool,
		Tool:   "Result",
		Time:   g.Head().Time(),
		Failed: g.State == normalize.Failed || g.State == normalize.Blocked,
	}
	if g.Call != nil {
		doc.Tool, doc.Path = g.Call.Name, tools.PathOf(g.Call.Name, g.Call.Block.Input)
		d.add(g.Call.Name)
		d.addStrings(g.Call.Block.Input, nil)
	}
	for _, m := range g.Captions {
		d.add(m.Text)
	}
	if g.Progress != nil {
		d.addStrings(g.Progress.Record.Data, skippedMembers)
	}
	if g.Result != nil {
		d.addResult(g.Result)
		if len(s.Spilled) > 0 {
			d.add(asText(s.Spilled[normalize.SpilledOutput(g)]))
		}
	}
	for _, m := range g.Inside {
		if m.Kind == normalize.Result {
			d.addResult(m)
		} else {
			d.addBody(m)
		}
	}
	// Most results have no patch, but may be long.
	mayPatch := !slices.Contains([]tools.Action{tools.Read, tools.Run, tools.Search}, tools.ActionOf(g))
	if mayPatch && g.Result != nil {
		if patch := transcript.Field(g.Result.Structured(), "structuredPatch"); patch != nil {
			d.addUnchanged(patch)
		}
	}
	return doc
}
