package export

import (
	"time"

	"viewer/internal/outcome"
	"viewer/internal/stats"
	"viewer/internal/words"
	"viewer/normalize"
)

// A Session is what the functions of this package write.
type Session struct {
	Conversation *normalize.Conversation
	Project      string // name of the project, "" for none
	Totals       stats.Totals
	Spilled      map[string][]byte // long outputs in files next to the session, by file name

	// CostOf returns the cost of a request; nil if costs are not wanted.
	CostOf func(*normalize.Request) stats.Cost

	// Redact redacts a text that was assembled from redacted ones; nil if nothing is redacted.
	Redact func(string) string
}

// Title returns the title on one line, never empty.
func (s Session) Title() string { return outcome.Title(s.Conversation) }

// facts returns what is written below the title: project, branch, time, counts.
func (s Session) facts() []string {
	f := &s.Conversation.Facts
	var all []string
	add := func(text string) {
		if text != "" {
			all = append(all, text)
		}
	}
	add(words.OneLine(s.Project))
	if n := len(f.Branches); n > 0 {
		add(words.Line(f.Branches[n-1], 60))
	}
	add(span(f.Start, f.End))
	for _, m := range stats.ModelNames(s.Conversation, s.Totals) {
		add(words.Line(m, 60))
	}
	t := s.Totals
	add(words.Plural(t.Prompts, "prompt", "prompts"))
	calls := words.Plural(t.Tools, "tool call", "tool calls")
	if t.Failed > 0 {
		calls += " (" + words.Count(t.Failed) + " failed)"
	}
	if t.Tools > 0 {
		add(calls)
	}
	if t.Agents > 0 {
		add(words.Plural(t.Agents, "agent", "agents"))
	}
	switch {
	case t.Usage.Context() > 0:
		tokens := TokensOf(t.Usage)
		add(words.Short(tokens.In()) + " tokens in" + tokens.FromCache() + ", " + words.Short(tokens.Output) + " out")
	case t.Tokens() > 0: // the log does not tell input tokens
		add(words.Short(t.Usage.Output) + " tokens out")
	}
	add(costText(t.Cost))
	return all
}

// costText returns the cost of a session: "$2.14", "$2.14 (list price)", or "".
func costText(c stats.Cost) string {
	switch {
	case c.Total() == 0:
		return ""
	case c.List > 0:
		return words.Dollars(c.Total().Dollars()) + " (list price)"
	}
	return words.Dollars(c.Total().Dollars())
}

func span(start, end time.Time) string {
	if start.IsZero() {
		return ""
	}
	s := start.UTC().Format("2006-01-02 15:04")
	switch {
	case end.Sub(start) < time.Minute:
	case end.UTC().Format(time.DateOnly) == start.UTC().Format(time.DateOnly):
		s += " to " + end.UTC().Format("15:04")
	default:
		s += " to " + end.UTC().Format("2006-01-02 15:04")
	}
	return s + " UTC"
}

func clock(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format("15:04:05")
}

// stateWords say how a call ended if it did not simply succeed.
var stateWords = map[normalize.State]string{
	normalize.Failed:        "failed",
	normalize.Blocked:       "blocked by a hook",
	normalize.CallDeclined:  "declined by the user",
	normalize.CallDenied:    "permission denied",
	normalize.Stopped:       "interrupted",
	normalize.Pending:       "no result yet",
	normalize.Missing:       "no result",
	normalize.Unlogged:      "result not in the log",
	normalize.CallCancelled: "cancelled, as a parallel call failed",
	normalize.Orphan:        "its call is not in the log",
}
