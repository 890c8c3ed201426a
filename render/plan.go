package render

import "viewer/normalize"

// A job is one page to draw.
type job struct {
	conversation *normalize.Conversation
	inner        *inner // nil for the session's own pages
	name         string
	index, last  int // index of the page and of the last one in the conversation
	parts        [][]turnPart
}

// A pagePlanner assigns everything in a session to pages.
type pagePlanner struct {
	data       *sessionData
	single     bool
	jobs       []job
	inlined    map[string]int // weight of the inlined conversations, by page
	smallPages int            // small conversations with a separate page
}

// conversation adds the pages of a conversation and of separate ones inside it, and records the page of each anchor.
func (p *pagePlanner) conversation(c *normalize.Conversation, in *inner) {
	parts := paginate(c)
	if p.single {
		parts = [][]turnPart{onePage(c)}
	}
	for i := range parts {
		name := pageName(in, i)
		p.jobs = append(p.jobs, job{
			conversation: c, inner: in, name: name, index: i, last: len(parts) - 1, parts: parts,
		})
		for _, l := range parts[i] {
			prompt := l.turn.Prompt
			if !l.first {
				prompt = nil
			}
			p.assign(prompt, l.items, name)
		}
	}
	for _, a := range c.Agents[:min(len(c.Agents), maxUnlinked)] {
		p.inside(p.register(p.data.ofAgent(a)), pageName(in, len(parts)-1))
	}
}

// inside places a conversation inside another one: on the same page if it is small and fits.
func (p *pagePlanner) inside(in *inner, page string) {
	size := conversationWeight(in.Conversation)
	if !p.single && (size > maxInline || p.inlined[page]+size > maxInlinePage && p.smallPages < maxSmallPages) {
		if size <= maxInline {
			p.smallPages++
		}
		in.hasPages = true
		p.conversation(in.Conversation, in)
		return
	}
	p.inlined[page] += size
	for _, t := range in.Turns {
		p.assign(t.Prompt, t.Items, page)
	}
}

// assign records the page of anchors. The parts of a prompt are drawn as one, with the anchor of the first.
func (p *pagePlanner) assign(prompt []*normalize.Message, items []normalize.Item, page string) {
	if len(prompt) > 0 && prompt[0].Kind == normalize.Prompt {
		prompt = prompt[:1]
	}
	for _, m := range prompt {
		p.data.anchorPages[m.Anchor] = page
	}
	for _, item := range items {
		if _, isBranch := item.(*normalize.Branch); !isBranch {
			p.data.anchorPages[itemHead(item).Anchor] = page
		}
		var all []*inner
		for in := range p.data.innersOf(item) {
			all = append(all, p.register(in))
		}
		for _, in := range all {
			p.inside(in, page)
		}
	}
}

// register makes the name of a conversation unique.
func (p *pagePlanner) register(in *inner) *inner {
	p.data.inners[in.Conversation] = in
	p.data.innerNames[in.key()] = true
	return in
}

// onePage puts all turns of a conversation on one page.
func onePage(c *normalize.Conversation) []turnPart {
	var page []turnPart
	number := 0
	for _, t := range c.Turns {
		l := turnPart{turn: t, items: t.Items, first: true, last: true}
		if number += t.Skipped; t.Asked() {
			number++
			l.number = number
		}
		if len(t.Prompt) > 0 || len(t.Items) > 0 {
			page = append(page, l)
		}
	}
	return page
}
