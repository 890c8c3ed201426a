package strip

import (
	"slices"
	"time"

	"viewer/internal/stats"
	"viewer/internal/transcript"
	"viewer/normalize"
)

// An event is a request, a call or a compaction for the strip.
type event struct {
	from, to time.Time
	context  int64 // of a request
	group    *normalize.Group
	cut      bool
	prompt   int    // 0 in the turn of a command
	command  string // that started its turn
	anchor   string
	step     int // of the record, where the log has no times

	left, right int // position on the axis
}

// An Arena is reusable memory for drawing strips, which are drawn again for each record of a growing session.
type Arena struct {
	events []event
	times  []interval
	axis   axisArena
}

// release drops references to the session.
func (a *Arena) release() { clear(a.events) }

// eventsOf lists the events of a conversation, in the order of the file. If the log has no times, each record takes
// a second, and timed is false.
func eventsOf(
	c *normalize.Conversation, pages map[string]string, arena []event,
) (all []event, timed bool) {
	all = arena
	var clock time.Time
	number, place, step := 0, "", 0 // the last prompt, the last place on a page, the number of records
	for _, t := range c.Turns {
		if number += t.Skipped; t.Asked() {
			number++
		}
		prompt, command := number, t.Command()
		if command != "" {
			prompt = 0
		}
		requests, items := t.Requests, t.Items // those still to come, in the order of the file
		var last *transcript.Record
		for _, m := range t.Messages {
			if m.Record != last && len(requests) > 0 && requests[0].First == last {
				requests = requests[1:] // it has no place
			}
			last = m.Record
			at := m.Time()
			if at.IsZero() {
				at = clock
			}
			if pages[m.Anchor] != "" {
				place = m.Anchor
			}
			if m.Part == 0 {
				step++
			}
			h := event{from: at, to: at, prompt: prompt, command: command, anchor: place, step: step}
			if len(requests) > 0 && requests[0].First == m.Record && place != "" {
				if h.context = stats.Context(requests[0]); h.context > 0 {
					all = append(all, h)
					clock, h.context = h.from, 0
				}
				requests = requests[1:]
			}
			var g *normalize.Group
			if items, g = callAt(items, m); g != nil {
				h.group = g
				if start, end, ok := stats.CallTime(g); ok {
					h.from, h.to = start, end
				}
				all = append(all, h)
			} else if m.Kind == normalize.System && m.Name == "compact_boundary" && m.Rule == "" {
				h.cut = true
				all = append(all, h)
			} else {
				continue
			}
			clock = h.from
		}
	}
	return all, withTimes(all)
}

// withTimes gives the events before the first time that time, and reports whether there is one. Without one, each
// event gets the second of its record.
func withTimes(all []event) bool {
	first := slices.IndexFunc(all, func(h event) bool { return !h.from.IsZero() })
	for i := range all {
		switch h := &all[i]; {
		case first < 0:
			h.from = time.Unix(int64(h.step), 0)
			h.to = h.from
		case i < first:
			h.from, h.to = all[first].from, all[first].from
		default:
			return true
		}
	}
	return first >= 0
}

// callAt returns the call of a message, nil for none, and the items after it.
func callAt(items []normalize.Item, m *normalize.Message) ([]normalize.Item, *normalize.Group) {
	if m.Kind != normalize.Call || m.Rule != "" {
		return items, nil
	}
	for i, item := range items {
		if g, ok := item.(*normalize.Group); ok && g.Call == m {
			return items[i+1:], g
		}
	}
	return items, nil
}

// callLook returns the look of a call in the strip.
func callLook(g *normalize.Group) string {
	switch g.State {
	case normalize.Failed, normalize.Blocked:
		return "bad"
	case normalize.CallDeclined, normalize.CallDenied, normalize.Stopped, normalize.Missing,
		normalize.CallCancelled:
		return "warn"
	}
	if len(g.Agents) > 0 {
		return "agent"
	}
	return "ok"
}
