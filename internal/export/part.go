package export

import (
	"slices"
	"time"

	"viewer/internal/outcome"
	"viewer/normalize"
)

// Part removes from a session what the options do not select, so that nothing drawn from the rest contains it: texts,
// calls, totals, titles. It changes the conversation, which must not be used elsewhere. Prompts keep their numbers.
func Part(c *normalize.Conversation, o Options) error {
	turns, err := choose(c, o)
	if err != nil {
		return err
	}
	chosen := make(map[*normalize.Turn]turn, len(turns))
	for _, t := range turns {
		chosen[t.Turn] = t
	}
	p := cutter{o: o, kept: make(map[*normalize.Message]bool)}
	if p.inside, err = between(c, o.From, o.To); err != nil {
		return err
	}
	first := len(c.Turns) == 0 || len(turns) > 0 && turns[0].Turn == c.Turns[0] && chosen[c.Turns[0]].prompt != nil
	var left []*normalize.Turn
	skipped := 0
	for _, t := range c.Turns {
		some, ok := chosen[t]
		asked := t.Asked()
		if ok {
			t.Skipped = skipped
			p.cut(t, some.prompt, some.items)
			left = append(left, t)
			skipped = 0
			asked = asked && !t.Asked()
		}
		if asked {
			skipped++
		}
	}
	c.Turns = left
	if !o.whole() || o.withoutCalls() {
		c.Agents, c.Unseen = nil, nil
	}
	p.inner(c)
	p.finish(c)
	if !o.whole() {
		p.facts(c, first)
	}
	return nil
}

// withoutCalls reports whether no calls are written.
func (o Options) withoutCalls() bool { return o.Calls == NoCalls || o.Level < Tools }

// A cutter removes parts of a session.
type cutter struct {
	o      Options
	inside func(*normalize.Message) bool
	kept   map[*normalize.Message]bool
}

// cut reduces a turn to the selected messages, and its requests to those that began there.
func (p *cutter) cut(t *normalize.Turn, prompt []*normalize.Message, items []normalize.Item) {
	t.Prompt, t.Items = prompt, items
	for _, m := range prompt {
		p.kept[m] = true
	}
	for _, item := range items {
		switch it := item.(type) {
		case *normalize.Message:
			p.kept[it] = true
		case *normalize.Group:
			p.call(it)
		}
	}
	if p.inside != nil {
		began := make(map[any]bool)
		for _, m := range t.Messages {
			if p.inside(m) {
				began[m.Record] = true
			}
		}
		t.Requests = slices.DeleteFunc(slices.Clone(t.Requests), func(r *normalize.Request) bool {
			return !began[r.First]
		})
	}
	t.Messages = p.messages(t.Messages)
}

// call reduces a call to the parts that the level shows.
func (p *cutter) call(g *normalize.Group) {
	if p.o.Level < Everything {
		g.Pre, g.Post, g.Inside = nil, nil, nil
	}
	if p.o.Calls == CallRows {
		g.Agents = nil
	}
	for _, m := range g.Messages() {
		p.kept[m] = true
	}
}

// messages returns the messages that were kept.
func (p *cutter) messages(all []*normalize.Message) []*normalize.Message {
	return slices.DeleteFunc(slices.Clone(all), func(m *normalize.Message) bool { return !p.kept[m] })
}

// inner does the same with the conversations inside one.
func (p *cutter) inner(c *normalize.Conversation) {
	each := cutter{o: p.o, kept: p.kept}
	for inside := range c.All() {
		if inside == c {
			continue
		}
		left := inside.Turns[:0:0]
		for _, t := range inside.Turns {
			some := p.o.turn(t, everywhere)
			each.cut(t, some.prompt, some.items)
			if len(t.Messages) > 0 {
				left = append(left, t)
			}
		}
		inside.Turns = left
	}
}

// finish reduces the lists of a conversation, and of those inside it, to messages that were kept. The messages as sent
// to the model are removed.
func (p *cutter) finish(c *normalize.Conversation) {
	for inside := range c.All() {
		inside.Messages, inside.Order = p.messages(inside.Messages), p.messages(inside.Order)
		inside.Sent = normalize.API{}
		inside.Writer.NotSent = true
		inside.Problems = nil
	}
}

// facts removes facts of a session that are not in the part. hasFirst means that the part has the first prompt, but its
// request may be in a later one.
func (p *cutter) facts(c *normalize.Conversation, hasFirst bool) {
	f := &c.Facts
	if !hasFirst {
		f.LeafTitle = ""
	}
	f.FirstPrompt = ""
	for _, t := range c.Turns {
		if t.Asked() {
			_, m := outcome.Asked(c)
			if m != nil {
				f.FirstPrompt = m.Text
			}
			break
		}
	}
	f.PullRequests = nil
	f.Start, f.End = time.Time{}, time.Time{}
	for _, t := range c.Turns {
		start, end := t.Span()
		if !start.IsZero() && (f.Start.IsZero() || start.Before(f.Start)) {
			f.Start = start
		}
		if end.After(f.End) {
			f.End = end
		}
	}
}
