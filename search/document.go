package search

import (
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/normalize"
	"viewer/transcript"
)

// A Kind says what a document is.
type Kind uint8

const (
	Event    Kind = iota // what the program adds: system records, attachments, notifications
	Hook                 // the outcome of a hook
	Tool                 // a call with its result
	Thinking             // of the model
	Answer               // of the model
	Prompt               // of a human; a command too
	Title                // of the session
)

// Kinds are their names, in order.
var Kinds = [...]string{"event", "hook", "tool", "thinking", "answer", "prompt", "title"}

func (k Kind) String() string { return Kinds[k] }

// A Document is what a query finds: a message that can be linked to. A call and
// its result are one, as they are on the page.
type Document struct {
	Page   string // below the folder of the session: "2.html"
	Anchor string // on it; "" is its top
	Kind   Kind
	Tool   string
	Path   string // of the file that the call is about
	Failed bool
	Time   time.Time // zero when the log does not say
	Text   string
}

// A Session is what is put into the index of one.
type Session struct {
	Conversation *normalize.Conversation
	Title        string
	Spilled      map[string][]byte          // long outputs that lie beside the session, by the name of their file
	Page         func(anchor string) string // on which an anchor stands, "" when it is on none
	Known        func(page string) bool     // that its documents are not wanted; nil when all are
}

// A place is where a document stands, and what it is made of: its text is put
// together when its page is due, so that no more than one page is in memory.
type place struct {
	page, anchor string // "" is the top of the page
	item         any    // a *normalize.Turn for its prompt, a *normalize.Message, a *normalize.Group, nil for the title
}

// places are those of the documents of a session, page by page, on each as they
// come: the title first.
func (s Session) places() []place {
	d := dealer{s: s}
	if s.Known == nil || !s.Known(firstPage) {
		d.all = append(d.all, place{page: firstPage})
	}
	for inner := range s.Conversation.All() {
		for _, t := range inner.Turns {
			d.page = s.Page(t.Head().Anchor)
			d.turn(t)
		}
	}
	slices.SortStableFunc(d.all, func(a, b place) int { return strings.Compare(a.page, b.page) })
	return d.all
}

const firstPage = "index.html"

type dealer struct {
	s    Session
	all  []place
	page string // of the last that said where it is
}

// add takes a document that begins at m. Without a page of its own it is where the last one was.
func (d *dealer) add(m *normalize.Message, item any) {
	p := place{item: item}
	if page := d.s.Page(m.Anchor); page != "" {
		d.page, p.anchor = page, m.Anchor
	}
	if p.page = d.page; p.page != "" {
		d.all = append(d.all, p)
	}
}

// known says that nothing is wanted of what begins at m, and where that is.
func (d *dealer) known(m *normalize.Message) bool {
	if d.s.Known == nil {
		return false
	}
	if page := d.s.Page(m.Anchor); page != "" {
		d.page = page
	}
	return d.s.Known(d.page)
}

func (d *dealer) turn(t *normalize.Turn) {
	switch {
	case len(t.Prompt) == 0 || d.known(t.Prompt[0]):
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
			if !d.known(it) {
				d.message(it)
			}
		case *normalize.Group:
			if !d.known(it.Head()) {
				d.call(it)
			}
		}
	}
}

func (d *dealer) message(m *normalize.Message) {
	if m.Rule == "" {
		d.add(m, m)
	}
}

func (d *dealer) call(g *normalize.Group) {
	d.add(g.Head(), g)
	for _, m := range g.Pre {
		d.hook(g, m)
	}
	for _, m := range g.Post {
		d.hook(g, m)
	}
}

// hook takes one that stands inside of a call on its page.
func (d *dealer) hook(g *normalize.Group, m *normalize.Message) {
	n := len(d.all)
	d.message(m)
	if head := g.Head().Anchor; len(d.all) > n && d.all[n].anchor == "" && d.s.Page(head) != "" {
		d.all[n].anchor = head
	}
}

// document is what stands at a place; one without a text is none.
func (s Session) document(p place) Document {
	var doc Document
	switch it := p.item.(type) {
	case nil:
		doc = Document{Kind: Title, Text: plain(s.Title), Time: s.Conversation.Facts.Start}
	case *normalize.Turn:
		var texts []string
		for _, m := range it.Prompt {
			texts = append(texts, prompt(m))
		}
		doc = Document{Kind: Prompt, Text: joined(texts...), Time: it.Prompt[0].Time()}
	case *normalize.Message:
		doc = message(it)
	case *normalize.Group:
		doc = s.call(it)
	}
	doc.Page, doc.Anchor = p.page, p.anchor
	return doc
}

func prompt(m *normalize.Message) string {
	texts := []string{m.Text}
	for _, c := range m.Contexts {
		texts = append(texts, c.Label, c.Detail)
	}
	if m.Text == "" && m.Block != nil && m.Block.Type != "text" {
		texts = append(texts, leaves(m.Block.Raw, unread))
	}
	return joined(texts...)
}

func message(m *normalize.Message) Document {
	doc := Document{Kind: Event, Time: m.Time()}
	switch m.Kind {
	case normalize.Prompt:
		doc.Kind, doc.Text = Prompt, prompt(m)
	case normalize.Command, normalize.Shell:
		doc.Kind, doc.Text = Prompt, joined(m.Name, m.Text)
	case normalize.Text:
		doc.Kind, doc.Text = Answer, joined(m.Text)
	case normalize.Thinking:
		doc.Kind, doc.Text = Thinking, joined(m.Text)
	case normalize.Status, normalize.APIError:
		doc.Text, doc.Failed = joined(m.Text), m.Kind == normalize.APIError
	case normalize.Hook:
		doc.Kind, doc.Text = Hook, joined(m.HookEvent, of(m))
	default:
		doc.Text = joined(m.Name, of(m))
	}
	return doc
}

// of is what there is to read of a message that is no chat.
func of(m *normalize.Message) string {
	switch {
	case m.Text != "":
		return m.Text
	case m.Record.Attachment != nil:
		return leaves(m.Record.Attachment.Raw, unread)
	case m.Block != nil:
		return leaves(m.Block.Raw, unread)
	}
	return leaves(m.Record.Raw, unread)
}

func (s Session) call(g *normalize.Group) Document {
	doc := Document{Kind: Tool, Tool: "Result", Time: g.Head().Time(), Failed: !g.State.OK() && g.State != normalize.Pending && g.State != normalize.Orphan}
	var texts []string
	if g.Call != nil {
		doc.Tool, doc.Path = g.Call.Name, pathOf(g.Call.Block.Input)
		texts = append(texts, g.Call.Name, leaves(g.Call.Block.Input, nil))
	}
	for _, m := range g.Captions {
		texts = append(texts, m.Text)
	}
	if g.Progress != nil {
		texts = append(texts, leaves(g.Progress.Record.Data, unread))
	}
	if g.Result != nil {
		for _, b := range g.Result.Block.Content {
			if b.Type == "text" {
				texts = append(texts, b.Text)
			} else {
				texts = append(texts, leaves(b.Raw, unread))
			}
		}
		if data := s.Spilled[normalize.SpilledOutput(g)]; data != nil {
			texts = append(texts, string(data))
		}
	}
	for _, m := range g.Inside {
		texts = append(texts, of(m))
	}
	if g.Result != nil {
		if patch := transcript.Field(g.Result.Record.ToolUseResult, "structuredPatch"); patch != nil {
			texts = append(texts, around(patch, texts))
		}
	}
	doc.Text = joined(texts...)
	return doc
}

// around are the lines of a patch, which a page shows, that the call does not say
// itself: those around the change, and those of a file that was written anew.
func around(patch jsontext.Value, texts []string) string {
	var lines []string
	for hunk := range transcript.Elements(patch) {
		for l := range transcript.Elements(transcript.Field(hunk, "lines")) {
			if line := transcript.String(l); len(line) > 1 {
				lines = append(lines, line[1:])
			}
		}
	}
	if len(lines) == 0 {
		return ""
	}
	said := make(map[string]bool)
	for _, text := range texts {
		for line := range strings.Lines(text) {
			said[strings.TrimSpace(line)] = true
		}
	}
	lines = slices.DeleteFunc(lines, func(line string) bool { return said[strings.TrimSpace(line)] })
	return strings.Join(lines, "\n")
}

// pathFields are what tools call the file that they are about.
var pathFields = []string{"file_path", "notebook_path", "path"}

func pathOf(input jsontext.Value) string {
	for _, name := range pathFields {
		if p := transcript.String(transcript.Field(input, name)); p != "" {
			return p
		}
	}
	return ""
}

// unread are members of records that say nothing to a reader.
var unread = map[string]bool{
	"uuid": true, "parentUuid": true, "sessionId": true, "session_id": true, "timestamp": true, "version": true, "cwd": true, "gitBranch": true,
	"userType": true, "entrypoint": true, "type": true, "id": true, "requestId": true, "toolUseID": true, "tool_use_id": true, "parentToolUseID": true,
	"slug": true, "promptId": true, "hookEvent": true, "signature": true, "media_type": true, "messageId": true,
}

// leaves are all texts inside of a JSON value, but for members of these names.
// What is long and has no blanks is no text.
func leaves(v jsontext.Value, without map[string]bool) string {
	var b strings.Builder
	addLeaves(&b, v, without)
	return b.String()
}

const longestSolid = 2000

func addLeaves(b *strings.Builder, v jsontext.Value, without map[string]bool) {
	switch transcript.Kind(v) {
	case '"':
		if s := transcript.String(v); len(s) < longestSolid || strings.ContainsAny(s[:longestSolid], " \n") {
			addLine(b, s)
		}
	case '0':
		addLine(b, string(v))
	case '{':
		for name, value := range transcript.Members(v) {
			if !without[name] {
				addLeaves(b, value, without)
			}
		}
	case '[':
		for value := range transcript.Elements(v) {
			addLeaves(b, value, without)
		}
	}
}

func addLine(b *strings.Builder, s string) {
	if s == "" {
		return
	}
	if b.Len() > 0 {
		b.WriteByte('\n')
	}
	b.WriteString(s)
}

// joined puts texts one below the other, without what terminals obey.
func joined(texts ...string) string {
	one, n := "", 0
	for _, s := range texts {
		if s != "" {
			one = s
			n++
		}
	}
	if n > 1 {
		one = strings.Join(slices.DeleteFunc(texts, func(s string) bool { return s == "" }), "\n")
	}
	return plain(one)
}

// plain is a text without terminal sequences and control characters.
func plain(s string) string {
	i := 0
	for i < len(s) && (s[i] >= ' ' || s[i] == '\n' || s[i] == '\t') {
		i++
	}
	if i == len(s) {
		return s
	}
	b := make([]byte, 0, len(s))
	for i = 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == 0x1b:
			i += escape(s[i+1:])
		case c >= ' ' || c == '\n' || c == '\t':
			b = append(b, c)
		default:
			b = append(b, ' ')
		}
	}
	return string(b)
}

// escape is the length of a terminal sequence behind its first character.
func escape(s string) int {
	if s == "" {
		return 0
	}
	switch s[0] {
	case '[': // up to a letter
		for i := 1; i < len(s); i++ {
			if s[i] >= '@' && s[i] <= '~' {
				return i + 1
			}
			if s[i] < ' ' || s[i] > '?' {
				return i
			}
		}
		return len(s)
	case ']', 'P', '_', '^', 'X': // up to a bell or ESC \
		for i := 1; i < min(len(s), 2048); i++ {
			if s[i] == 7 {
				return i + 1
			}
			if s[i] == 0x1b {
				return i
			}
		}
		return 0
	}
	return 1
}
