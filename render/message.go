package render

import (
	"cmp"
	"html/template"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/markup"
	"viewer/internal/words"
	"viewer/normalize"
	"viewer/render/page"
)

// message draws a message that is not a call.
func (d *drawer) message(m *normalize.Message) template.HTML {
	// the ending is all it shows
	if m.Kind == normalize.Text && strings.TrimSpace(m.Text) == "" && m.Ending != normalize.NoEnding {
		d.drawn(m)
		return d.ending(m, m.Anchor)
	}
	html := d.messageOf(m)
	if m.Kind != normalize.Prompt && m.Kind != normalize.Injected && len(m.Contexts) > 0 {
		html = page.Execute("partial/chips", d.chips(m.Contexts)) + html
	}
	if m.Ending != normalize.NoEnding {
		html += d.ending(m, "")
	}
	if words := d.advised(m); words != "" {
		html += page.Execute("partial/shown", shownView{atTools, words})
	}
	switch m.Kind {
	case normalize.Text, normalize.Media:
		return d.shownOnly(m, d.saidAt(m)) + html
	case normalize.Thinking:
		return d.shownOnly(m, atTools) + html
	}
	return html
}

// shownOnly marks what the program showed and never sent.
func (d *drawer) shownOnly(m *normalize.Message, at level) template.HTML {
	words := m.Shown()
	if words == "" {
		return ""
	}
	return page.Execute("partial/shown", shownView{at, words})
}

// ending draws why an answer ended early.
func (d *drawer) ending(m *normalize.Message, id string) template.HTML {
	level := d.saidAt(m)
	d.show(level)
	return page.Execute("partial/ending", endingView{id, level, m.Ending.String(), d.fields(m.EndingDetails())})
}

type endingView struct {
	ID      string // of an answer without text
	Level   level
	Words   string
	Details []field
}

// advised returns the model that advised the answering one, at the first message of the answer.
func (d *drawer) advised(m *normalize.Message) string {
	if !m.Advised {
		return ""
	}
	d.show(atTools)
	return "advised by " + oneLine(m.Record.AdvisorModel, 60)
}

type shownView struct {
	Level level
	Words string
}

func (d *drawer) messageOf(m *normalize.Message) template.HTML {
	switch m.Kind {
	case normalize.Text:
		d.drawn(m)
		level := d.saidAt(m)
		d.show(level)
		return page.Execute("partial/prose", proseView{m.Anchor, level, d.isCut(), d.answerText(m.Text, m.Anchor)})
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
		l := line{Icon: "error", Text: oneLine(m.Text, 200), Look: "err", Level: d.saidAt(m)}
		l.Text = cmp.Or(l.Text, "API error")
		return d.note(m, l, d.terminalIfLonger(m.Text, 200)+
			page.Execute("partial/fields", d.members(m.Member, errorWords)))
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

// note draws a line of words of the page, with an optional body.
func (d *drawer) note(m *normalize.Message, l line, body template.HTML) template.HTML {
	l.Look = cmp.Or(l.Look, "note")
	return d.line(lineView{l, m.Anchor, body})
}

type proseView struct {
	ID    string
	Level level
	Cut   bool // of an answer: something ended it
	HTML  template.HTML
}

// isCut reports whether the turn being drawn ended with an interruption or a failed request.
func (p *position) isCut() bool {
	return len(p.answer) > 0 && p.answer[len(p.answer)-1].Kind != normalize.Text
}

// saidAt returns the level of a text of the model: the answer of a turn shows at all levels.
func (p *position) saidAt(m *normalize.Message) level {
	if p.isAnswer(m) {
		return always
	}
	return atChat
}

type thinkingView struct {
	ID       string
	Words    string
	Text     template.HTML
	Redacted bool   // the log has it in a form for the model only
	Size     string // of that form, "" if unknown
}

// thinking draws reasoning, folded. Of newer models there is only its signature.
func (d *drawer) thinking(m *normalize.Message) template.HTML {
	d.drawn(m)
	v := thinkingView{ID: m.Anchor, Redacted: m.Block.Type == "redacted_thinking"}
	if n := m.Block.Encrypted; n > 0 {
		v.Size = size(int(n))
	}
	if !signatureOnly(m) {
		d.show(atTools)
		v.Words = plural(words.In(m.Text), "word", "words")
		v.Text = d.markdown(m.Text, m.Anchor)
	}
	return page.Execute("partial/thinking", v)
}

// errorWords are the members of a record about a failed request.
var errorWords = []word{{"error", "error"}, {"apiError", "error of the API"}, {"apiErrorStatus", "status"},
	{"errorDetails", "details"}}

// A word is the name of a member on the page.
type word struct{ member, page string }

// members lists some members of an object, with their names on the page. member returns one, nil if there is none.
func (p *pageState) members(member func(name string) jsontext.Value, names []word) []field {
	var all []field
	for _, n := range names {
		value := member(n.member)
		if value == nil || isMeaningless(value) {
			continue
		}
		all = append(all, p.said(n.page, valueText(value)))
	}
	return all
}

// injected draws text that the program sent in the name of the user.
func (d *drawer) injected(m *normalize.Message) template.HTML {
	d.drawn(m)
	l := line{Icon: "message", Text: "added by the program", Level: atEverything}
	if len(m.Tags) > 0 && m.Kind == normalize.Injected {
		l.Name = m.Name
	}
	if words := m.Shown(); words != "" {
		l.Facts = append(l.Facts, page.Fact{Text: words, Main: true})
		if m.Record.IsVirtual {
			l.Level = atChat
		}
	}
	if head := markup.Excerpt(m.Text, 100); head != "" {
		l.Text = head
	} else if m.Record.Origin == "human" && len(m.Contexts) > 0 { // an event that started the model
		l.Text, l.Level = oneLine(m.Contexts[0].Label, 100), atTools
	}
	var body template.HTML
	if s := strings.TrimSpace(m.Text); s != "" && s != l.Text {
		body = page.Execute("partial/prose", proseView{"", atChat, false, d.markdown(m.Text, m.Anchor)})
	}
	if len(m.Contexts) > 0 {
		body = page.Execute("partial/chips", d.chips(m.Contexts)) + body
	}
	return d.note(m, l, body)
}

// furtherResult draws a result after the first of its call that says something else.
func (d *drawer) furtherResult(m *normalize.Message) template.HTML {
	d.drawn(m)
	text, reminder := resultText(m)
	text = strings.Join(words.NonEmpty(text, reminder), "\n\n")
	body := d.terminalIfLonger(text, 100)
	if p := d.limitPictures(d.pictures(m.Block.Content)); p != nil {
		body += page.Execute("partial/pictures", p)
	}
	l := line{Icon: "message", Name: "another result", Text: oneLine(text, 100), Level: atTools}
	return d.note(m, l, body)
}

// media1 draws a single image or document.
func (d *drawer) media1(m *normalize.Message) template.HTML {
	d.drawn(m)
	d.show(always)
	p := d.picture(m.Block.Source, m.Block.Type)
	p.ID = m.Anchor
	return page.Execute("partial/pictures", []picture{p})
}

// terminalIfLonger draws the whole text if its line shows only the beginning.
func (p *pageState) terminalIfLonger(s string, n int) template.HTML {
	if oneLine(s, n) == strings.TrimSpace(s) {
		return ""
	}
	return page.Execute("partial/output", p.terminal(s))
}

// join puts fragments one after the other.
func join(parts ...template.HTML) template.HTML {
	var b strings.Builder
	for _, p := range parts {
		b.WriteString(string(p))
	}
	return template.HTML(b.String())
}
