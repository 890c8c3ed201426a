package render

import (
	"html/template"

	"viewer/normalize"
	"viewer/render/page"
)

// anchorsOf returns the anchors of all calls that are drawn, by the id of the call;
// of a copied history the first one counts.
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

// toCall links a report with the call that it is about, "" when the report
// names none or the call is not there.
func (p *pageState) toCall(id string) template.HTML {
	return p.linkCall(id, "To the call that started it")
}

// linkCall leads to a call, if it is drawn.
func (p *pageState) linkCall(id, words string) template.HTML {
	anchor := p.callOf(id)
	if anchor == "" {
		return ""
	}
	return page.Execute("partial/tocall", page.Link{Href: p.href(anchor), Text: words})
}
