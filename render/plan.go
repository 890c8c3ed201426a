package render

import "viewer/normalize"

// A job is one page to draw.
type job struct {
	conversation *normalize.Conversation
	inner        *inner // nil for the session's own pages
	name         string
	index, last  int // which page of the conversation
	parts        [][]turnPart
}

// A pagePlanner decides on which page everything of a session stands.
type pagePlanner struct {
	data       *sessionData
	single     bool
	jobs       []job
	inlined    map[string]int // by page: the weight of the conversations inlined there
	smallPages int            // small conversations that have a page of their own
}

// conversation lists the pages of a conversation and of those inside it that get their
// own, and notes on which page each anchor stands.
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

// inside places a conversation inside: on the page it hangs on when it is
// small and fits on the page.
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

// assign notes on which page an anchor stands. The parts of a prompt are drawn as one, with the anchor of the first.
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
