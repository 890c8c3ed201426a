package normalize

import (
	"slices"
	"time"

	"viewer/internal/transcript"
)

// A Turn is a human prompt and everything up to the next one. Messages before the first prompt are a turn without
// prompt. A slash command starts a turn, too, since it often is the prompt.
type Turn struct {
	Index   int        // from 0
	Skipped int        // prompts before it that a part of a session leaves out, so that later ones keep their numbers
	Prompt  []*Message // the parts of the prompt, or the command, which comes first; empty before the first prompt
	Items   []Item

	// Messages are the messages of the turn in file order, hidden ones included.
	Messages []*Message
	Requests []*Request
}

// Head returns the message that starts the turn: its prompt, otherwise its first message.
func (t *Turn) Head() *Message {
	if len(t.Prompt) > 0 {
		return t.Prompt[0]
	}
	return t.Messages[0]
}

// Asked reports whether a human prompt starts the turn; a command alone does not count as one.
func (t *Turn) Asked() bool {
	return slices.ContainsFunc(t.Prompt, func(m *Message) bool { return m.Kind == Prompt })
}

// Command returns the name of the command that starts the turn, "" if none does or a prompt came with it.
func (t *Turn) Command() string {
	if len(t.Prompt) == 0 || t.Asked() {
		return ""
	}
	return t.Prompt[0].Name
}

// Usage returns the usage of the requests of the turn, each counted once in a session.
func (t *Turn) Usage() transcript.Usage {
	var sum transcript.Usage
	for _, r := range t.Requests {
		if !r.Repeats && !r.OfSession {
			sum = sum.Add(r.Usage)
		}
	}
	return sum
}

// Span returns the times of the first and the last message or call of the turn, zero if the log has none. Records that
// the program writes by itself, such as a recap, may be much later and do not count. Nor do contexts at the end, which
// were logged before the prompt that they come with, and the filler that is written when the session is resumed.
func (t *Turn) Span() (start, end time.Time) { return SpanOf(t.Messages) }

// SpanOf is Span for some messages of a turn.
func SpanOf(messages []*Message) (start, end time.Time) {
	var chat []*Message
	last := 0 // number of messages up to the last one that is neither a context nor a filler
	for _, m := range messages {
		if m.Record.Message == nil {
			continue
		}
		chat = append(chat, m)
		if m.Kind != Injected && m.Status != NoResponse && m.Rule == "" {
			last = len(chat)
		}
	}
	if last > 0 {
		chat = chat[:last]
	}
	return span(chat)
}

// span ignores records without a time. Times may go backwards in a file.
func span(messages []*Message) (start, end time.Time) {
	for _, m := range messages {
		at := m.Time()
		if at.IsZero() || m.Rule != "" && m.Rule != ruleProgress {
			continue
		}
		if start.IsZero() || at.Before(start) {
			start = at
		}
		if at.After(end) {
			end = at
		}
	}
	return start, end
}

// starts reports whether the record of the first message begins a turn. A queued prompt was typed during a turn and is
// drawn where it was delivered.
func starts(messages []*Message) bool {
	if messages[0].Part > 0 {
		return false
	}
	for _, m := range messages {
		if m.Record != messages[0].Record {
			break
		}
		if m.Rule == "" && (m.Kind == Prompt && !m.Queued || m.Kind == Command && typed(m)) {
			return true
		}
	}
	return false
}

// typed reports whether a command is a prompt of its own, and not one of several in a prompt, or a skill that nobody
// typed.
func typed(m *Message) bool {
	return m.Record.Type == "user" && !m.Record.Stacked && tagBody(m.Tags, skillTag) == ""
}

// turns splits messages at the prompts and puts each item into the turn of its head.
func turns(messages []*Message, items []Item) []*Turn {
	var all []*Turn
	turnOf := make(map[*Message]*Turn, len(messages))
	for i, m := range messages {
		if len(all) == 0 || starts(messages[i:]) {
			all = append(all, &Turn{Index: len(all)})
		}
		t := all[len(all)-1]
		t.Messages = append(t.Messages, m)
		turnOf[m] = t
	}
	byID := make(map[string]*Request)
	for _, t := range all {
		t.Requests = merge(t.Messages, byID)
	}
	for _, item := range items {
		switch it := item.(type) {
		case *Message:
			t := turnOf[it]
			heads := len(t.Prompt) > 0 || it.Kind == Prompt || it.Kind == Command
			if heads && it.Record == t.Messages[0].Record && starts(t.Messages) {
				t.Prompt = append(t.Prompt, it)
			} else {
				t.Items = append(t.Items, it)
			}
		case *Group:
			t := turnOf[it.Head()]
			t.Items = append(t.Items, it)
		}
	}
	return all
}
