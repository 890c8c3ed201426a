package render

import (
	"cmp"

	"viewer/internal/markup"
	"viewer/normalize"
	"viewer/render/page"
)

// beginning returns a link from a later page to the prompt of a turn.
func (p *pageState) beginning(part turnPart) *page.Link {
	t := part.turn
	if len(t.Prompt) == 0 {
		return &page.Link{Text: "the page before"}
	}
	l := &page.Link{Href: p.href(t.Prompt[0].Anchor), Text: promptWords(t.Prompt)}
	if part.number > 0 {
		l.Note = "prompt " + count(part.number)
	}
	return l
}

// promptWords returns the first words of a prompt or a command.
func promptWords(prompt []*normalize.Message) string {
	if head := prompt[0]; head.Kind == normalize.Command {
		return oneLine(head.Name+" "+head.Text, maxPromptWords)
	}
	for _, m := range prompt {
		if text := markup.Excerpt(m.Text, maxPromptWords); text != "" {
			return text
		}
	}
	return cmp.Or(oneLine(prompt[0].Name, maxPromptWords), "Image")
}

const maxPromptWords = 90

// continued puts the prompt that a later page continues first in its outline.
func (l *listing) continued(parts []turnPart) {
	if len(parts) == 0 || parts[0].first || len(parts[0].turn.Prompt) == 0 {
		return
	}
	t := parts[0].turn
	e := outlineEntry{Href: l.d.href(t.Prompt[0].Anchor), Text: promptWords(t.Prompt), at: t.Prompt[0].Time(),
		Mark: "cont", Facts: []page.Fact{{Text: "continued here"}}}
	if n := parts[0].number; n > 0 {
		l.view.Start = n + 1 // the entry shows the number before
	} else {
		e.Mark = "cont cmd"
	}
	e.When = page.NewStamp(e.at, "", "15:04")
	l.add(e)
}
