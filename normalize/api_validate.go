package normalize

import (
	"fmt"
	"strings"

	"viewer/internal/transcript"
)

// A violation is a rule of the Messages API that messages break, with the message of the log that breaks it, nil if
// there is none.
type violation struct {
	rule ruleOfAPI
	text string
	at   *Message
	id   string // of the call, if ids do not match or are not unique

	copied bool // a call that a copied history repeats
}

type ruleOfAPI uint8

const (
	mustAlternate ruleOfAPI = iota
	mustBeginWithUser
	mustMatch
	mustBeUnique
	mustStandFirst
	mustNotBeEmpty
	mustBeObject
)

// findInvalid reports what the API would refuse of the messages in the log, before the following steps repair it. These
// are no problems: calls that still run at the end, results later than expected, repeated ids of a copied history, and
// prompts that a stream lacks.
func findInvalid(s *sending) {
	messages := make([]APIMessage, len(s.entries))
	calls, results := make(map[string]bool), running(s.entries)
	for i, e := range s.entries {
		messages[i] = APIMessage{e.role, e.blocks}
		for _, b := range e.blocks {
			switch b.Type {
			case "tool_use":
				calls[b.ID] = true
			case "tool_result":
				results[b.ToolUseID] = true
			}
		}
	}
	for _, m := range s.bare {
		s.problem(m, "a message without content")
	}
	for _, v := range validate(messages) {
		switch {
		case v.at == nil, v.rule == mustStandFirst:
		case v.rule == mustBeUnique && (v.id == "" || v.copied):
		case v.rule == mustBeginWithUser && (s.options.Agent || s.conversation.Facts.Streamed):
		case v.rule == mustAlternate && s.conversation.Facts.Streamed:
		case v.rule == mustMatch && calls[v.id] && results[v.id]:
		default:
			s.problem(v.at, v.text)
		}
	}
}

// findEarly reports results that come before their calls, before merging corrects their order.
func findEarly(s *sending) {
	asked := make(map[string]bool, len(s.entries)/2)
	early := make(map[string]*Message)
	for _, e := range s.entries {
		for _, b := range e.blocks {
			switch {
			case b.Type == "tool_result" && !asked[b.ToolUseID]:
				early[b.ToolUseID] = b.From
			case b.Type == "tool_use":
				asked[b.ID] = true
				if m := early[b.ID]; m != nil {
					delete(early, b.ID)
					s.problem(m, fmt.Sprintf("tool_result before its call %.60q", b.ID))
				}
			}
		}
	}
}

// running returns the calls of the last request, which may still run, unless a prompt or an interruption follows. The
// request may have several records, with results of finished calls in between.
func running(entries []*entry) map[string]bool {
	calls := make(map[string]bool)
	n := len(entries)
	if n > 0 && entries[n-1].role == "user" {
		n--
		for _, m := range entries[n].parts {
			if m.Kind == Prompt && !m.Queued || m.Kind == Status {
				return calls
			}
		}
	}
	for ; n > 0 && entries[n-1].role == "assistant"; n-- {
		for _, b := range entries[n-1].blocks {
			if b.Type == "tool_use" {
				calls[b.ID] = true
			}
		}
		if r := entries[n-1].record; RequestID(r) != r.UUID {
			break // all records of its message are merged; others name none
		}
	}
	return calls
}

// validate checks messages against the rules, in order: roles alternate, the first is the user's, ids match, nothing is
// empty, input is an object.
func validate(messages []APIMessage) []violation {
	var all []violation
	find := func(rule ruleOfAPI, at *Message, format string, args ...any) {
		all = append(all, violation{rule: rule, text: fmt.Sprintf(format, args...), at: at})
	}
	mismatch := func(at *Message, format, id string) {
		all = append(all, violation{rule: mustMatch, text: fmt.Sprintf(format, id), at: at, id: id})
	}
	var before []APIBlock     // of the message before
	var asked map[string]bool // its calls that have no result yet
	unanswered := func() {
		for _, b := range before {
			if b.Type == "tool_use" && asked[b.ID] {
				mismatch(b.From, "tool_use %.60q without a result", b.ID)
			}
		}
	}
	type place struct {
		message int
		record  *transcript.Record
	}
	seen := make(map[string]place, len(messages)/2)
	for i, m := range messages {
		first := head(m)
		if i == 0 && m.Role != "user" {
			find(mustBeginWithUser, first, "the first message is not the user's")
		}
		if i > 0 && m.Role == messages[i-1].Role {
			find(mustAlternate, first, "two messages of the %s in a row", m.Role)
		}
		if len(m.Blocks) == 0 {
			find(mustNotBeEmpty, first, "a message without content")
		}
		calls := make(map[string]bool)
		behind := false
		for _, b := range m.Blocks {
			switch b.Type {
			case "tool_use":
				var record *transcript.Record
				if b.From != nil {
					record = b.From.Record
				}
				if first, again := seen[b.ID]; again || b.ID == "" {
					all = append(all, violation{
						rule: mustBeUnique, text: fmt.Sprintf("two calls have the id %.60q", b.ID),
						at: b.From, id: b.ID,
						copied: again && first.message != i && record != nil && first.record != nil &&
							RequestID(record) == RequestID(first.record),
					})
				} else {
					seen[b.ID] = place{i, record}
				}
				calls[b.ID] = true
				if transcript.Kind(b.Input) != '{' {
					find(mustBeObject, b.From, "input of tool_use is not an object")
				}
			case "tool_result":
				if !asked[b.ToolUseID] {
					mismatch(b.From, "tool_result for unknown call %.60q", b.ToolUseID)
				} else if behind {
					find(mustStandFirst, b.From, "a tool_result follows other content")
				}
				delete(asked, b.ToolUseID)
			case "text":
				if strings.TrimSpace(b.Text) == "" {
					find(mustNotBeEmpty, b.From, "a text without words")
				}
			}
			behind = behind || b.Type != "tool_result"
		}
		unanswered()
		before, asked = m.Blocks, calls
	}
	unanswered()
	return all
}

// head returns the first message of the log that is part of an API message.
func head(m APIMessage) *Message {
	for _, b := range m.Blocks {
		if b.From != nil {
			return b.From
		}
	}
	return nil
}
