package normalize

import (
	"time"

	"viewer/internal/transcript"
)

// A Kind says what a message is to a reader.
type Kind uint8

const (
	Unknown      Kind = iota // a record or block of a kind nobody has heard of
	Prompt                   // typed (or queued, or sent through an SDK) by a human
	Text                     // prose of the model
	Thinking                 // reasoning of the model, possibly without its text
	Call                     // tool_use
	Result                   // tool_result
	Media                    // an image or a document
	Command                  // a slash command with its arguments
	Shell                    // a command of bash mode ("! ls")
	Output                   // what a command of either kind printed
	Notification             // a report of something that ran in the background
	Teammate                 // a message of another agent of the team
	Injected                 // text the program put into the user's mouth
	Summary                  // the summary that replaces a compacted conversation
	Status                   // a synthetic text: interrupted, cancelled, no response
	APIError                 // a synthetic message that stands for a failed request
	Hook                     // the outcome of a hook
	System                   // another system record; Name is its subtype
	Attachment               // another attachment; Name is its type
	Block                    // another block of a message; Name is its type
	Progress                 // what a call that runs has to say; Name is its kind
	Caption                  // a summary of calls, Text; drawn above the first of them
)

var kindNames = [...]string{
	"unknown", "prompt", "text", "thinking", "call", "result", "media", "command", "shell", "output", "notification",
	"teammate", "injected", "summary", "status", "api error", "hook", "system", "attachment", "block",
	"progress", "caption",
}

func (k Kind) String() string { return kindNames[k] }

// A Message is one displayable part of a session: one block of one record, or
// one record that is not chat.
type Message struct {
	Record *transcript.Record
	Part   int               // which block of the record, from 0
	Block  *transcript.Block // nil for records that are not chat

	ID     string // the record's uuid, or derived from it (see Split)
	Anchor string // unique in the session; never changes when the session grows

	Kind Kind
	Name string // Call: tool; System: subtype; Attachment and Hook: type; Command: its name; Unknown: record type

	Text     string    // what there is to read: without envelope, contexts and wrapping tags
	Contexts []Context // what was attached to it, nearly always a prompt
	Tags     []Tag     // the envelope that Text stood in, as found
	Status   StatusKind
	Ending   EndingKind // of an answer, at the last of its messages
	Advised  bool       // by another model, at the first message of an answer
	Queued   bool       // Prompt: typed while the model worked, delivered here

	HookEvent string // Hook: PreToolUse, PostToolUse, Stop ...

	// Rule names the rule that keeps the message off the page; "" draws it.
	Rule string
}

func (*Message) isItem() {}

// Time is when the record was written, zero when the log does not say.
func (m *Message) Time() time.Time { return m.Record.Timestamp }

// Shown says where the program showed a message, and that it is no part of the chat; "" for all others.
func (m *Message) Shown() string {
	switch r := m.Record; {
	case r.IsVirtual && (r.Type == "user" || r.Type == "assistant"):
		return "shown only, never sent"
	case r.IsTranscriptOnly && !r.IsCompactSummary && m.Kind == Injected:
		return "shown in the transcript only"
	}
	return ""
}

// callID is the tool call that the message belongs to, if any.
func (m *Message) callID() string {
	switch m.Kind {
	case Call:
		return m.Block.ID
	case Result:
		return m.Block.ToolUseID
	case Hook, Progress:
		if m.Record.Attachment != nil {
			return m.Record.Attachment.ToolUseID
		}
		if m.Record.ParentToolUseID != "" {
			return m.Record.ParentToolUseID
		}
		return m.Record.ToolUseID
	}
	return ""
}
