package render

import (
	"html"
	"html/template"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/markup"
	"viewer/normalize"
	"viewer/transcript"
)

// message draws one message that is no call.
func (d *drawer) message(m *normalize.Message) template.HTML {
	switch m.Kind {
	case normalize.Text:
		d.drawn(m)
		return execute("partial/prose", proseView{m.Anchor, markup.Markdown(m.Text, m.Anchor)})
	case normalize.Thinking:
		return d.thinking(m)
	case normalize.Prompt: // queued, delivered in the middle of a turn
		return d.prompt([]*normalize.Message{m}, 0, "You")
	case normalize.Command, normalize.Shell:
		return d.command(m)
	case normalize.Output:
		return d.commandOutput(m)
	case normalize.Notification:
		return d.notification(m)
	case normalize.Teammate:
		return d.teammate(m)
	case normalize.Injected:
		return d.injected(m)
	case normalize.Summary:
		return d.summary(m)
	case normalize.Status:
		return d.status(m)
	case normalize.APIError:
		d.drawn(m)
		l := line{Icon: "error", Text: oneLine(m.Text, 200), Look: "err", Level: atChat}
		if l.Text == "" {
			l.Text = "API error"
		}
		return d.note(m, l, d.terminalIfLonger(m.Text, 200))
	case normalize.Media:
		return d.media1(m)
	case normalize.Hook:
		return d.hook(m, alone)
	case normalize.System:
		return d.event(m, systems)
	case normalize.Attachment:
		return d.event(m, attachments)
	case normalize.Caption: // of calls that are not in the log
		d.drawn(m)
		return d.note(m, line{Icon: "list", Text: oneLine(m.Text, 200), Level: atTools}, "")
	case normalize.Block:
		return d.event(m, blocks)
	}
	return d.event(m, records)
}

// note draws a line of the page's own words with an optional body.
func (d *drawer) note(m *normalize.Message, l line, body template.HTML) template.HTML {
	if l.Look == "" {
		l.Look = "note"
	}
	return execute("partial/line", lineView{l, m.Anchor, body})
}

type proseView struct {
	ID   string
	HTML template.HTML
}

type thinkingView struct {
	ID       string
	Words    string
	Text     template.HTML
	Redacted bool // the log has it in a form that only the model can read
}

// thinking draws reasoning folded; newer models leave only its signature.
func (d *drawer) thinking(m *normalize.Message) template.HTML {
	d.drawn(m)
	v := thinkingView{ID: m.Anchor, Redacted: m.Block.Type == "redacted_thinking"}
	if !unkept(m) {
		v.Words = plural(len(strings.Fields(m.Text)), "word", "words")
		v.Text = markup.Markdown(m.Text, m.Anchor)
	}
	return execute("partial/thinking", v)
}

// promptView is what a human (or the caller of an agent) wrote.
type promptView struct {
	ID       string
	Who      string
	Number   int // 0 when it is not counted
	Queued   bool
	When     stamp
	Chips    []chip
	Text     template.HTML
	Rest     template.HTML // folded
	All      string        // what unfolding shows: "52 lines"
	Pictures []picture
	Heading  int // 2 on the page, 3 inside an agent
}

// A chip is one thing that was attached to a prompt.
type chip struct {
	Icon   string
	Kind   string // in words, for those who do not see the icon
	Label  string
	Code   bool
	Href   string
	Detail *output
}

// promptLines is how much of a prompt shows before it folds.
const promptLines = 20

func (d *drawer) prompt(parts []*normalize.Message, number int, who string) template.HTML {
	d.drawn(parts...)
	head := parts[0]
	v := promptView{ID: head.Anchor, Who: who, Number: number, Queued: head.Queued, When: clock(head.Time()), Heading: 2}
	if d.nest > 0 {
		v.Heading = 3
	}
	var texts []string
	for _, m := range parts {
		v.Chips = append(v.Chips, d.chips(m.Contexts)...)
		if m.Block != nil && m.Block.Type != "text" {
			v.Pictures = append(v.Pictures, d.picture(m.Block.Source, m.Block.Type))
		}
		v.Pictures = append(v.Pictures, d.queuedPictures(m)...)
		if strings.TrimSpace(m.Text) != "" {
			texts = append(texts, m.Text)
		}
	}
	text := strings.Trim(strings.Join(texts, "\n\n"), "\n")
	first, rest := text, ""
	v.All = "of it"
	if n := markup.Lines(text); n > promptLines+slack {
		first, rest = markup.CutText(text, promptLines)
		v.All = count(n) + " lines"
	} else if len(text) > 8<<10 {
		first = cutBytes(text, 4<<10)
		rest = text[len(first):]
	}
	v.Text = markup.Text(strings.TrimRight(first, "\n"))
	if rest != "" {
		v.Rest = markup.Text(rest)
	}
	return execute("partial/prompt", v)
}

// queuedPictures are the pictures of a prompt that was queued: it is an
// attachment, and its blocks stand inside.
func (d *drawer) queuedPictures(m *normalize.Message) []picture {
	if m.Record.Attachment == nil {
		return nil
	}
	var all []picture
	for block := range transcript.Elements(transcript.Field(m.Record.Attachment.Raw, "prompt")) {
		kind := transcript.String(transcript.Field(block, "type"))
		if kind == "image" || kind == "document" {
			source := transcript.Field(block, "source")
			all = append(all, d.picture(transcript.Source{
				Kind: transcript.String(transcript.Field(source, "type")), URL: transcript.String(transcript.Field(source, "url")), Data: transcript.Field(source, "data"),
			}, kind))
		}
	}
	return all
}

var chipIcons = map[normalize.ContextKind]string{
	normalize.ContextFile: "file", normalize.ContextWeb: "globe", normalize.ContextFolder: "folder", normalize.ContextSymbol: "symbol",
	normalize.ContextTerminal: "term", normalize.ContextProblems: "warn", normalize.ContextGit: "git", normalize.ContextSelection: "select",
	normalize.ContextWorkspace: "home", normalize.ContextMemory: "memory", normalize.ContextSkill: "skill", normalize.ContextImage: "image",
	normalize.ContextDiagnostics: "warn", normalize.ContextAgent: "agent", normalize.ContextReminder: "message",
}

func (d *drawer) chips(contexts []normalize.Context) []chip {
	var all []chip
	for _, c := range contexts {
		ch := chip{Icon: chipIcons[c.Kind], Kind: c.Kind.String(), Label: d.path(c.Label)}
		switch c.Kind {
		case normalize.ContextFile, normalize.ContextFolder, normalize.ContextSymbol, normalize.ContextSelection:
			ch.Code = true
		case normalize.ContextWeb:
			ch.Href = markup.Link(c.Label)
			ch.Label = domain(c.Label)
		}
		if len(c.Detail) <= 80 && !strings.Contains(c.Detail, "\n") {
			if c.Detail != "" && !strings.HasSuffix(c.Detail, c.Label) {
				ch.Label += " " + c.Detail
			}
		} else {
			ch.Detail = d.plain(c.Detail)
		}
		ch.Label = oneLine(ch.Label, 160)
		all = append(all, ch)
	}
	return all
}

// commandView is a slash command or a line of bash mode.
type commandView struct {
	ID   string
	Name string
	Args string
	Rest template.HTML // of arguments that do not fit a line
	When stamp
}

func (d *drawer) command(m *normalize.Message) template.HTML {
	d.drawn(m)
	v := commandView{ID: m.Anchor, Name: m.Name, Args: oneLine(m.Text, 200), When: clock(m.Time())}
	if m.Kind == normalize.Shell {
		v.Name = "!"
	}
	if strings.TrimSpace(m.Text) != v.Args {
		v.Rest = execute("partial/output", d.plain(m.Text))
	}
	return execute("partial/command", v)
}

func (d *drawer) commandOutput(m *normalize.Message) template.HTML {
	d.drawn(m)
	text := strings.TrimSpace(m.Text)
	l := line{Icon: "term", Text: "no output", Level: atTools}
	var body template.HTML
	if text != "" {
		l.Text = "output · " + plural(markup.Lines(text), "line", "lines")
		if markup.Lines(text) == 1 {
			l.Text = oneLine(stripANSI(text), 200)
		}
		if l.Text != text {
			body = execute("partial/output", d.terminal(text))
		}
	}
	for _, t := range m.Tags {
		if strings.HasSuffix(t.Name, "stderr") && strings.TrimSpace(t.Body) != "" {
			l.Look = "err"
		}
	}
	return d.note(m, l, body)
}

// notification draws the report of something that ran in the background.
func (d *drawer) notification(m *normalize.Message) template.HTML {
	d.drawn(m)
	l := line{Icon: "bell", Text: oneLine(m.Text, 200), Level: atTools}
	var body []template.HTML
	for _, t := range m.Tags {
		status := t.Element("status")
		if s := t.Element("summary"); s != "" {
			l.Text = oneLine(html.UnescapeString(s), 200)
		} else if status != "" {
			l.Text = "background task " + status
		}
		if status == "failed" || status == "killed" {
			l.Look = "err"
			if !strings.Contains(l.Text, status) {
				l.Facts = append(l.Facts, fact{Text: status, Look: "bad"})
			}
		}
		if r := t.Element("result"); r != "" {
			body = append(body, execute("partial/prose", proseView{"", markup.Markdown(r, m.Anchor)}))
		} else if e := t.Element("event"); e != "" {
			body = append(body, execute("partial/output", d.terminal(e)))
		}
		var rows []field
		for _, name := range []string{"note", "output-file"} {
			if s := t.Element(name); s != "" {
				rows = append(rows, field{Name: strings.ReplaceAll(name, "-", " "), Value: s, Long: strings.Contains(s, "\n")})
			}
		}
		body = append(body, execute("partial/fields", rows), execute("partial/output", d.plain(unread(t))), d.toCall(t.Element("tool-use-id")))
		usage := normalize.Tag{Body: t.Element("usage")}
		for _, u := range []struct{ name, one, many string }{{"total_tokens", "token", "tokens"}, {"tool_uses", "tool", "tools"}} {
			if n, err := strconv.Atoi(usage.Element(u.name)); err == nil && n > 0 {
				l.Facts = append(l.Facts, fact{Text: plural(n, u.one, u.many)})
			}
		}
		if ms, err := strconv.Atoi(usage.Element("duration_ms")); err == nil {
			l.Facts = append(l.Facts, facts(millis(float64(ms)))...)
		}
	}
	if l.Text == "" {
		l.Text = "Report from the background"
	}
	if m.Text != "" && len(m.Tags) > 0 {
		body = append(body, execute("partial/output", d.plain(m.Text)))
	}
	return d.note(m, l, join(body...))
}

// unread is what a notification says beyond the elements that its drawing reads.
func unread(t normalize.Tag) string {
	s := t.Body
	for _, name := range []string{"task-id", "tool-use-id", "status", "summary", "result", "event", "usage", "note", "output-file"} {
		before, after, ok := strings.Cut(s, "<"+name+">")
		if _, after, closed := strings.Cut(after, "</"+name+">"); ok && closed {
			s = strings.TrimRight(before, "\n") + after
		}
	}
	return s
}

// teammateView is one message of another agent of the team.
type teammateView struct {
	ID    string
	Name  string
	Title string
	When  stamp
	Text  template.HTML
	Code  *output // a message that is JSON
}

func (d *drawer) teammate(m *normalize.Message) template.HTML {
	d.drawn(m)
	var all []template.HTML
	for i, t := range m.Tags {
		v := teammateView{Name: t.Attrs["teammate_id"], Title: t.Attrs["summary"], When: clock(m.Time())}
		if v.Name == "" {
			v.Name = t.Attrs["from"]
		}
		if v.Name == "" {
			v.Name = "teammate"
		}
		if i == 0 {
			v.ID = m.Anchor
		}
		body := strings.TrimSpace(t.Body)
		if strings.HasPrefix(body, "{") {
			v.Code = d.anyText(body)
			if kind := transcript.String(transcript.Field(jsontext.Value(body), "type")); kind != "" {
				v.Title = oneLine(strings.ReplaceAll(kind, "_", " "), 60)
			}
		} else {
			v.Text = markup.Markdown(body, m.Anchor)
		}
		all = append(all, execute("partial/teammate", v))
	}
	if m.Text != "" {
		all = append(all, execute("partial/prose", proseView{"", markup.Markdown(m.Text, m.Anchor)}))
	}
	return join(all...)
}

// injected draws text that the program put into the user's mouth.
func (d *drawer) injected(m *normalize.Message) template.HTML {
	d.drawn(m)
	l := line{Icon: "message", Text: "added by the program", Level: atEverything}
	if len(m.Tags) > 0 && m.Kind == normalize.Injected {
		l.Name = m.Name
	}
	if head := markup.Excerpt(m.Text, 100); head != "" {
		l.Text = head
	}
	var body template.HTML
	if s := strings.TrimSpace(m.Text); s != "" && s != l.Text {
		body = execute("partial/prose", proseView{"", markup.Markdown(m.Text, m.Anchor)})
	}
	if len(m.Contexts) > 0 {
		body = execute("partial/chips", d.chips(m.Contexts)) + body
	}
	return d.note(m, l, body)
}

// summary draws what the model was told of a conversation that was compacted.
func (d *drawer) summary(m *normalize.Message) template.HTML {
	d.drawn(m)
	l := line{Icon: "compact", Text: "Summary that replaces what was said before", Level: atTools,
		Facts: facts(plural(len(strings.Fields(m.Text)), "word", "words"))}
	return d.note(m, l, execute("partial/prose", proseView{"", markup.Markdown(m.Text, m.Anchor)}))
}

// compaction draws the line at which the context was compacted; it opens to the
// summary that took the place of what was said before.
func (d *drawer) compaction(boundary, summary *normalize.Message) template.HTML {
	known := systems.byName[boundary.Name]
	v, body, err := known.draw(event{boundary, d})
	if err != nil {
		return d.message(boundary) + d.message(summary)
	}
	d.drawn(boundary, summary)
	l := v.(lined).closed()
	l.Text += " · summary of " + plural(len(strings.Fields(summary.Text)), "word", "words")
	body += execute("partial/anchored", proseView{summary.Anchor, markup.Markdown(summary.Text, summary.Anchor)})
	return execute("partial/line", lineView{l, boundary.Anchor, body})
}

// statusWords say what a synthetic text stands for.
var statusWords = map[normalize.StatusKind]string{
	normalize.Interrupted:     "Interrupted by you",
	normalize.InterruptedCall: "Interrupted by you during a tool call",
	normalize.Cancelled:       "Cancelled by you",
	normalize.Declined:        "Declined by you",
	normalize.Denied:          "Permission denied",
	normalize.NoResponse:      "No response requested",
	normalize.MissingResult:   "A tool result is missing",
}

type statusView struct {
	ID, Text string
	Level    level
	When     stamp
}

func (d *drawer) status(m *normalize.Message) template.HTML {
	d.drawn(m)
	v := statusView{ID: m.Anchor, Text: statusWords[m.Status], Level: atChat, When: clock(m.Time())}
	if m.Status == normalize.NoResponse {
		v.Level = atEverything
	}
	switch strings.TrimSpace(m.Text) {
	case "[Request interrupted by user]", "[Request interrupted by user for tool use]", "No response requested.", "[Tool result missing due to internal error]":
		return execute("partial/status", v)
	}
	// It says more than that: why, or the words of a human that only began like one.
	return d.note(m, line{Icon: "stop", Text: v.Text, Level: v.Level}, execute("partial/output", d.plain(m.Text)))
}

// media1 draws an image or document that stands by itself.
func (d *drawer) media1(m *normalize.Message) template.HTML {
	d.drawn(m)
	return execute("partial/pictures", []picture{d.picture(m.Block.Source, m.Block.Type)})
}

// terminalIfLonger draws a text in full when its line shows only the start.
func (d *drawer) terminalIfLonger(s string, n int) template.HTML {
	if oneLine(s, n) == strings.TrimSpace(s) {
		return ""
	}
	return execute("partial/output", d.terminal(s))
}
