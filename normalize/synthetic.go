package normalize

import (
	"strings"
	"time"
)

// A StatusKind is the meaning of a synthetic text.
type StatusKind uint8

const (
	NoStatus        StatusKind = iota
	Interrupted                // the user stopped the turn
	InterruptedCall            // the user stopped a call
	Cancelled                  // the user does not want the action now
	Declined                   // the user declined the call
	NoResponse                 // filler: no response was requested
	MissingResult              // filler: the result was lost
	HookStopped                // a hook stopped the turn of a prompt before it began
)

const (
	waitForUser = "STOP what you are doing and wait for the user to tell you how to proceed."
	cancelText  = "The user doesn't want to take this action right now. " + waitForUser
	rejectText  = "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was " +
		"a file edit, the new_string was NOT written to the file). " + waitForUser
)

// synthetics are the texts that the program writes as messages of the user or the model. A text must be equal to one of
// them, because a prompt may begin with any words.
var synthetics = map[string]StatusKind{
	"[Request interrupted by user]":              Interrupted,
	"[Request interrupted by user for tool use]": InterruptedCall,
	cancelText:               Cancelled,
	rejectText:               Declined,
	"No response requested.": NoResponse,
	"[Tool result missing due to internal error]": MissingResult,
}

// StoppedByHook begins the text that is written when a hook stops the turn of a prompt; ": " and its reason may follow.
const StoppedByHook = "Operation stopped by hook"

// statusOf recognizes a synthetic text. Other writers add to an interruption when it happened.
func statusOf(text string) StatusKind {
	if why, ok := strings.CutPrefix(text, StoppedByHook); ok && (why == "" || strings.HasPrefix(why, ": ")) {
		return HookStopped
	}
	if at, ok := strings.CutPrefix(text, "[Request interrupted by user at "); ok {
		at, closed := strings.CutSuffix(at, "]")
		if _, err := time.Parse(time.RFC3339, at); closed && err == nil {
			return Interrupted
		}
	}
	return synthetics[text]
}

// abortedText ends the output of a command that the user stopped.
const abortedText = "<error>Command was aborted before completion</error>"
