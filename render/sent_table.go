package render

import (
	"slices"
	"sync"

	"viewer/internal/transcript"
	"viewer/normalize"
)

// A sentTable describes the API messages of one conversation. Pages share it.
type sentTable struct {
	api          *normalize.API
	requests     map[*transcript.Record]*normalize.Request
	hidden       map[int32][]string            // rules that hide parts of an API message
	placeholders map[*normalize.Message]string // for the missing result of a call
	before       func() []int                  // estimated tokens before each API message
	unlogged     string                        // what is sent before it and is not in the log
}

// sentTablesOf makes a table for each conversation with pages. A long one has hundreds.
func sentTablesOf(pages []job) map[*normalize.Conversation]*sentTable {
	all := make(map[*normalize.Conversation]*sentTable)
	for _, j := range pages {
		if c := j.conversation; all[c] == nil && !c.TakenBack && c.AsSent() {
			all[c] = newSentTable(c)
		}
	}
	return all
}

func newSentTable(c *normalize.Conversation) *sentTable {
	t := &sentTable{
		api: &c.Sent, hidden: make(map[int32][]string), placeholders: make(map[*normalize.Message]string),
	}
	requests := 0
	for _, turn := range c.Turns {
		requests += len(turn.Requests)
	}
	t.requests = make(map[*transcript.Record]*normalize.Request, requests)
	t.before = sync.OnceValue(func() []int { // pages are drawn at the same time
		before := make([]int, len(t.api.Messages))
		for i := range t.api.Messages[1:] {
			before[i+1] = before[i] + normalize.Estimate(t.api.Messages[i:i+1])
		}
		return before
	})
	for _, m := range c.Sent.Messages {
		for _, b := range m.Blocks {
			if b.For != nil && t.placeholders[b.For] == "" && len(b.Content) > 0 {
				t.placeholders[b.For] = b.Content[0].Text
			}
		}
	}
	for _, turn := range c.Turns {
		for _, r := range turn.Requests {
			t.requests[r.First] = r
		}
	}
	t.unlogged = unlogged(c)
	for _, m := range c.Messages {
		if m.Rule == "" {
			continue
		}
		if n := c.Sent.Fates[m].Number; n > 0 && !slices.Contains(t.hidden[n], m.Rule) {
			t.hidden[n] = append(t.hidden[n], m.Rule)
		}
	}
	return t
}

// unlogged describes what is sent before the first message but not logged: CLAUDE.md and the like, which
// prependUserContext adds. Some newer logs have the system prompt.
func unlogged(c *normalize.Conversation) string {
	words := "the system prompt, the tools, CLAUDE.md and the like"
	for _, m := range c.Order {
		if m.Kind == normalize.Attachment && m.Name == "prompt_snapshot" {
			words = "CLAUDE.md and the like"
			break
		}
	}
	return "also sent, not in the log: " + words
}
