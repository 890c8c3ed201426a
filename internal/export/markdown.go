package export

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"viewer/internal/markup"
	"viewer/internal/tools"
	"viewer/internal/transcript"
	"viewer/internal/words"
	"viewer/normalize"
)

// Markdown returns a session in Markdown for code forges and models: a section for each prompt, prose as prose, calls
// folded. No text of the log can end a section, open a tag or mention anybody, see markup.Forge.
func Markdown(s Session, o Options) ([]byte, error) {
	turns, err := choose(s.Conversation, o)
	if err != nil {
		return nil, err
	}
	w := markdown{o: o, context: callContext(s)}
	w.block("# " + markup.ForgeLine(s.Title()))
	var facts []string
	for _, f := range s.facts() {
		facts = append(facts, markup.ForgeLine(f))
	}
	w.block(strings.Join(facts, " · "))
	if o.whole() {
		for _, line := range s.ending() {
			w.block(markup.ForgeLine(line))
		}
	}
	for _, t := range turns {
		w.turn(t)
	}
	if o.whole() && o.Level >= Tools {
		for _, a := range s.Conversation.Agents {
			w.agent(a)
		}
	}
	return w.bytes(), nil
}

// MarkdownBlocks returns a turn as parts of another document, which may leave out any of them: the prompt, and each of
// its items.
func MarkdownBlocks(s Session, o Options, t *normalize.Turn) []string {
	var blocks []string
	add := func(part turn) {
		w := markdown{o: o, context: callContext(s), who: "You"}
		if w.turn(part); w.b.Len() > 0 {
			blocks = append(blocks, w.b.String())
		}
	}
	chosen := o.turn(t, everywhere)
	add(turn{Turn: t, prompt: chosen.prompt})
	for _, item := range chosen.items {
		add(turn{Turn: t, items: []normalize.Item{item}})
	}
	return blocks
}

// A markdown is a document being written: blocks separated by empty lines.
type markdown struct {
	b       strings.Builder
	o       Options
	context tools.Context
	who     string // who wrote the prompts of an embedded conversation, "" outside
}

func (w *markdown) bytes() []byte { return []byte(strings.TrimRight(w.b.String(), "\n") + "\n") }

func (w *markdown) block(text string) {
	if text != "" {
		w.b.WriteString(text)
		w.b.WriteString("\n\n")
	}
}

// fence writes code, or the beginning of long code if the options say so.
func (w *markdown) fence(code, lang string) {
	head, more := beginning(code, w.o.Longest)
	w.block(markup.Fence(head, lang))
	w.block(more)
}

// prose returns a text of the log that is Markdown, or the beginning of a long text if the options say so.
func (w *markdown) prose(text string) string {
	head, more := beginning(text, w.o.LongestText)
	return strings.Join(words.NonEmpty(markup.Forge(head), more), "\n\n")
}

// beginning returns the whole lines in a number of bytes, 0 for all, and words for the rest.
func beginning(text string, bytes int) (head, more string) {
	if bytes == 0 || len(text) <= bytes {
		return text, ""
	}
	head = strings.ToValidUTF8(text[:bytes], "")
	if i := strings.LastIndexByte(head, '\n'); i > bytes/2 {
		head = head[:i]
	}
	return head, fmt.Sprintf("*… and %s more*", words.Size(len(text)-len(head)))
}

// A lineStyle writes plain texts as parts of one line.
type lineStyle struct{ plain, bold, code func(string) string }

// A <summary> is a block of HTML, in which Markdown is not markup. Elsewhere it is, even between <b> and </b>.
var (
	inSummary = lineStyle{
		plain: markup.ForgeHTML,
		bold:  func(s string) string { return "<b>" + markup.ForgeHTML(s) + "</b>" },
		code:  func(s string) string { return "<code>" + markup.ForgeHTML(s) + "</code>" },
	}
	inText = lineStyle{
		plain: markup.ForgeLine,
		bold:  func(s string) string { return "**" + markup.ForgeLine(s) + "**" },
		code:  markup.ForgeCode,
	}
)

// fold writes blocks in an element that can be opened. The title is HTML.
func (w *markdown) fold(title string, open bool, inside func()) {
	tag := "<details>"
	if open {
		tag = "<details open>"
	}
	w.block(tag + "<summary>" + title + "</summary>")
	inside()
	w.block("</details>")
}

func (w *markdown) turn(t turn) {
	if t.prompt != nil {
		m := t.prompt[0]
		who := cmp.Or(w.who, "You")
		if m.Kind == normalize.Command || m.Kind == normalize.Shell {
			who = "Command"
		}
		if at := clock(m.Time()); at != "" {
			who += " · " + at
		}
		switch {
		case w.who != "":
			w.block("**" + who + "**")
		case t.number > 0:
			w.block(fmt.Sprintf("## %d. %s", t.number, who))
		default:
			w.block("## " + who)
		}
		for _, m := range t.prompt {
			w.prompt(m)
		}
	}
	for _, item := range t.items {
		w.item(item)
	}
}

// prompt writes a prompt as a quotation.
func (w *markdown) prompt(m *normalize.Message) {
	var parts []string
	if c := contexts(m.Contexts); c != "" {
		parts = append(parts, c)
	}
	switch {
	case m.Kind == normalize.Command:
		parts = append(parts, markup.ForgeCode(m.Name), w.prose(m.Text))
	case m.Kind == normalize.Shell:
		parts = append(parts, markup.Fence(m.Text, "sh"))
	case m.Block != nil && m.Block.Type != "text":
		parts = append(parts, normalize.ContextImage.Emoji()+" "+markup.ForgeLine(mediaWords(m.Block)))
	default:
		parts = append(parts, w.prose(m.Text))
	}
	w.block(quotation(strings.Join(words.NonEmpty(parts...), "\n\n")))
}

// contexts returns the attachments of a prompt, one a line, each with a symbol.
func contexts(all []normalize.Context) string {
	var lines []string
	for _, c := range all {
		line := c.Kind.Emoji()
		for _, s := range words.NonEmpty(c.Name, c.Label) {
			line += " " + markup.ForgeCode(s)
		}
		if detail := words.Line(c.Detail, 120); detail != "" && detail != c.Label {
			line += " " + markup.ForgeLine(detail)
		}
		lines = append(lines, "- "+line)
	}
	return strings.Join(lines, "\n")
}

// quotation returns a text as a block quotation.
func quotation(s string) string {
	if s == "" {
		return ""
	}
	return strings.ReplaceAll("> "+strings.ReplaceAll(s, "\n", "\n> "), "> \n", ">\n")
}

func (w *markdown) item(item normalize.Item) {
	switch it := item.(type) {
	case *normalize.Group:
		w.call(it)
	case *normalize.Branch:
		n := it.Conversation.Prompts()
		w.fold("↩️ Taken back: "+words.Plural(n, "prompt", "prompts"), false, func() {
			w.conversation(it.Conversation, "You")
		})
	case *normalize.Message:
		w.message(it)
	}
}

// conversation writes an embedded conversation.
func (w *markdown) conversation(c *normalize.Conversation, who string) {
	defer func(before string) { w.who = before }(w.who)
	w.who = who
	for _, t := range c.Turns {
		w.turn(w.o.turn(t, everywhere))
	}
}

func (w *markdown) message(m *normalize.Message) {
	if words := m.Shown(); words != "" {
		w.block("*" + words + "*")
	}
	if m.Ending != normalize.NoEnding {
		defer func() { w.block("⚠️ *" + m.Ending.String() + "*") }()
	}
	if m.Kind != normalize.Prompt && m.Kind != normalize.Command && m.Kind != normalize.Shell {
		w.block(contexts(m.Contexts))
	}
	switch m.Kind {
	case normalize.Text:
		w.block(w.prose(m.Text))
	case normalize.Prompt: // a prompt from the queue, delivered during the turn
		w.block("**You**, while it worked:")
		w.prompt(m)
	case normalize.Command, normalize.Shell:
		w.prompt(m)
	case normalize.Thinking:
		if strings.TrimSpace(m.Text) == "" {
			w.block("💭 *" + thoughtWords(m) + "*")
			return
		}
		w.fold("💭 Thought · "+words.Plural(words.In(m.Text), "word", "words"), false, func() {
			w.block(w.prose(m.Text))
		})
	case normalize.Output:
		w.block(markup.Fence(Plain(m.Text), ""))
	case normalize.Media:
		w.block(normalize.ContextImage.Emoji() + " " + markup.ForgeLine(mediaWords(m.Block)))
	case normalize.Status:
		w.block("⏹️ *" + markup.ForgeLine(m.Text) + "*")
	case normalize.APIError:
		w.block("❌ **API error:** " + markup.ForgeLine(m.Text))
	default:
		w.event(m)
	}
}

// thoughtWords says why a thought has no text.
func thoughtWords(m *normalize.Message) string {
	if m.Block.OnlyEncrypted() {
		return "Thought; " + tools.EncryptedText(*m.Block)
	}
	return "Thought; the text was not kept."
}

// event writes a record that is not chat: a line, and its details below.
func (w *markdown) event(m *normalize.Message) {
	name, text := eventWords(m)
	body := w.eventBody(m, text)
	line := inText
	if body != "" {
		line = inSummary
	}
	title := "ℹ️ " + line.plain(name)
	if head := words.Line(Plain(text), 100); head != "" && name != "" {
		title += ": " + line.plain(head)
	} else {
		title += line.plain(head)
	}
	if body == "" {
		w.block(title)
		return
	}
	w.fold(title, false, func() { w.block(body) })
}

// eventWords returns the name and the text of a record that is not chat.
func eventWords(m *normalize.Message) (name, text string) {
	name = m.Kind.String()
	switch m.Kind {
	case normalize.Hook:
		name = "hook " + m.HookEvent
		if a := m.Record.Attachment; a != nil {
			if a.HookName != "" {
				name = "hook " + a.HookName
			}
			for _, field := range []string{"command", "content", "stdout", "stderr", "blockingError"} {
				if text = strings.TrimSpace(transcript.TextOf(transcript.Field(a.Raw, field))); text != "" &&
					text != "[]" {
					break
				}
			}
		} else {
			text = m.Text
		}
	case normalize.System, normalize.Attachment, normalize.Unknown, normalize.Block:
		if m.Block != nil && m.Block.OnlyEncrypted() {
			return "", tools.EncryptedText(*m.Block)
		}
		if m.Name != "" {
			name = strings.ReplaceAll(m.Name, "_", " ")
		}
		text = m.Text
		if m.Kind == normalize.Unknown && m.Name == "result" {
			name, text = "run ended", endWords(m.Record)
		}
	case normalize.Result:
		name, text = "another result", messageText(m)
	case normalize.Teammate:
		name, text = "message", messageText(m)
		if len(m.Tags) > 0 && m.Tags[0].From != "" {
			name += " from " + words.OneLine(m.Tags[0].From)
		}
	default:
		text = messageText(m)
	}
	return words.OneLine(name), strings.TrimSpace(text)
}

// endWords returns how a run ended: "success, 9 turns, $0.35". A failed
// run may have the subtype of a success.
func endWords(r *transcript.Record) string {
	number := func(name string) float64 { return transcript.Amount(transcript.Field(r.Raw, name)) }
	var said []string
	s := transcript.String(transcript.Field(r.Raw, "subtype"))
	if s == "success" && transcript.Kind(transcript.Field(r.Raw, "is_error")) == 't' {
		s = "failed"
	}
	if s != "" {
		said = append(said, strings.ReplaceAll(words.OneLine(s), "_", " "))
	}
	if n := int(number("num_turns")); n > 0 {
		said = append(said, words.Plural(n, "turn", "turns"))
	}
	if f := number("total_cost_usd"); f > 0 {
		said = append(said, words.Dollars(f))
	}
	if ms := number("duration_ms"); ms > 0 {
		said = append(said, words.Duration(time.Duration(ms*1e6)))
	}
	return strings.Join(said, ", ")
}

// eventBody returns the details of a record beyond its line: its text if that is longer, or the record itself if there
// is no text for it.
func (w *markdown) eventBody(m *normalize.Message, text string) string {
	long := words.Line(Plain(text), 100) != strings.TrimSpace(Plain(text))
	if m.Kind == normalize.Unknown && m.Name == "result" {
		return w.prose(transcript.String(transcript.Field(m.Record.Raw, "result")))
	}
	if m.Block != nil && m.Block.OnlyEncrypted() {
		return ""
	}
	switch m.Kind {
	case normalize.Notification, normalize.Teammate, normalize.Summary, normalize.Caption, normalize.Injected:
		if long {
			return w.prose(text)
		}
		return ""
	case normalize.Attachment, normalize.Block, normalize.Unknown, normalize.Progress:
		if raw := rawOf(m); raw != nil {
			return markup.Fence(transcript.Pretty(raw), "json")
		}
	}
	if long {
		return markup.Fence(Plain(text), "")
	}
	return ""
}

// signs shows how a call ended.
var signs = map[normalize.State]string{
	normalize.Done: "🔧", normalize.Failed: "❌", normalize.Blocked: "⛔", normalize.CallDeclined: "⛔",
	normalize.CallDenied: "⛔",
	normalize.Stopped:    "⏹️", normalize.Pending: "⏳", normalize.Missing: "❔", normalize.Orphan: "❔",
	normalize.Unlogged: "🔧", normalize.CallCancelled: "⏹️",
}

func (w *markdown) call(g *normalize.Group) {
	c := tools.Describe(g, w.context)
	line := inSummary
	if w.o.Calls == CallRows {
		line = inText
	}
	title := signs[g.State] + " " + line.bold(words.Clip(c.Tool, 60))
	if target := target(c); target != "" {
		title += " " + line.code(words.Clip(target, 120))
	}
	for _, f := range append(remarks(c, g.State), words.NonEmpty(g.Head().Ending.String(), g.Head().Shown())...) {
		title += " " + line.plain("· "+f)
	}
	if w.o.Calls == CallRows {
		w.block(title)
		return
	}
	w.fold(title, g.State == normalize.Failed || g.State == normalize.Blocked, func() {
		for _, m := range g.Captions {
			w.block("*" + markup.ForgeLine(m.Text) + "*")
		}
		w.asked(c)
		w.hooks(g.Pre)
		if out := Plain(output(c)); strings.TrimSpace(out) != "" {
			w.fence(out, "")
		}
		if added := w.o.added(g); added != "" {
			w.fold("Added by the program", false, func() { w.fence(Plain(added), "") })
		}
		if g.Progress != nil {
			w.event(g.Progress)
		}
		if w.o.Level >= Everything {
			for _, m := range g.Inside {
				w.event(m)
			}
		}
		w.hooks(g.Post)
		for _, a := range g.Agents {
			w.agent(a)
		}
	})
}

// asked writes the input of a call.
func (w *markdown) asked(c *tools.Call) {
	for _, p := range asked(c) {
		if p.label != "" && (p.text != "" || p.hunks != nil) {
			w.block("**" + markup.ForgeLine(p.label) + "**")
		}
		switch {
		case len(p.hunks) > 0:
			w.fence(diff(p.hunks), "diff")
		case strings.TrimSpace(p.text) == "":
		case p.prose:
			w.block(quotation(w.prose(p.text)))
		default:
			w.fence(p.text, p.lang)
		}
	}
}

func (w *markdown) hooks(all []*normalize.Message) {
	if w.o.Level < Everything {
		return
	}
	for _, m := range all {
		w.event(m)
	}
}

func (w *markdown) agent(a *normalize.Agent) {
	title := "🤖 " + inSummary.bold(agentName(a))
	if what := agentTask(a); what != "" {
		title += " " + inSummary.plain(what)
	}
	w.fold(title, false, func() { w.conversation(a.Conversation, "Task") })
}

func agentName(a *normalize.Agent) string {
	if a.Type == "" {
		return "Agent"
	}
	return words.Line(a.Type, 60)
}

func agentTask(a *normalize.Agent) string {
	if s := words.Line(a.Description, 120); s != "" {
		return s
	}
	return markup.Excerpt(a.Conversation.Facts.Request(), 100)
}
