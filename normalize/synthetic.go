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

// callRefusals has the texts of errors for calls that were not allowed to run, or to end: begin, then some words of the
// call or of a person, then within.
var callRefusals = []struct {
	begin, within string
	state         State
}{
	{"The user doesn't want to proceed with this tool use.", "", CallDeclined},
	{"The user doesn't want to take this action right now.", "", CallDeclined},
	{"The agent proposed a plan that was rejected by the user.", "", CallDeclined},
	{"Permission for this tool use was denied.", "", CallDenied},
	{"Permission for this action has been denied. Reason: ", "", CallDenied},
	{"Permission for this action was denied by the Claude Code auto mode classifier", "", CallDenied},
	{"The server-side auto mode classifier gave no verdict", "", CallDenied},
	{"Permission to use ", " has been denied", CallDenied},
	{"Permission to use ", " has been auto-denied", CallDenied},
	{"Claude requested permissions to ", ", but you haven't granted it yet.", CallDenied},
	{"This command requires approval", "", CallDenied},
	{"This Bash command contains multiple operations. The following part", " approval:", CallDenied},
	{"PreToolUse:", " hook error: ", Blocked},
	{"Cancelled: parallel tool call ", "errored", CallCancelled},
	{"Sibling tool call errored", "", CallCancelled}, // until 2.1.3x
}

// refusalOf returns how a call ended, given the text of its result, which is an error. ok means that the call was not
// allowed to run, or to end.
func refusalOf(text string) (state State, ok bool) {
	text = strings.TrimPrefix(text, "<tool_use_error>")
	for _, r := range callRefusals {
		if rest, begins := strings.CutPrefix(text, r.begin); begins && strings.Contains(rest, r.within) {
			return r.state, true
		}
	}
	line, _, _ := strings.Cut(text, "\n")
	return CallDenied, isOutside(line) || isUndecided(line)
}

// isOutside reports whether a command was not allowed to run because it names a folder outside the project: "ls in '/w'
// was blocked. For security, …".
func isOutside(line string) bool {
	command, _, ok := strings.Cut(line, "' was blocked. For security, Claude Code ")
	return ok && strings.Contains(command, " '")
}

// isUndecided reports whether a call was not allowed to run because the model of auto mode did not answer:
// "claude-sonnet-5 is temporarily unavailable, so auto mode cannot determine the safety of Bash right now."
func isUndecided(line string) bool {
	_, why, ok := strings.Cut(line, " is temporarily unavailable")
	return ok && strings.Contains(why, ", so auto mode cannot determine the safety of ")
}
