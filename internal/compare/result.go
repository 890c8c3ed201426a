package compare

import (
	"cmp"
	"slices"
	"strings"

	"viewer/internal/report"
	"viewer/internal/words"
)

// A Tone is how good a result is.
type Tone uint8

const (
	Neutral Tone = iota
	Good
	Doubtful
	Bad
)

// A Result is how a run ended, in a word.
type Result struct {
	Word   string
	Tone   Tone
	Reason string // "" if the word says it all
}

var results = map[report.Outcome]Result{
	report.Success: {Word: "succeeded", Tone: Good}, report.Finished: {Word: "finished"},
	report.Interrupted: {Word: "interrupted", Tone: Doubtful}, report.Unfinished: {Word: "unfinished", Tone: Doubtful},
	report.Failed: {Word: "failed", Tone: Bad}, report.None: {Word: "nothing done", Tone: Doubtful},
}

// Result returns how the run ended, according to a file of verdicts, otherwise to its log.
func (r *Run) Result() Result {
	if r.Verdict != nil {
		return r.Verdict.Result
	}
	v := results[r.Outcome]
	v.Reason = r.Reason
	return v
}

// Count counts the results of runs: "31 passed, 8 failed".
func Count(runs []*Run) string {
	counts := make(map[string]int)
	tones := make(map[string]Tone)
	var order []string
	for _, r := range runs {
		v := r.Result()
		if counts[v.Word] == 0 {
			order, tones[v.Word] = append(order, v.Word), v.Tone
		}
		counts[v.Word]++
	}
	rank := map[Tone]int{Good: 0, Neutral: 1, Doubtful: 2, Bad: 3}
	slices.SortFunc(order, func(a, b string) int {
		return cmp.Or(rank[tones[a]]-rank[tones[b]], counts[b]-counts[a], strings.Compare(a, b))
	})
	for i, word := range order {
		order[i] = words.Count(counts[word]) + " " + word
	}
	return strings.Join(order, ", ")
}
