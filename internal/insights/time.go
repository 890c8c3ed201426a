package insights

import (
	"iter"
	"strconv"
	"time"

	"viewer/internal/stats"
	"viewer/internal/tools"
	"viewer/internal/transcript"
	"viewer/normalize"
)

// The kinds of time of a session.
const (
	OnModel  = "the model"
	OnTools  = "tools"
	OnPerson = "waiting for a person"
	OnHooks  = "hooks"
	OnPauses = "pauses"
)

// time splits the time of a session. The time before a message was spent by its author.
func (l *collector) time(c *normalize.Conversation) {
	asks := make(map[*normalize.Message]bool) // results that a person gave
	for own := range ownPaths(c) {
		for g := range own.Groups() {
			asks[g.Result] = tools.AnsweredByPerson(g)
		}
	}
	spent := make(map[string]time.Duration)
	days := make(map[string]time.Duration)
	for _, gap := range stats.Gaps(c) {
		on := spentOn(gap.Message)
		if gap.Waited || asks[gap.Message] {
			on = OnPerson
		}
		hook := min(gap.Length, ran(gap.Message))
		spent[OnHooks] += hook
		d := gap.Length - hook
		if d >= stats.Pause && on != OnPerson {
			on = OnPauses
		}
		spent[on] += d
		if gap.AtWork() {
			days[gap.Message.Time().UTC().Format(time.DateOnly)] += gap.Length
		}
	}
	for on, d := range spent {
		if d > 0 {
			l.add(Row{Kind: TimeSpent, Name: on, Count: 1, Time: d})
		}
	}
	for day, d := range days {
		l.add(Row{Kind: Activity, Name: day, Time: d})
	}
}

// spentOn returns on what the time before a message was spent, unless it was spent waiting for a person.
func spentOn(m *normalize.Message) string {
	if m.Kind == normalize.Result || m.Kind == normalize.Progress {
		return OnTools
	}
	return OnModel
}

// ran returns how long a hook, or those of a summary, ran according to the log.
func ran(m *normalize.Message) (sum time.Duration) {
	switch {
	case m.Kind == normalize.Hook && m.Record.Attachment != nil:
		return hookRow("", m.Record.Attachment.Raw).Time
	case m.Kind == normalize.System && m.Name == "stop_hook_summary":
		for info := range transcript.Elements(transcript.Field(m.Record.Raw, "hookInfos")) {
			sum += hookRow("", info).Time
		}
	}
	return sum
}

// people counts prompts by the hour, interruptions, and prompts that correct something.
func (l *collector) people(c *normalize.Conversation) {
	var counted *transcript.Record // the parts of a prompt count once
	for _, m := range c.Order {
		if m.Kind == normalize.Prompt && m.Rule == "" && m.Record != counted {
			if counted = m.Record; !m.Time().IsZero() {
				l.add(Row{Kind: Hour, Name: m.Time().UTC().Format("15"), Count: 1, Place: m.Anchor})
			}
		}
	}
	for own := range ownPaths(c) {
		l.corrections(own)
	}
}

func (l *collector) corrections(c *normalize.Conversation) {
	corrects := false
	for _, t := range c.Turns {
		if t.Asked() {
			if corrects {
				l.add(Row{Kind: Correction, Name: "prompts", Count: 1, Place: t.Head().Anchor})
			}
			corrects = false
		}
		for _, item := range t.Items {
			switch it := item.(type) {
			case *normalize.Message:
				if it.Status == normalize.Interrupted || it.Status == normalize.InterruptedCall {
					l.add(Row{Kind: Interruption, Name: "by a person", Count: 1, Place: it.Anchor})
					corrects = true
				}
			case *normalize.Group:
				corrects = corrects || it.State == normalize.CallDeclined
			}
		}
	}
}

// ownPaths yields a conversation and the attempts in it that were taken back, but no agents.
func ownPaths(c *normalize.Conversation) iter.Seq[*normalize.Conversation] {
	return func(yield func(*normalize.Conversation) bool) { yieldPaths(c, yield) }
}

func yieldPaths(c *normalize.Conversation, yield func(*normalize.Conversation) bool) bool {
	if !yield(c) {
		return false
	}
	for b := range c.Branches() {
		if !yieldPaths(b.Conversation, yield) {
			return false
		}
	}
	return true
}

// fullness has the limits by which sessions are grouped by the peak of their context.
var fullness = []struct {
	below int64
	name  string
}{
	{25_000, "below 25k"}, {50_000, "25k to 50k"}, {100_000, "50k to 100k"}, {150_000, "100k to 150k"},
	{200_000, "150k to 200k"}, {500_000, "200k to 500k"}, {1 << 62, "500k and more"},
}

// Fullness returns the rank of a group of sessions by the peak of their context.
func Fullness(name string) int {
	for i, f := range fullness {
		if f.name == name {
			return i
		}
	}
	return len(fullness)
}

// contextSteps are the requests at which the size of the context is noted.
var contextSteps = []int{1, 10, 20, 50, 100, 200, 500, 1000}

// context counts the session by the peak of its context, and by how much its requests enlarged it.
func (l *collector) context(c *normalize.Conversation) {
	sizes := stats.ContextSizes(c)
	for _, n := range contextSteps {
		if n <= len(sizes) {
			l.add(Row{Kind: ContextAt, Name: strconv.Itoa(n), Count: 1, Tokens: sizes[n-1].Context})
		}
	}
	largest := int64(0)
	for own := range ownPaths(c) {
		sizes := stats.ContextSizes(own)
		for i := range sizes {
			if largest = max(largest, sizes[i].Context); i > 0 {
				more := max(0, sizes[i].Context-sizes[i-1].Context)
				l.add(Row{Kind: ContextAdded, Name: "a request", Count: 1, Tokens: more})
			}
		}
	}
	if largest == 0 {
		return
	}
	r := Row{Kind: Context, Count: 1}
	for _, f := range fullness {
		if largest < f.below {
			r.Name = f.name
			break
		}
	}
	l.add(r)
}
