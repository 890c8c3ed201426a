// Package stats counts what happened in a conversation: prompts, calls,
// failures, tokens, time. It is pure and draws nothing.
package stats

import (
	"time"

	"viewer/normalize"
	"viewer/transcript"
)

// Totals are the numbers of one session, or of many added up.
type Totals struct {
	Sessions  int
	Prompts   int // human, queued ones included
	Tools     int // calls, those of agents included
	Failed    int // calls that failed, by themselves or by a hook
	Agents    int
	Compacted int

	// Usage counts each API message once, those of agents included, as the log
	// reports it: some versions wrote placeholders for the output (format, section 13).
	Usage transcript.Usage

	Time time.Duration // from the first to the last message
}

// Add sums two totals.
func (t Totals) Add(u Totals) Totals {
	t.Sessions += u.Sessions
	t.Prompts += u.Prompts
	t.Tools += u.Tools
	t.Failed += u.Failed
	t.Agents += u.Agents
	t.Compacted += u.Compacted
	t.Usage = t.Usage.Add(u.Usage)
	t.Time += u.Time
	return t
}

// Of counts a conversation with all its agents.
func Of(c *normalize.Conversation) Totals {
	t := Totals{Sessions: 1, Prompts: c.Prompts()}
	if !c.Facts.Start.IsZero() {
		t.Time = c.Facts.End.Sub(c.Facts.Start)
	}
	requests := make(map[string]transcript.Usage)
	for conversation := range c.All() {
		t.add(conversation, requests)
		if conversation != c && !conversation.Rewound {
			t.Agents++
		}
	}
	t.Agents -= len(c.Warmups)
	for _, u := range requests {
		t.Usage = t.Usage.Add(u)
	}
	return t
}

func (t *Totals) add(c *normalize.Conversation, requests map[string]transcript.Usage) {
	for g := range c.Groups() {
		if g.Call == nil {
			continue
		}
		t.Tools++
		if g.State == normalize.Failed || g.State == normalize.Blocked {
			t.Failed++
		}
	}
	for _, turn := range c.Turns {
		for _, r := range turn.Requests {
			if !r.HasUsage {
				continue
			}
			id := r.ID
			if id == "" { // a message without any id still counts
				id = r.First.Pos.String()
			}
			requests[id] = r.Usage
		}
		for _, m := range turn.Messages {
			if m.Kind == normalize.System && m.Name == "compact_boundary" && m.Rule == "" {
				t.Compacted++
			}
		}
	}
}

// OfTurn counts the calls of one turn, those of agents included.
func OfTurn(turn *normalize.Turn) Totals {
	var t Totals
	for _, item := range turn.Items {
		g, ok := item.(*normalize.Group)
		if !ok || g.Call == nil {
			continue
		}
		t.Tools++
		if g.State == normalize.Failed || g.State == normalize.Blocked {
			t.Failed++
		}
		t.Agents += len(g.Agents)
		for _, a := range g.Agents {
			inner := Totals{}
			inner.add(a.Conversation, make(map[string]transcript.Usage))
			t.Tools += inner.Tools
			t.Failed += inner.Failed
		}
	}
	t.Usage = turn.Usage()
	start, end := turn.Span()
	t.Time = end.Sub(start)
	return t
}
