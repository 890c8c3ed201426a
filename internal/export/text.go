package export

import (
	"cmp"
	"strconv"
	"strings"

	"viewer/internal/console"
	"viewer/internal/markup"
	"viewer/internal/tools"
	"viewer/internal/words"
	"viewer/normalize"
)

// Text returns a session for pipes and pagers: no markup, colours on request, one blank line between messages. A prompt
// starts with a line with its number, "== 3 ==". Inputs and outputs of calls are indented.
func Text(s Session, o Options) ([]byte, error) {
	turns, err := choose(s.Conversation, o)
	if err != nil {
		return nil, err
	}
	w := writer{o: o, context: callContext(s)}
	w.as(bold, s.Title())
	w.as(dim, strings.Join(s.facts(), ", "))
	if o.whole() {
		w.lines(strings.Join(s.ending(), "\n"))
	}
	for _, t := range turns {
		w.gap()
		w.turn(t)
	}
	if o.whole() && o.Level >= Tools {
		for _, a := range s.Conversation.Agents {
			w.agent(a)
		}
	}
	return []byte(w.b.String()), nil
}

// A writer writes plain text, indented by the depth of conversations and calls.
type writer struct {
	b       strings.Builder
	o       Options
	context tools.Context
	indent  string
	style   console.Style
	who     string // who wrote the prompts of an embedded conversation, "" outside
}

// lines writes the indented lines of a text, without terminal control sequences.
func (w *writer) lines(s string) {
	s = strings.TrimRight(console.Text(Plain(s)), " \t\n")
	if s == "" {
		return
	}
	for line := range strings.SplitSeq(s, "\n") {
		w.line(line)
	}
}

func (w *writer) line(line string) {
	if line = strings.TrimRight(line, " \t"); line != "" {
		w.b.WriteString(w.indent)
		w.b.WriteString(string(w.style.Of(line)))
	}
	w.b.WriteByte('\n')
}

// The styles of lines in colours.
const (
	bold      = console.Bold
	dim       = console.Grey
	red       = console.Red
	green     = console.Green
	prompt    = console.BoldCyan
	callStyle = console.Yellow
)

// as writes lines in a style, if colours are wanted.
func (w *writer) as(style console.Style, text string) {
	defer func(before console.Style) { w.style = before }(w.style)
	if w.o.Color {
		w.style = style
	}
	w.lines(text)
}

// patch writes a patch with colours for added and removed lines.
func (w *writer) patch(hunks []markup.Hunk) {
	looks := map[string]console.Style{"+": green, "-": red, "@": dim}
	defer func(before console.Style) { w.style = before }(w.style)
	for line := range strings.SplitSeq(strings.TrimRight(console.Text(Plain(diff(hunks))), " \t\n"), "\n") {
		if w.style = ""; w.o.Color {
			w.style = looks[line[:min(1, len(line))]]
		}
		w.line(line)
	}
}

func (w *writer) gap() { w.b.WriteByte('\n') }

func (w *writer) in(f func()) {
	w.indent += "    "
	f()
	w.indent = strings.TrimSuffix(w.indent, "    ")
}

func (w *writer) turn(t turn) {
	if t.prompt != nil {
		head := cmp.Or(w.who, "you")
		if t.number > 0 && w.who == "" {
			head = strconv.Itoa(t.number)
		}
		if at := clock(t.prompt[0].Time()); at != "" {
			head += " " + at
		}
		w.as(prompt, "== "+head+" ==")
		for _, m := range t.prompt {
			w.prompt(m)
		}
	}
	for _, item := range t.items {
		w.item(item)
	}
}

func (w *writer) prompt(m *normalize.Message) {
	w.contexts(m)
	switch {
	case m.Kind == normalize.Command:
		w.lines(words.OneLine(m.Name + " " + m.Text))
	case m.Kind == normalize.Shell:
		w.lines("! " + m.Text)
	case m.Block != nil && m.Block.Type != "text":
		w.lines("[" + mediaWords(m.Block) + "]")
	default:
		w.lines(strings.Trim(m.Text, "\n"))
	}
}

func (w *writer) contexts(m *normalize.Message) {
	for _, c := range m.Contexts {
		text := words.OneLine(c.Label)
		switch {
		case c.Name != "":
			text = words.OneLine(c.Name) + ": " + text
		case c.Kind != normalize.ContextOther: // whose name says nothing
			text = c.Kind.String() + ": " + text
		}
		w.lines("[" + text + "]")
	}
}

func (w *writer) item(item normalize.Item) {
	w.gap()
	switch it := item.(type) {
	case *normalize.Group:
		w.call(it)
	case *normalize.Branch:
		w.as(dim, "-- taken back: "+words.Plural(it.Conversation.Prompts(), "prompt", "prompts"))
		w.conversation(it.Conversation, "you")
	case *normalize.Message:
		w.message(it)
	}
}

func (w *writer) conversation(c *normalize.Conversation, who string) {
	defer func(before string) { w.who = before }(w.who)
	w.who = who
	w.in(func() {
		for _, t := range c.Turns {
			w.turn(w.o.turn(t, everywhere))
		}
	})
}

func (w *writer) message(m *normalize.Message) {
	if words := m.Shown(); words != "" {
		w.lines("-- " + words)
	}
	if m.Ending != normalize.NoEnding {
		defer func() { w.lines("-- " + m.Ending.String()) }()
	}
	if m.Kind != normalize.Prompt && m.Kind != normalize.Command && m.Kind != normalize.Shell {
		w.contexts(m)
	}
	switch m.Kind {
	case normalize.Text:
		w.lines(strings.Trim(m.Text, "\n"))
	case normalize.Prompt:
		w.as(prompt, "-- you, while it worked")
		w.prompt(m)
	case normalize.Command, normalize.Shell:
		w.prompt(m)
	case normalize.Thinking:
		if strings.TrimSpace(m.Text) == "" {
			words := "text not kept"
			if m.Block.OnlyEncrypted() {
				words = tools.EncryptedText(*m.Block)
			}
			w.as(dim, "-- thought, "+words)
			return
		}
		w.as(dim, "-- thought")
		w.in(func() { w.as(dim, strings.Trim(m.Text, "\n")) })
	case normalize.Media:
		w.lines("[" + mediaWords(m.Block) + "]")
	case normalize.Output:
		w.in(func() { w.lines(m.Text) })
	default:
		name, text := eventWords(m)
		if head := words.OneLine(text); head != "" && head == strings.TrimSpace(text) {
			if name != "" {
				head = name + ": " + head
			}
			w.as(dim, "-- "+head)
			return
		}
		w.as(dim, "-- "+name)
		w.in(func() { w.as(dim, text) })
	}
}

func (w *writer) call(g *normalize.Group) {
	c := tools.Describe(g, w.context)
	target := target(c)
	if c.Command != "" {
		target = strings.TrimSpace(c.Command)
	}
	line := "* " + c.Tool
	if target != "" {
		line += " " + target
	}
	remarks := append(remarks(c, g.State), words.NonEmpty(g.Head().Ending.String(), g.Head().Shown())...)
	if len(remarks) > 0 {
		line += "  (" + strings.Join(remarks, ", ") + ")"
	}
	style := callStyle
	if stateWords[g.State] != "" && g.State != normalize.Pending {
		style = red
	}
	w.as(style, line)
	if w.o.Calls == CallRows {
		return
	}
	w.in(func() {
		for _, m := range g.Captions {
			w.as(dim, "-- "+words.OneLine(m.Text))
		}
		if c.Command == "" {
			w.asked(c)
		}
		w.besides(g.Pre)
		w.lines(strings.Trim(output(c), "\n"))
		if added := w.o.added(g); added != "" {
			w.as(dim, "-- added by the program")
			w.in(func() { w.as(dim, added) })
		}
		w.besides(g.Inside)
		w.besides(g.Post)
		for _, a := range g.Agents {
			w.agent(a)
		}
	})
}

// asked writes the input of a call.
func (w *writer) asked(c *tools.Call) {
	for _, p := range asked(c) {
		if p.label != "" && (p.text != "" || p.hunks != nil) {
			w.lines(p.label + ":")
		}
		if len(p.hunks) > 0 {
			w.patch(p.hunks)
		} else {
			w.lines(strings.Trim(p.text, "\n"))
		}
	}
}

// besides writes the hooks of a call and the texts that it injected.
func (w *writer) besides(messages []*normalize.Message) {
	if w.o.Level >= Everything {
		for _, m := range messages {
			w.message(m)
		}
	}
}

func (w *writer) agent(a *normalize.Agent) {
	w.gap()
	w.as(prompt, "-- agent "+agentName(a)+": "+markup.Excerpt(agentTask(a), 120))
	w.conversation(a.Conversation, "task")
}
