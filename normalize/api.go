package normalize

import (
	"slices"

	"viewer/internal/transcript"
)

// An API is a conversation as it is sent to the model, with the fate of each message of the log.
type API struct {
	Messages []APIMessage
	Fates    map[*Message]Fate
	Problems []transcript.Problem // what the API would refuse if the log were sent unchanged
}

// An APIMessage is one element of the messages of a request.
type APIMessage struct {
	Role   string // user or assistant
	Blocks []APIBlock
}

// An APIBlock is one content block of the log, as changed by the steps. What is sent is in the fields of the block, not
// in its Raw.
type APIBlock struct {
	*transcript.Block
	From *Message // nil for a placeholder
	For  *Message // of a placeholder result: the call
}

// APIOptions are the parts of a request besides the conversation.
type APIOptions struct {
	Tools map[string]bool // the tools that the request offers; nil if unknown

	// At is a message of the active branch: it selects the request that led to it, or that carried it. nil selects the
	// request that would follow the log.
	At *Message

	// Agent means that the conversation is an agent. Its file may begin with an answer, because its prompt is in the
	// call that started it.
	Agent bool

	Personal bool // send the account of the user who ran the session, too
	Edited   bool // leave out thinking that was edited after it was signed: the API would refuse the request
}

// ForAPI returns what the model is sent of a conversation, without its agents. It is pure, does not change the
// conversation and cannot fail.
func ForAPI(c *Conversation, o APIOptions) API { return forAPI(c, o, apiSteps) }

// An apiStep changes the messages of a request.
type apiStep struct {
	name string
	do   func(*sending)
}

// apiSteps are the steps in the order of the program. Each step sees the result of the steps before it: TestAPIOrder
// has a case for each order that matters.
var apiSteps = []apiStep{
	{"cut", cutAfter},
	{"cleared", dropCleared},
	{"compaction", applyCompaction},
	{"attachments", reorderAttachments},
	{"virtual", dropVirtual},
	{"errors", mapErrors},
	{"filter", filterKinds},
	{"convert", convert},
	{"early", findEarly},
	{"merge", mergeEntries},
	{"validate", findInvalid},
	{"pair", pairCalls},
	{"alternate", alternate},
}

func forAPI(c *Conversation, o APIOptions, steps []apiStep) API {
	s := newSending(c, o)
	for _, step := range steps {
		step.do(s)
	}
	return s.result()
}

// A sending is a request while it is built.
type sending struct {
	conversation *Conversation
	options      APIOptions
	entries      []*entry
	strip        map[*entry]map[string]bool // block types that an API error named
	bare         []*Message                 // of records without content
	rough        map[*Message]bool          // attachments whose text the log does not have
	fates        map[*Message]Fate
	problems     []transcript.Problem
}

// An entry is one record with all its blocks, or later several merged records. The reference texts call it a message.
type entry struct {
	record *transcript.Record
	parts  []*Message

	role   string // user or assistant, once it is part of the request
	blocks []APIBlock
	prompt bool // it is a prompt, at the start of a turn
}

// newSending makes an entry of each record of the active branch. Records that are hidden from readers may have been
// sent, so only those that are not part of the conversation are left out.
func newSending(c *Conversation, o APIOptions) *sending {
	s := &sending{
		conversation: c, options: o,
		fates: make(map[*Message]Fate, len(c.Order)),
		rough: make(map[*Message]bool),
	}
	if c.TakenBack {
		for _, m := range c.Order {
			s.fates[m] = keptOut(whyTakenBack)
		}
		return s
	}
	if len(c.Order) > len(c.Messages) {
		for _, m := range c.Order { // those that are sent are noted below
			s.fates[m] = keptOut(whyTakenBack)
		}
	}
	var room []entry // allocated in blocks
	s.entries = make([]*entry, 0, len(c.Messages))
	for parts := range ByRecord(c.Messages) {
		if len(room) == 0 {
			room = make([]entry, min(len(c.Messages), 256))
		}
		e := &room[0]
		room = room[1:]
		e.record, e.parts = parts[0].Record, parts
		switch e.parts[0].Rule {
		case ruleRepeated:
			s.drop(whyRepeated, e.parts...)
			continue
		case rulePersonal:
			if !o.Personal {
				s.drop(whyPersonal, e.parts...)
				continue
			}
		}
		if e.parts = s.withoutWithdrawn(e.parts); len(e.parts) > 0 {
			s.entries = append(s.entries, e)
		}
	}
	return s
}

// withoutWithdrawn drops the parts of a record that were withdrawn: a result with its call.
func (s *sending) withoutWithdrawn(parts []*Message) []*Message {
	gone := func(m *Message) bool { return m.Rule == ruleWithdrawn }
	if !slices.ContainsFunc(parts, gone) {
		return parts
	}
	var kept []*Message
	for _, m := range parts {
		if gone(m) {
			s.drop(whyWithdrawn, m)
		} else {
			kept = append(kept, m)
		}
	}
	return kept
}

// keep removes the entries for which the function returns false.
func (s *sending) keep(keep func(*entry) bool) {
	s.entries = slices.DeleteFunc(s.entries, func(e *entry) bool { return !keep(e) })
}

// drop records why messages are not sent.
func (s *sending) drop(why Why, messages ...*Message) {
	for _, m := range messages {
		s.fates[m] = keptOut(why)
	}
}

func (s *sending) problem(m *Message, text string) {
	s.problems = append(s.problems, transcript.Problem{Pos: m.Record.Pos, Text: text})
}

// cutAfter ends the list where the request was made: before the answer that At is part of, or before the next answer if
// At was itself sent.
func cutAfter(s *sending) {
	at := s.options.At
	if at == nil {
		return
	}
	id := RequestID(at.Record)
	begun := make(map[string]bool) // answers that had begun before: their blocks may still come
	seen, cut := false, len(s.entries)
	for i, e := range s.entries {
		theirs := RequestID(e.record)
		if id != "" && theirs == id || id == "" && seen && theirs != "" && !begun[theirs] {
			cut = i
			break
		}
		begun[theirs] = true
		seen = seen || e.record == at.Record
	}
	for _, e := range s.entries[cut:] {
		s.drop(whyLater, e.parts...)
	}
	s.entries = s.entries[:cut:cut]
}
