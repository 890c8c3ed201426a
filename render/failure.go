package render

import (
	"viewer/internal/tools"
	"viewer/normalize"
)

// failed reports whether a call counts as failed: by itself, or by a hook.
func failed(g *normalize.Group) bool {
	return g.Call != nil && (g.State == normalize.Failed || g.State == normalize.Blocked)
}

// failureOf returns the anchor of the first failed call of a turn or of the agents that its calls started, "" for none.
func (s *sessionData) failureOf(t *normalize.Turn) string {
	if s.tally.OfTurn(t).Failed == 0 {
		return ""
	}
	for _, item := range t.Items {
		g, ok := item.(*normalize.Group)
		if !ok {
			continue
		}
		if failed(g) {
			return g.Head().Anchor
		}
		for _, a := range g.Agents {
			if anchor := s.firstFailure(a.Conversation); anchor != "" {
				return anchor
			}
		}
	}
	return ""
}

// firstFailure returns the anchor of the first failed call of a conversation, "" for none. Attempts that were taken
// back and agents that no call started come after all turns.
func (s *sessionData) firstFailure(c *normalize.Conversation) string {
	if s.tally.Of(c).Failed == 0 {
		return ""
	}
	for _, t := range c.Turns {
		if anchor := s.failureOf(t); anchor != "" {
			return anchor
		}
	}
	for b := range c.Branches() {
		if anchor := s.firstFailure(b.Conversation); anchor != "" {
			return anchor
		}
	}
	for _, a := range c.Agents {
		if anchor := s.firstFailure(a.Conversation); anchor != "" {
			return anchor
		}
	}
	return ""
}

// failedLater returns the calls of commands that failed after the result of their call, in the background. Their calls
// did not fail.
func (s *sessionData) failedLater(c *normalize.Conversation) (calls []*normalize.Group) {
	if len(s.ends) == 0 {
		return nil
	}
	for inner := range c.All() {
		for g := range inner.Groups() {
			if exit := s.ends[g]; exit != "" && exit != "0" && exit != tools.Stopped && g.State == normalize.Done {
				calls = append(calls, g)
			}
		}
	}
	return calls
}

// summaryFailure returns the address of the first failed call, relative to the folder of the session.
func (b *pagesData) summaryFailure() string {
	return own(b.data.place(b.data.firstFailure(b.Conversation)))
}
