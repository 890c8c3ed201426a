package stats

import (
	"cmp"
	"slices"
	"time"

	"viewer/normalize"
)

// pause is the length of time without a record from which on it does not count as work.
const pause = 10 * time.Minute

// A moment is a record in time.
type moment struct {
	at    int64 // in nanoseconds since 1970
	waits bool  // the time before it was spent waiting for its author
}

// workTime returns how long a session was at work: the time between records of the session and its agents, without
// pauses, and without the time before a prompt, a command, or a record that the program writes when somebody returns.
func workTime(c *normalize.Conversation) time.Duration {
	var all []moment
	for inner := range c.All() {
		for _, m := range inner.Messages {
			if at := m.Time(); !at.IsZero() && m.Part == 0 && m.Rule == "" {
				all = append(all, moment{at.UnixNano(), waitsFor(m)})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b moment) int { return cmp.Compare(a.at, b.at) })
	var sum int64
	for i := 1; i < len(all); i++ {
		if d := all[i].at - all[i-1].at; d < int64(pause) && !all[i].waits {
			sum += d
		}
	}
	return time.Duration(sum)
}

// waitsFor reports whether the program waited for a message, or wrote it because nobody came back.
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
