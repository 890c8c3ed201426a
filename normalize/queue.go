package normalize

import (
	"slices"
	"strings"

	"viewer/internal/transcript"
)

// deliverQueued makes a prompt of the record of each prompt that was typed while the model worked, and given to the
// model before its turn ended. Until 2.1.8x such prompts are only in the records of the queue; newer logs have an
// attachment with the text, and attachments in every session.
func deliverQueued(messages []*Message) {
	attached := make(map[string]bool)
	for _, m := range messages {
		if a := m.Record.Attachment; a != nil && a.Type == "queued_command" {
			attached[m.Text] = true
		}
	}
	var queue []string // in the order in which they were typed
	next := false      // the prompt that comes next was in the queue
	for _, m := range messages {
		switch r := m.Record; {
		case r.Attachment != nil:
			return
		case m.Kind == Prompt && m.Part == 0:
			if !next { // nothing waits when the user types a prompt for a new turn
				queue = nil
			}
			next = false
		case r.Type == "queue-operation":
			text := transcript.String(transcript.Field(r.Raw, "content"))
			switch operation := transcript.String(transcript.Field(r.Raw, "operation")); {
			case operation == "enqueue":
				queue = append(queue, text)
			case operation == "popAll": // back into the field where it was typed
				if i := slices.Index(queue, text); i >= 0 {
					queue = slices.Delete(queue, i, i+1)
				}
			case len(queue) == 0:
			case operation == "dequeue":
				queue, next = queue[1:], true
			case operation == "remove":
				if !attached[queue[0]] {
					m.deliver(queue[0])
				}
				queue = queue[1:]
			}
		}
	}
}

// isDelivered reports whether a record of the queue is a prompt that was given to the model.
func isDelivered(e *entry) bool {
	return e.record.Type == "queue-operation" && e.parts[0].Kind == Prompt
}

// deliver makes a queued prompt of a record of the queue. Reports and commands are elsewhere in the log.
func (m *Message) deliver(text string) {
	name, _, _ := strings.Cut(text, " ")
	if strings.TrimSpace(text) == "" || isCommandName(name) {
		return
	}
	if tags, _ := openEnvelope(text); strings.HasPrefix(text, "<") && (len(tags) == 0 || !contextTags[tags[0].Name]) {
		return
	}
	m.Kind, m.Name, m.Rule, m.Text, m.Queued = Prompt, "", "", text, true
	cutContexts(m)
}
