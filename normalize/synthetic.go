package normalize

import "strings"

// A StatusKind is what a synthetic text stands for.
type StatusKind uint8

const (
	NoStatus        StatusKind = iota
	Interrupted                // the user stopped the turn
	InterruptedCall            // the user stopped a call
	Cancelled                  // the user does not want the action now
	Declined                   // the user declined the call
	Denied                     // a rule or the lack of a permission denied the call
	NoResponse                 // filler: no response was requested
	MissingResult              // filler: the result was lost
)

// synthetics are the texts that the program writes as if somebody had said
// them (reference 002, section 8.11; reference 003, sections 5.2 and 5.3;
// format, section 7). A text counts when it starts with one of them.
var synthetics = []struct {
	prefix string
	status StatusKind
}{
	{"[Request interrupted by user for tool use]", InterruptedCall},
	{"[Request interrupted by user", Interrupted},
	{"The user doesn't want to take this action right now.", Cancelled},
	{"The user doesn't want to proceed with this tool use.", Declined},
	{"Permission for this tool use was denied.", Denied},
	{"Claude requested permissions to ", Denied},
	{"Permission to use ", Denied},
	{"[Tool result missing due to internal error]", MissingResult},
	{"No response requested.", NoResponse},
}

// statusOf recognises a synthetic text.
func statusOf(text string) StatusKind {
	if text == "" || strings.IndexByte("[TPCN", text[0]) < 0 {
		return NoStatus
	}
	for _, s := range synthetics {
		if strings.HasPrefix(text, s.prefix) {
			return s.status
		}
	}
	return NoStatus
}
