// Package normalize turns the records of a session into what a reader follows:
// records -> messages -> groups -> turns -> conversation.
//
// It implements normalizeMessages, deriveUUID, deriveShortMessageId, isNewChain
// and reorderMessagesInUI of the reference texts 002 and 003, and what real
// files need on top of them (format, sections 7 to 16).
//
// It is pure: no I/O, no clock, no goroutines. It knows no tool by name; calls
// are found by their ids. No record disappears here: each has a message in the
// conversation or is listed as hidden with the name of the rule that hid it.
package normalize
