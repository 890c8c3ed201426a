package sitegen

import (
	"slices"
	"strings"
)

// A loggedQueue follows the prompts that wait for the model in a log of Claude Code. Logs without attachments have
// those that the model was given in the middle of its turn only there.
type loggedQueue struct {
	waiting     []string
	queued      bool // the next prompt was in the queue
	attachments bool
}

// delivers reports whether an operation gives the model a prompt in the middle of its turn, and returns its text.
func (q *loggedQueue) delivers(operation, content string) (text string, delivered bool) {
	switch {
	case operation == "enqueue":
		q.waiting = append(q.waiting, content)
	case len(q.waiting) == 0:
	case operation == "popAll":
		q.waiting = slices.DeleteFunc(q.waiting, func(s string) bool { return s == content })
	default:
		text, q.waiting = q.waiting[0], q.waiting[1:]
		q.queued = operation == "dequeue"
		return text, !q.queued && !q.attachments && text != "" && !strings.ContainsAny(text[:1], "</")
	}
	return "", false
}

// prompted notes a prompt for a new turn. If it was not in the queue, nothing waits any longer.
func (q *loggedQueue) prompted() {
	if !q.queued {
		q.waiting = nil
	}
	q.queued = false
}
