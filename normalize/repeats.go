package normalize

import (
	"bytes"
	"slices"
	"strings"
	"time"

	"viewer/internal/transcript"
)

// markRepeats hides records that were appended twice, with the same uuid; the first one stays.
func markRepeats(messages []*Message) {
	owner := make(map[string]*transcript.Record, len(messages))
	for _, m := range messages {
		id := m.Record.UUID
		if id == "" {
			continue
		}
		if first, ok := owner[id]; !ok {
			owner[id] = m.Record
		} else if first != m.Record {
			m.Rule = ruleRepeated
		}
	}
}

// repeats reports whether a further result of a call says the same as its first one or as the one before.
func (g *Group) repeats(m *Message) bool {
	if n := len(g.Inside); n > 0 && g.Inside[n-1].Kind == Result && sameResult(g.Inside[n-1].Block, m.Block) {
		return true
	}
	return sameResult(g.Result.Block, m.Block)
}

func sameResult(a, b *transcript.Block) bool {
	return a.IsError == b.IsError && slices.EqualFunc(a.Content, b.Content, func(a, b transcript.Block) bool {
		return a.Type == b.Type && a.Text == b.Text && (a.Type == "text" || bytes.Equal(a.Raw, b.Raw))
	})
}

// markRepeatedPrompts hides prompts that were written twice before the model answered: with two uuids, the same time
// and the same text. The one with more blocks stays, because it has the pictures. Another text at the same time is
// another prompt.
func markRepeatedPrompts(messages []*Message) {
	type utterance struct {
		at   time.Time
		text string
	}
	earlier := make(map[utterance][]*Message) // the parts of a record
	for parts := range ByRecord(messages) {
		if parts[0].Record.Type == "assistant" {
			clear(earlier)
			continue
		}
		var texts []string
		prompt := false
		for _, m := range parts {
			prompt = prompt || m.Kind == Prompt && !m.Queued && m.Rule == ""
			if m.Block != nil && m.Block.Type == "text" {
				texts = append(texts, strings.TrimSpace(m.Block.Text))
			}
		}
		key := utterance{parts[0].Time(), strings.Join(texts, "\n")}
		if !prompt || key.at.IsZero() || key.text == "" {
			continue
		}
		first := earlier[key]
		switch {
		case first == nil:
			earlier[key] = parts
			continue
		case len(parts) > len(first):
			earlier[key] = parts
			parts = first
		}
		for _, m := range parts {
			m.Rule = ruleRepeated
		}
	}
}

// markStarts hides the start messages of hooks of 1.0.x that also have an end message: "Running PostToolUse:Edit..."
// and then "PostToolUse:Edit [make fmt] completed successfully" are one run.
func markStarts(messages []*Message) {
	type run struct{ call, name string }
	ended := make(map[run]bool)
	for i := len(messages) - 1; i >= 0; i-- {
		m := messages[i]
		if m.Kind != Hook || m.Name != "text" || m.Rule != "" {
			continue
		}
		text, started := strings.CutPrefix(m.Text, "Running ")
		name, _, _ := strings.Cut(text, "\x1b[22m")
		key := run{m.Record.ToolUseID, name}
		switch {
		case !started:
			ended[key] = true
		case ended[key]:
			m.Rule = ruleStarted
		}
	}
}
