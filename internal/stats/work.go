package stats

import (
	"slices"
	"time"

	"viewer/normalize"
)

// Pause is the shortest time without a record that does not count as work.
const Pause = 10 * time.Minute

// A Gap is the time between two records of a session and its agents.
type Gap struct {
	Message *normalize.Message // of the second record
	Length  time.Duration
	AtWork  bool // it is not a pause, and no person wrote the second record
}

// Gaps returns the gaps of a session in order.
func Gaps(c *normalize.Conversation) []Gap {
	type moment struct {
		at      time.Time
		message *normalize.Message
	}
	var moments []moment
	for inner := range c.All() {
		for _, m := range inner.Messages {
			if at := m.Time(); !at.IsZero() && m.Part == 0 && m.Rule == "" {
				moments = append(moments, moment{at, m})
			}
		}
	}
	slices.SortStableFunc(moments, func(a, b moment) int { return a.at.Compare(b.at) })
	gaps := make([]Gap, 0, max(0, len(moments)-1))
	for i := 1; i < len(moments); i++ {
		m, d := moments[i].message, moments[i].at.Sub(moments[i-1].at)
		gaps = append(gaps, Gap{m, d, d < Pause && !waitsFor(m)})
	}
	return gaps
}

// workTime returns how long a session was at work: the time between records of the session and its agents, without
// pauses, and without the time before a prompt, a command, or a record that the program writes when a person returns.
func workTime(c *normalize.Conversation) (sum time.Duration) {
	for _, gap := range Gaps(c) {
		if gap.AtWork {
			sum += gap.Length
		}
	}
	return sum
}

// waitsFor reports whether the program waited for a message of a person, or wrote it when the person was away.
func waitsFor(m *normalize.Message) bool {
	switch m.Kind {
	case normalize.Prompt:
		return !m.Queued && !m.Record.IsSidechain
	case normalize.Command, normalize.Shell:
		return true
	case normalize.System:
		return m.Name == "away_summary"
	}
	return false
}
