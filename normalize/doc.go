// Package normalize turns the records of a session into what a reader follows: records -> messages -> groups -> turns
// -> conversation.
//
// It implements normalizeMessages, deriveUUID, deriveShortMessageId, isNewChain and reorderMessagesInUI of Claude Code,
// as published descriptions have them, and what real files need in addition.
//
// It is pure: no I/O, no clock, no goroutines. It never knows a tool by name, with one exception (internalFields):
// calls are found by their ids. No record disappears here: each has a message in the conversation or is listed as
// hidden with the name of the rule that hid it.
//
// # Groups
//
// A message belongs to a call by the id of the call and by nothing else. Results and hooks of parallel calls
// interleave; versions 2.1.11 to 2.1.81 write hooks before the result that they follow; later ones carry earlier
// times. When a copied history repeats an id, a message belongs to the last call with that id before it. [GroupCalls]
// needs two passes and linear time.
//
// # Anchors
//
// An anchor is the short id of a record, with ".i" for part i of a split record and a longer form on a clash. Anchors
// are given in file order, and those of an agent begin with the id of the agent, since its file grows independently.
// So no anchor changes when a session grows, and links into pages stay valid.
//
// # As sent
//
// [ForAPI] computes what the model was sent, as normalizeMessagesForAPI of Claude Code does. It is a list of small
// steps (apiSteps); each changes the messages and notes what it leaves out and why. Their order matters: TestAPIOrder
// has a case for each order that changes a result. The rules of the API (api_validate.go) are checked before the
// messages are repaired, which gives problems, and in tests also after it, where there must be none. The system prompt,
// the tool definitions and CLAUDE.md are not in the log, and therefore not in the result.
package normalize
