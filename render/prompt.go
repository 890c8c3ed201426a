package render

import (
	"cmp"
	"html/template"
	"strings"

	"viewer/internal/markup"
	"viewer/internal/permissions"
	"viewer/internal/transcript"
	"viewer/normalize"
	"viewer/render/page"
	"viewer/render/prose"
)

// promptView is a prompt of a human, or of the caller of an agent.
type promptView struct {
	ID       string
	Who      string
	Number   int // 0 if it is not counted
	Queued   bool
	Origin   string // who started the turn, if not the human at the keyboard
	Mode     string // mode of permissions, unless it is the default
	When     page.Stamp
	Chips    []chip
	Drawn    bool // Text and Rest are Markdown
	Text     template.HTML
	Rest     template.HTML // folded
	All      string        // what unfolding shows: "all 52 lines"
	FullText *fullText
	Pictures []picture
	Heading  int // 2 on the page, 3 inside an agent
}

// turnOrigins describe who started a turn.
var turnOrigins = map[string]string{"sdk": "sent by a program", "peer": "sent by another session",
	"scheduled": "as scheduled"}

// promptLines is the number of lines of a prompt that are not folded.
const promptLines = 20

func (d *drawer) prompt(parts []*normalize.Message, number int, who string) template.HTML {
	d.drawn(parts...)
	d.show(always)
	head := parts[0]
	v := promptView{ID: head.Anchor, Who: who, Number: number, Queued: head.Queued, When: page.Clock(head.Time()),
		Heading: 2}
	if d.depth > 0 {
		v.Heading = 3
	}
	if origin := head.Record.TurnOrigin; origin != "" && origin != "human" {
		v.Origin = cmp.Or(turnOrigins[origin], oneLine(origin, 40))
	}
	if head.Anew {
		v.Origin = "the approved plan, with a new context"
	}
	v.Mode = permissions.ModeWords(head.Record.PermissionMode)
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
	v.Pictures = d.limitPictures(v.Pictures)
	text := strings.Trim(strings.Join(texts, "\n\n"), "\n")
	v.FullText = d.fitText(text, func(part string) int {
		if v.Text, v.Rest, v.All, v.Drawn = prose.Prompt(part); !v.Drawn {
			v.Text, v.Rest, v.All = foldPrompt(part)
		}
		return len(v.Text) + len(v.Rest)
	})
	if v.FullText != nil {
		v.All = "more"
	}
	return page.Execute("partial/prompt", v)
}

// foldPrompt draws the text of a prompt. The rest of a long one is folded.
func foldPrompt(text string) (shown, folded template.HTML, all string) {
	first, rest := text, ""
	all = "all of it"
	if n := markup.Lines(text); n > promptLines+slack {
		first, rest = markup.CutText(text, promptLines)
		all = "all " + count(n) + " lines"
	} else if len(text) > 8<<10 {
		first = cutBytes(text, 4<<10)
		rest = text[len(first):]
	}
	parts := prose.NewTyped(text)
	shown = parts.HTML(0, len(strings.TrimRight(first, "\n")))
	if rest != "" {
		folded = parts.HTML(len(first), len(text))
	}
	return shown, folded, all
}

// queuedPictures returns the pictures of a queued prompt, whose blocks are inside an attachment.
func (p *pageState) queuedPictures(m *normalize.Message) []picture {
	if m.Record.Attachment == nil {
		return nil
	}
	var all []picture
	for block := range transcript.Elements(transcript.Field(m.Record.Attachment.Raw, "prompt")) {
		kind := transcript.String(transcript.Field(block, "type"))
		if kind == "image" || kind == "document" {
			source := transcript.Field(block, "source")
			all = append(all, p.picture(transcript.Source{
				Kind: transcript.String(transcript.Field(source, "type")),
				URL:  transcript.String(transcript.Field(source, "url")), Data: transcript.Field(source, "data"),
			}, kind))
		}
	}
	return all
}
