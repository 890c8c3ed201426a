package report

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"viewer/internal/export"
	"viewer/internal/words"
)

// A Condition is a reason to fail a job.
type Condition struct {
	name  string
	limit float64 // for cost and turns
}

// errCondition is the error for an unknown condition. It lists all conditions.
var errCondition = errors.New("is invalid: use error, denied, secret, problem, cost=5.00 or turns=50")

// ParseConditions reads a list like "error,cost=5.00".
func ParseConditions(list string) ([]Condition, error) {
	var all []Condition
	for part := range strings.SplitSeq(list, ",") {
		part = strings.TrimSpace(part)
		if part == "" {
			continue
		}
		name, value, limited := strings.Cut(part, "=")
		c := Condition{name: name}
		switch name {
		case "cost", "turns":
			limit, err := strconv.ParseFloat(strings.TrimPrefix(value, "$"), 64)
			if !limited || err != nil || !(limit >= 0) || math.IsInf(limit, 1) { // no limit at all
				return nil, fmt.Errorf("%q %w", part, errCondition)
			}
			c.limit = limit
		case "error", "denied", "secret", "problem":
			if limited {
				return nil, fmt.Errorf("%q %w", part, errCondition)
			}
		default:
			return nil, fmt.Errorf("%q %w", part, errCondition)
		}
		all = append(all, c)
	}
	return all, nil
}

// Asks reports whether one of the conditions has this name.
func Asks(conditions []Condition, name string) bool {
	return slices.ContainsFunc(conditions, func(c Condition) bool { return c.name == name })
}

// Judge finds the conditions that fail a job. A file without a run fails every job, even one without conditions.
func (f *Facts) Judge(conditions []Condition) {
	f.Failures = append(f.noRun(), f.violations(conditions)...)
}

// violations describes the conditions that are met, in a few words each.
func (f Facts) violations(conditions []Condition) []string {
	var words []string
	for _, c := range conditions {
		if w := c.violation(f); w != "" {
			words = append(words, w)
		}
	}
	return words
}

// unpriced names the models whose cost is unknown, the first of many.
func (f Facts) unpriced() string {
	const most = 5
	var names []string
	for _, name := range f.Unpriced[:min(len(f.Unpriced), most)] {
		names = append(names, export.ModelWords(name))
	}
	if n := len(f.Unpriced) - most; n > 0 {
		return strings.Join(names, ", ") + " and " + words.Count(n) + " more"
	}
	return strings.Join(names, ", ")
}

// Cost returns the cost of the runs in words, and names what is not included.
func (f Facts) Cost() string {
	var parts []string
	if f.CostUSD > 0 {
		parts = append(parts, words.Dollars(f.CostUSD))
	}
	if len(f.Unpriced) > 0 {
		parts = append(parts, "cost of "+f.unpriced()+" unknown")
	}
	return strings.Join(parts, ", ")
}

// noRun names files without a run: "no run in run.jsonl: the file is empty".
func (f Facts) noRun() []string {
	all := []string{}
	for _, m := range f.Missing {
		all = append(all, m.String())
	}
	if len(all) == 0 && f.Outcome == None {
		all = append(all, "no run to report")
	}
	return all
}

// violation describes how a run meets the condition, "" if it does not.
func (c Condition) violation(f Facts) string {
	switch c.name {
	case "error":
		return f.bad
	case "denied":
		if f.denied > 0 {
			return words.Plural(f.denied, "call was denied", "calls were denied")
		}
	case "secret":
		n := 0
		for _, k := range f.Secrets {
			n += k
		}
		if n > 0 {
			return words.Plural(n, "secret was redacted", "secrets were redacted") + " (" +
				strings.Join(sortedKinds(f.Secrets), ", ") + ")"
		}
	case "problem":
		if f.problems > 0 {
			return "the data has " + words.Plural(f.problems, "problem", "problems")
		}
	case "cost":
		if f.CostUSD > c.limit {
			return "cost " + words.Dollars(f.CostUSD) + ", more than " + words.Dollars(c.limit)
		}
		if len(f.Unpriced) > 0 {
			return "cost of " + f.unpriced() + " unknown, which is not below " + words.Dollars(c.limit)
		}
	case "turns":
		if float64(f.Turns) > c.limit {
			return words.Plural(f.Turns, "turn", "turns") + ", more than " + strconv.FormatFloat(c.limit, 'f', -1, 64)
		}
	}
	return ""
}

// words returns how a run ended: "run failed: the limit of turns was reached".
func (r Run) words() string {
	w := outcomeWords[r.Outcome].words
	if r.Reason != "" {
		w += ": " + r.Reason
	}
	return w
}

// successSign marks a success.
const successSign = "✅"

var outcomeWords = map[Outcome]struct{ sign, words string }{
	Success:     {successSign, "run succeeded"},
	Finished:    {successSign, "run finished"},
	Interrupted: {"⏹️", "run was interrupted"},
	Unfinished:  {"⏳", "run did not finish"},
	None:        {"❌", "no run"},
	Failed:      {"❌", "run failed"},
}
