package compare

import "viewer/internal/report"

// A Tone says how good a result is.
type Tone uint8

const (
	Neutral Tone = iota
	Good
	Doubtful
	Bad
)

// A Result says in a word how a run came out.
type Result struct {
	Word   string
	Tone   Tone
	Reason string // more about it, "" when the word says all
}

var results = map[report.Outcome]Result{
	report.Success: {Word: "succeeded", Tone: Good}, report.Finished: {Word: "finished"},
	report.Interrupted: {Word: "interrupted", Tone: Doubtful}, report.Unfinished: {Word: "unfinished", Tone: Doubtful},
	report.Failed: {Word: "failed", Tone: Bad}, report.None: {Word: "nothing done", Tone: Doubtful},
}

// Result is how the run came out.
func (r *Run) Result() Result {
	v := results[r.Outcome]
	v.Reason = r.Reason
	return v
}
