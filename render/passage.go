package render

import (
	"html/template"
	"strings"

	"viewer/internal/markup"
	"viewer/render/prose"
)

// A passage is Markdown inside a call: the prompt of an agent, its answer, a web page. The rest of a long one is
// folded.
type passage struct {
	Head, Rest template.HTML
	All        string // what unfolding shows
	FullText   *fullText
}

// passage draws Markdown. It returns nil for an empty text.
func (p *pageState) passage(text, anchor string) *passage {
	v := new(passage)
	v.FullText = p.fitText(text, func(part string) int {
		head, rest := prose.Cut(part)
		v.Head, v.Rest = markup.Answer(head, anchor), markup.Answer(rest, anchor+"-r")
		return len(v.Head) + len(v.Rest)
	})
	if v.Head == "" && v.Rest == "" {
		return nil
	}
	v.All = "all " + count(markup.Lines(strings.Trim(text, "\n"))) + " lines"
	if v.FullText != nil {
		v.All = "more"
	}
	return v
}
