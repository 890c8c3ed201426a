package render

import (
	"html/template"

	"viewer/normalize"
	"viewer/render/page"
)

// anchorsOf returns the anchors of all drawn calls, by the id of the call. If a history was copied, the first one
// counts.
func anchorsOf(c *normalize.Conversation) map[string]string {
	anchors := make(map[string]string)
	for inner := range c.All() {
		for g := range inner.Groups() {
			if g.Call != nil && g.Call.Rule == "" && g.Call.Block.ID != "" && anchors[g.Call.Block.ID] == "" {
				anchors[g.Call.Block.ID] = g.Call.Anchor
			}
		}
	}
	return anchors
}

// toCall links a report to its call, "" if it names none or the call is not drawn.
func (p *pageState) toCall(id string) template.HTML {
	return p.linkCall(id, "To the call that started it")
}

// linkCall links to a call, if it is drawn.
func (p *pageState) linkCall(id, words string) template.HTML {
	anchor := p.callOf(id)
	if anchor == "" {
		return ""
	}
	return page.Execute("partial/tocall", page.Link{Href: p.href(anchor), Text: words})
}
