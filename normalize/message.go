package normalize

import (
	"time"

	"viewer/internal/transcript"
)

// A Kind is the kind of a message.
type Kind uint8

const (
	Unknown      Kind = iota // a record or block of an unknown kind
	Prompt                   // typed (or queued, or sent through an SDK) by a human
	Text                     // prose of the model
	Thinking                 // reasoning of the model, possibly without its text
	Call                     // tool_use
	Result                   // tool_result
	Media                    // an image or a document
	Command                  // a slash command with its arguments
	Shell                    // a command of bash mode ("! ls")
	Output                   // output of a command of either kind
	Notification             // a report of something that ran in the background
	Teammate                 // a message of another agent of the team
	Injected                 // text that the program put into the role of the user
	Summary                  // the summary that replaces a compacted conversation
	Status                   // a synthetic text: interrupted, cancelled, no response
	APIError                 // a synthetic message for a failed request
	Hook                     // the outcome of a hook
	System                   // another system record; Name is its subtype
	Attachment               // another attachment; Name is its type
	Block                    // another block of a message; Name is its type
	Progress                 // progress of a running call; Name is its kind
	Caption                  // a summary of calls, drawn above the first of them
)

var kindNames = [...]string{
	"unknown", "prompt", "text", "thinking", "call", "result", "media", "command", "shell", "output", "notification",
	"teammate", "injected", "summary", "status", "api error", "hook", "system", "attachment", "block",
	"progress", "caption",
}

func (k Kind) String() string { return kindNames[k] }

// A Message is one part of a session that can be drawn: one block of a record, or one record that is not chat.
type Message struct {
	Record *transcript.Record
	Part   int               // index of the block in the record
	Block  *transcript.Block // nil for records that are not chat

	ID     string // the record's uuid, or derived from it (see Split)
	Anchor string // unique in the session; never changes when the session grows

	Kind Kind
	Name string // Call: tool; System: subtype; Attachment and Hook: type; Command: its name; Unknown: record type

	Text     string    // the text to read, without envelope, contexts and tags around it
	Contexts []Context // what was attached to it, nearly always to a prompt
	Tags     []Tag     // the envelope of Text, as found
	Status   StatusKind
	Ending   EndingKind // of an answer, at the last of its messages
	Advised  bool       // another model advised; set for the first message of an answer
	Queued   bool       // Prompt: typed while the model worked, delivered here
	Anew     bool       // Prompt: a plan that the user approved, with which the program cleared the context

	HookEvent string // Hook: PreToolUse, PostToolUse, Stop ...

	// Rule is the name of the rule that hides the message, "" if it is drawn.
	Rule string
}

func (*Message) isItem() {}

// Time returns when the record was written, zero if unknown.
func (m *Message) Time() time.Time { return m.Record.Timestamp }

// Copied reports whether the message is history of another session, which draws and counts it.
func (m *Message) Copied() bool { return m.Rule == ruleShared }

// Blocked reports whether a hook blocked a prompt: the model never saw it.
func (m *Message) Blocked() bool { return m.Kind == Prompt && m.Record.Type == "system" }

// Shown returns where the program showed a message that is not part of the chat; "" for all others.
func (m *Message) Shown() string {
	switch r := m.Record; {
	case r.IsVirtual && (r.Type == "user" || r.Type == "assistant"):
		return "shown only, never sent"
	case r.IsTranscriptOnly && !r.IsCompactSummary && m.Kind == Injected:
		return "shown in the transcript only"
	}
	return ""
}

// callID returns the id of the tool call that the message belongs to, "" for none.
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
