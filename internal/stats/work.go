package stats

import (
	"slices"
	"time"

	"viewer/internal/transcript"
	"viewer/normalize"
)

// Pause is the shortest time without a record that does not count as work.
const Pause = 10 * time.Minute

// A Gap is the time between two records of a session and its agents.
type Gap struct {
	Message *normalize.Message // of the second record
	Length  time.Duration
	Waited  bool // for a person
}

// AtWork reports whether the time counts as work: nobody waited for a person, and it is not a pause.
func (g Gap) AtWork() bool { return !g.Waited && g.Length < Pause }

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
	gaps := make([]Gap, max(0, len(moments)-1))
	waited := false
	for i := len(gaps) - 1; i >= 0; i-- {
		m := moments[i+1].message
		waited = waitsFor(m) || waited && comesWith(m)
		gaps[i] = Gap{m, moments[i+1].at.Sub(moments[i].at), waited}
	}
	return gaps
}

// workTime returns how long a session was at work: the time between records of the session and its agents, without
// pauses, and without the time in which the program waited for a person.
func workTime(c *normalize.Conversation) (sum time.Duration) {
	for _, gap := range Gaps(c) {
		if gap.AtWork() {
			sum += gap.Length
		}
	}
	return sum
}

// waitsFor reports whether the program waited for a message of a person, or wrote it when the person was away or came
// back.
func waitsFor(m *normalize.Message) bool {
	switch m.Kind {
	case normalize.Prompt:
		return !m.Queued && !m.Record.IsSidechain
	case normalize.Command, normalize.Shell:
		return true
	case normalize.Injected:
		return len(m.Tags) > 0 && m.Tags[0].Name == "user-memory-input" // "#" of older versions
	case normalize.Status:
		return m.Status == normalize.NoResponse
	case normalize.System:
		return m.Name == "away_summary"
	case normalize.Hook:
		return m.HookEvent == "SessionStart" && hookName(m.Record) != "SessionStart:compact"
	}
	return false
}

func hookName(r *transcript.Record) string {
	if r.Attachment != nil {
		return r.Attachment.HookName
	}
	if name := transcript.Field(r.Data, "hookName"); name != nil {
		return transcript.String(name)
	}
	return transcript.String(transcript.Field(r.Raw, "hook_name"))
}

// comesWith reports whether programs write such a message together with a prompt, and some of them before it: contexts,
// settings that were changed, what a hook said of the prompt.
func comesWith(m *normalize.Message) bool {
	switch m.Kind {
	case normalize.Injected, normalize.Attachment:
		return !m.Record.IsSidechain
	case normalize.System:
		return m.Name == "settings"
	case normalize.Hook:
		return m.HookEvent == "UserPromptSubmit"
	}
	return false
}
