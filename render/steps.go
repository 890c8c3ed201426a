package render

import (
	"slices"
	"time"

	"viewer/internal/outcome"
	"viewer/normalize"
	"viewer/render/page"
)

// stepsView is the line that replaces everything between a prompt and its answer at the level Story. Unfolded, it shows
// the same as the level Tools.
type stepsView struct {
	ID    string
	Facts []page.Fact
}

// A stepCount counts what a turn did on one page.
type stepCount struct {
	requests                         map[string]bool // by id
	calls, failed, notRun            int
	agents, stopped, errors, remarks int
}

// steps sums up the part of a turn on this page, nil if it only has a prompt and an answer.
func (d *drawer) steps(l turnPart) *stepsView {
	n := stepCount{requests: make(map[string]bool)}
	for _, item := range l.items {
		switch it := item.(type) {
		case *normalize.Group:
			n.group(it)
		case *normalize.Message:
			n.message(it, d.isAnswer(it))
		}
	}
	if n.calls+n.errors+n.remarks == 0 {
		return nil
	}
	v := &stepsView{ID: "steps-" + itemHead(l.items[0]).Anchor}
	add := func(count int, one, many, look string) {
		if count > 0 {
			v.Facts = append(v.Facts, page.Fact{Text: plural(count, one, many), Look: look})
		}
	}
	add(len(n.requests), "step", "steps", "")
	add(n.calls, "call", "calls", "")
	if n.failed > 0 {
		v.Facts = append(v.Facts, page.Fact{Text: count(n.failed) + " failed", Look: "bad"})
	}
	if n.notRun > 0 {
		v.Facts = append(v.Facts, page.Fact{Text: count(n.notRun) + " not run", Look: "warn"})
	}
	if took := d.took(l); took >= time.Second {
		v.Facts = append(v.Facts, page.Fact{Text: duration(took)})
	}
	add(n.agents-n.stopped, "agent", "agents", "")
	add(n.stopped, "agent stopped", "agents stopped", "warn")
	add(n.errors, "API error", "API errors", "bad")
	if !l.last {
		v.Facts = append(v.Facts, page.Fact{Text: "continues on the next page"})
	}
	return v
}

func (n *stepCount) message(m *normalize.Message, answers bool) {
	switch m.Kind {
	case normalize.Text, normalize.Thinking:
		n.request(m)
		if m.Kind == normalize.Text && !answers {
			n.remarks++
		}
	case normalize.APIError:
		n.errors++
	}
}

func (n *stepCount) group(g *normalize.Group) {
	if g.Call == nil {
		return
	}
	n.calls++
	n.request(g.Call)
	switch g.State {
	case normalize.Failed, normalize.Blocked:
		n.failed++
	case normalize.CallDeclined, normalize.CallDenied:
		n.notRun++
	}
	n.agents += len(g.Agents)
	for _, a := range g.Agents {
		if isStopped(g, a) {
			n.stopped++
		}
	}
}

func (n *stepCount) request(m *normalize.Message) { n.requests[normalize.RequestID(m.Record)] = true }

// isStopped reports whether an agent was stopped by somebody.
func isStopped(g *normalize.Group, a *normalize.Agent) bool {
	if g.State == normalize.Stopped {
		return true
	}
	if turns := a.Conversation.Turns; len(turns) > 0 {
		for _, m := range outcome.Answer(turns[len(turns)-1]) {
			if m.Status == normalize.Interrupted || m.Status == normalize.InterruptedCall {
				return true
			}
		}
	}
	return false
}

// took returns how long a turn took, or the part of it that is on this page.
func (d *drawer) took(l turnPart) time.Duration {
	if l.first && l.last {
		return d.tally.OfTurn(l.turn).Time
	}
	var all []*normalize.Message
	if l.first {
		all = append(all, l.turn.Prompt...)
	}
	for _, item := range l.items {
		switch it := item.(type) {
		case *normalize.Group:
			all = append(all, it.Messages()...)
		case *normalize.Message:
			all = append(all, it)
		}
	}
	start, end := normalize.SpanOf(all)
	return end.Sub(start)
}

// isAnswer reports whether a message is the answer of the current turn.
func (p *position) isAnswer(m *normalize.Message) bool {
	return slices.Contains(p.answer, m)
}
