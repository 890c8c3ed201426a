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
	v := &validation{seen: make(map[string]callPlace, len(messages)/2)}
	for i, m := range messages {
		first := head(m)
		if i == 0 && m.Role != "user" {
			v.find(mustBeginWithUser, first, "the first message is not the user's")
		}
		if i > 0 && m.Role == messages[i-1].Role {
			v.find(mustAlternate, first, fmt.Sprintf("two messages of the %s in a row", m.Role))
		}
		if len(m.Blocks) == 0 {
			v.find(mustNotBeEmpty, first, "a message without content")
		}
		v.blocks(i, m.Blocks)
	}
	v.unanswered()
	return v.found
}

// A validation checks one message after the other.
type validation struct {
	found  []violation
	before []APIBlock           // of the message before
	asked  map[string]bool      // its calls that have no result yet
	seen   map[string]callPlace // all calls, by id
}

// A callPlace is where a call is.
type callPlace struct {
	message int
	record  *transcript.Record
}

func (v *validation) find(rule ruleOfAPI, at *Message, text string) {
	v.found = append(v.found, violation{rule: rule, text: text, at: at})
}

// mismatch reports a call without a result or a result without a call.
func (v *validation) mismatch(at *Message, format, id string) {
	v.found = append(v.found, violation{rule: mustMatch, text: fmt.Sprintf(format, id), at: at, id: id})
}

// unanswered reports the calls of the message before that have no result.
func (v *validation) unanswered() {
	for _, b := range v.before {
		if b.Type == "tool_use" && v.asked[b.ID] {
			v.mismatch(b.From, "tool_use %.60q without a result", b.ID)
		}
	}
}

// blocks checks the blocks of message i.
func (v *validation) blocks(i int, blocks []APIBlock) {
	calls := make(map[string]bool)
	behind := false
	for _, b := range blocks {
		switch b.Type {
		case "tool_use":
			v.call(i, b)
			calls[b.ID] = true
		case "tool_result":
			if !v.asked[b.ToolUseID] {
				v.mismatch(b.From, "tool_result for unknown call %.60q", b.ToolUseID)
			} else if behind {
				v.find(mustStandFirst, b.From, "a tool_result follows other content")
			}
			delete(v.asked, b.ToolUseID)
		case "text":
			if strings.TrimSpace(b.Text) == "" {
				v.find(mustNotBeEmpty, b.From, "a text without words")
			}
		}
		behind = behind || b.Type != "tool_result"
	}
	v.unanswered()
	v.before, v.asked = blocks, calls
}

// call checks a call of message i.
func (v *validation) call(i int, b APIBlock) {
	at := callPlace{message: i}
	if b.From != nil {
		at.record = b.From.Record
	}
	if first, again := v.seen[b.ID]; again || b.ID == "" {
		v.found = append(v.found, violation{
			rule: mustBeUnique, text: fmt.Sprintf("two calls have the id %.60q", b.ID), at: b.From, id: b.ID,
			copied: again && first.message != i && at.record != nil && first.record != nil &&
				RequestID(at.record) == RequestID(first.record),
		})
	} else {
		v.seen[b.ID] = at
	}
	if transcript.Kind(b.Input) != '{' {
		v.find(mustBeObject, b.From, "input of tool_use is not an object")
	}
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
