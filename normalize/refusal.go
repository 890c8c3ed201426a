package normalize

import "strings"

// A Decider is who or what decided on a call.
type Decider uint8

const (
	ByRule Decider = iota // a rule, or the mode
	ByPerson
	ByHook
	ByClassifier // a model that is asked about calls
	ByNobody     // nobody could be asked
)

func (d Decider) String() string {
	return [...]string{"by a rule", "by a person", "by a hook", "by a classifier", "nobody was there to ask"}[d]
}

// A Refusal is what a result says about a call that was not allowed to run, or to end.
type Refusal struct {
	State State
	By    Decider // unless State is CallCancelled
	Why   string  // the reason that was given; "" for none
}

// callRefusals has the texts of errors for calls that were not allowed to run, or to end: begin, then some words of the
// call or of a person, then within. If after is set, the reason follows it.
var callRefusals = []struct {
	begin, within string
	state         State
	by            Decider
	after         string
}{
	{"The user doesn't want to proceed with this tool use.", "", CallDeclined, ByPerson, "the user said:"},
	{"The user doesn't want to take this action right now.", "", CallDeclined, ByPerson, "the user said:"},
	{"The agent proposed a plan that was rejected by the user.", "", CallDeclined, ByPerson, ""},
	{"User chose to stay in plan mode", "", CallDeclined, ByPerson, ""},
	{"Permission for this tool use was denied.", "", CallDenied, ByRule, ""},
	{"Permission for this action has been denied. Reason: ", "", CallDenied, ByClassifier, "Reason: "},
	{
		"Permission for this action was denied by the Claude Code auto mode classifier", "",
		CallDenied, ByClassifier, "Reason: ",
	},
	{"The server-side auto mode classifier gave no verdict", "", CallDenied, ByClassifier, ""},
	{"Permission to use ", " has been denied", CallDenied, ByRule, ""},
	{"Permission to use ", " has been auto-denied (prompts unavailable)", CallDenied, ByNobody, ""},
	{"Permission to use ", " has been auto-denied", CallDenied, ByRule, ""},
	{"Claude requested permissions to ", ", but you haven't granted it yet.", CallDenied, ByNobody, ""},
	{"This command requires approval", "", CallDenied, ByNobody, ""},
	{
		"This Bash command contains multiple operations. The following part", " approval:",
		CallDenied, ByNobody, "",
	},
	{"PreToolUse:", " hook error: ", Blocked, ByHook, " hook error: "},
	{"Cancelled: parallel tool call ", "errored", CallCancelled, ByRule, ""},
	{"Sibling tool call errored", "", CallCancelled, ByRule, ""}, // until 2.1.3x
}

// RefusalOf reads the text of a result that is an error. ok means that the call was not allowed to run, or to end.
func RefusalOf(text string) (refused Refusal, ok bool) {
	text = strings.TrimPrefix(text, "<tool_use_error>")
	for _, r := range callRefusals {
		if rest, begins := strings.CutPrefix(text, r.begin); begins && strings.Contains(rest, r.within) {
			refused = Refusal{State: r.state, By: r.by}
			if r.after != "" {
				_, refused.Why, _ = strings.Cut(text, r.after)
			}
			if strings.HasPrefix(strings.TrimSpace(refused.Why), clarifies) {
				refused.Why = ""
			}
			return refused, true
		}
	}
	line, _, _ := strings.Cut(text, "\n")
	if isUndecided(line) {
		return Refusal{State: CallDenied, By: ByClassifier}, true
	}
	return Refusal{State: CallDenied, By: ByRule}, isOutside(line)
}

// clarifies begins what the program says for a person who wants to talk about questions instead of answering them.
const clarifies = "The user wants to clarify these questions."

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
