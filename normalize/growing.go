package normalize

import (
	"maps"
	"slices"
	"strings"

	"viewer/transcript"
)

// A Growing builds the conversation of a session again and again while its file
// grows. Most often all that is new are records at the end which change nothing
// of what was said long before; then the conversation is gone on with, and costs
// what is new. Else it is built from the start. Either way it is the one that Build
// makes.
type Growing struct {
	conversation *Conversation // nil when it cannot be gone on with
	making       *making
	in           Input // that it was made of, without the records
	first        *transcript.Record
	records      int
	problems     int // of the file
	settled      settled
}

// Grown says what became of a conversation since it was built the time before.
type Grown struct {
	Times int // that it was gone on with
	Turns int // so many, from the first on, are as they were the last time
}

// Build makes the conversation of a session. The one that it has made before is
// gone, or is the same: it was gone on with.
func (g *Growing) Build(in Input) *Conversation {
	if c := g.conversation; c != nil {
		g.conversation = nil // when it cannot be gone on with it may be half of one
		if g.more(c, in) {
			g.conversation = c
			return c
		}
	}
	*g = Growing{}
	c := g.all(in)
	if g.canGrow(c, in) {
		g.conversation, g.in, g.records, g.first = c, in, len(in.Main.Records), &in.Main.Records[0]
		g.problems, g.in.Main = len(in.Main.Problems), nil
		g.in.Summaries = maps.Clone(in.Summaries)
		g.settled.further(c)
	} else {
		g.making = nil
	}
	return c
}

// canGrow says that nothing of a session reaches from what may still be written
// to what was.
func (g *Growing) canGrow(c *Conversation, in Input) bool {
	if len(in.Agents)+len(in.Shared)+len(c.Agents)+len(c.Warmups)+len(c.Sent.Problems) > 0 || len(in.Main.Records) == 0 || len(c.Problems) >= mostProblems {
		return false
	}
	if t := g.making.parents.tree; t != nil && len(t.back) > 0 && len(c.Order) == len(c.Messages) {
		return false
	}
	for i := range in.Main.Records {
		if reachesBack(&in.Main.Records[i]) {
			return false
		}
	}
	return true
}

// reachesBack says that a record belongs to an agent, or changes what was said before.
func reachesBack(r *transcript.Record) bool {
	return isInside(r) || r.DataType == "agent_progress" || r.Type == "tombstone" || r.Type == "content-replacement"
}

// more goes on with a conversation; false says that it has to be built again.
func (g *Growing) more(c *Conversation, in Input) bool {
	all := in.Main.Records
	if len(all) < g.records || &all[0] != g.first || len(in.Main.Problems) != g.problems {
		return false
	}
	if len(in.Agents)+len(in.Shared) > 0 || in.ID != g.in.ID || in.Title != g.in.Title || in.Personal != g.in.Personal || !maps.Equal(in.Summaries, g.in.Summaries) {
		return false
	}
	records := pointers(all[g.records:])
	for _, r := range records {
		if reachesBack(r) || r.InterruptedMessageID != "" {
			return false
		}
	}
	k := g.making
	messages := k.messages(records)
	for _, m := range messages {
		if m.Kind == Hook && m.Name == "text" { // see markStarts
			return false
		}
	}
	if k.stutter.mark(messages) || !k.parents.more(messages) {
		return false
	}
	items, touched, ok := k.calls.more(messages)
	if !ok {
		return false
	}
	had, turns := len(c.Messages), len(c.Turns)
	if len(c.Order) == had {
		c.Messages = append(c.Messages, messages...)
		c.Order = c.Messages
	} else {
		c.Messages, c.Order = append(c.Messages, messages...), append(c.Order, messages...)
	}
	k.turning.add(messages, items)
	c.Turns = k.turning.turns
	if m := k.calls.settleMore(); m != nil {
		touched = append(touched, m)
	}
	c.Facts = k.facts.add(messages)
	first(&c.Facts.CustomTitle, in.Title)
	if c.ID = in.ID; c.Facts.SessionID != "" {
		c.ID = c.Facts.SessionID
	}
	c.Grown = Grown{c.Grown.Times + 1, turns}
	if len(messages) > 0 {
		c.Grown.Turns = max(turns-1, 0)
	}
	for _, m := range touched {
		c.Grown.Turns = min(c.Grown.Turns, c.turnOf(m))
	}
	if from := g.settled.messages; c.sendMore(&g.settled, had, in.Personal) {
		c.Grown.Turns = min(c.Grown.Turns, c.turnOf(c.Messages[from]))
	} else {
		c.Grown.Turns = 0
		c.Sent = ForAPI(c, APIOptions{Personal: in.Personal})
		if len(c.Sent.Problems) > 0 {
			return false
		}
		g.settled = settled{}
	}
	g.settled.further(c)
	g.records = len(all)
	return true
}

// turnOf is the index of the turn that a message stands in, or of the one before.
func (c *Conversation) turnOf(m *Message) int {
	i, _ := slices.BinarySearchFunc(c.Turns, m.Record.Pos.Offset, func(t *Turn, offset int64) int {
		return int(t.Messages[0].Record.Pos.Offset - offset)
	})
	return max(i-1, 0)
}

// more hangs in more records. False says that an attempt was taken back, or may
// have been.
func (p *parents) more(messages []*Message) bool {
	if p.anyTwice(messages) {
		return false
	}
	t := p.tree
	if t == nil {
		return true
	}
	for _, m := range messages {
		if t.dangling[m.Record.UUID] {
			return false
		}
	}
	t.add(messages)
	for _, m := range messages {
		if t.outermost(m.Record, t.back) != nil {
			return false
		}
	}
	last := lastOnChain(messages)
	return last == nil || t.attempt(last) == t.last
}

// more joins more messages with the calls so far, and gives the heads of those
// calls that look different now. False says that it is not that simple.
func (c *calls) more(messages []*Message) (items []Item, touched []*Message, ok bool) {
	for _, m := range messages {
		if m.Kind == Call && m.Rule == "" {
			id := m.Block.ID
			if id == "" || c.missed[id] || len(c.groups[id]) > 0 {
				return nil, nil, false
			}
			c.groups[id] = append(c.groups[id], &Group{Call: m})
		}
	}
	for _, m := range messages {
		if m.Kind == Progress {
			if g := c.of(m.callID()); g != nil && g.Result == nil {
				return nil, nil, false
			}
		}
		if m.Rule != "" {
			continue
		}
		if m.Kind == Call {
			c.opened[m.Block.ID]++
			items = append(items, c.of(m.Block.ID))
			continue
		}
		g := c.owner(m)
		if g == nil && m.Kind == Result || g != nil && m.Kind == Result && g.Progress != nil {
			return nil, nil, false
		}
		if g == nil {
			items = append(items, m)
			continue
		}
		g.take(m)
		touched = append(touched, g.Head())
		if g.Result != nil && g.Call != nil {
			g.State = resultState(g)
		}
	}
	c.items = append(c.items, items...)
	return items, touched, true
}

// settleMore decides how the calls since the last prompt but one ended, and gives
// the head of the first that looks different now. What was called before that
// does not depend on what is new.
func (c *calls) settleMore() *Message {
	from := c.settled
	first := from + settle(c.items[from:], c.stopped)
	for i := len(c.items) - 1; i > from; i-- {
		if m, ok := c.items[i].(*Message); ok && m.Kind == Prompt && !m.Queued && m.Status != Interrupted && m.Status != InterruptedCall {
			c.settled = i
			break
		}
	}
	if first == len(c.items) {
		return nil
	}
	return c.items[first].(*Group).Head()
}

// settled is how far it is settled what the model is sent of a conversation that
// grows: nothing that follows changes it, but for what sendMore looks out for.
type settled struct {
	messages int             // of the log
	sent     int             // what became of them
	ids      map[string]bool // of the calls and results among them
}

// sendMore says what the model is sent of a conversation of which so many messages
// have been told. It begins where it is settled. False says that it has to begin anew.
func (c *Conversation) sendMore(told *settled, had int, personal bool) bool {
	if told.messages == 0 {
		return false
	}
	for _, m := range c.Messages[had:] {
		if m.Record.Subtype == "compact_boundary" {
			return false
		}
	}
	messages := c.Messages[told.messages:]
	for _, m := range messages {
		if b := m.Block; b != nil && (told.ids[b.ID] || told.ids[b.ToolUseID]) {
			return false
		}
		delete(c.Sent.Fates, m)
		if len(c.Order) > len(c.Messages) {
			c.Sent.Fates[m] = keptOut(WhyTakenBack)
		}
	}
	s := &sending{
		conversation: c, messages: messages, options: APIOptions{Personal: personal},
		fates: c.Sent.Fates, rough: make(map[*Message]bool), sent: c.Sent.Messages[:told.sent],
	}
	s.take(messages)
	for _, step := range apiSteps {
		step.do(s)
	}
	if len(s.problems) > 0 || len(s.entries) == 0 || s.entries[0].role != "user" || head(APIMessage{Blocks: s.entries[0].blocks}) == nil {
		return false
	}
	c.Sent = s.result()
	return true
}

// further settles what was said before the last prompt that follows a finished
// answer: attachments do not rise above an answer, nothing is merged across a prompt,
// and no result is awaited.
func (s *settled) further(c *Conversation) {
	messages := c.Messages[s.messages:]
	number := func(i int) int { return int(c.Sent.Fates[messages[i]].Number) }
	most := make([]int, len(messages)) // of the numbers up to i
	for i := range messages {
		if most[i] = number(i); i > 0 {
			most[i] = max(most[i], most[i-1])
		}
	}
	least := len(c.Sent.Messages) + 1 // of those behind i
	prompted := false
	for i := len(messages) - 1; i >= 0; i-- {
		m, n := messages[i], number(i)
		switch {
		case m.Record.Subtype == "compact_boundary":
			return
		case m.Record.Type == "assistant":
			if prompted && n > 0 && n == most[i] && n < least && c.Sent.finished(n) {
				s.take(messages[:i+1], n)
				return
			}
			prompted = false
		case m.Kind == Prompt && !m.Queued && m.Rule == "" && n > 0:
			prompted = true
		}
		if n > 0 {
			least = min(least, n)
		}
	}
}

// finished says that API message n is an answer without calls that a message of the user follows.
func (a *API) finished(n int) bool {
	if a.Messages[n-1].Role != "assistant" || n == len(a.Messages) || a.Messages[n].Role != "user" {
		return false
	}
	for _, b := range a.Messages[n-1].Blocks {
		if strings.HasSuffix(b.Type, "tool_use") {
			return false
		}
	}
	return true
}

func (s *settled) take(messages []*Message, sent int) {
	if s.ids == nil {
		s.ids = make(map[string]bool)
	}
	for _, m := range messages {
		if b := m.Block; b != nil {
			for _, id := range []string{b.ID, b.ToolUseID} {
				if id != "" {
					s.ids[id] = true
				}
			}
		}
	}
	s.messages += len(messages)
	s.sent = sent
}
