package insights

import (
	"time"

	"viewer/internal/permissions"
	"viewer/internal/stats"
	"viewer/internal/tools"
	"viewer/normalize"
)

// failed reports whether a call counts as failed in the totals of a session.
func failed(g *normalize.Group) bool {
	return g.State == normalize.Failed || g.State == normalize.Blocked
}

// callRow returns a row for one call.
func callRow(kind Kind, name string, g *normalize.Group) Row {
	r := Row{Kind: kind, Name: name, Count: 1, Place: g.Call.Anchor}
	if failed(g) {
		r.Failed = 1
	}
	if start, end, ok := stats.CallTime(g); ok {
		r.Time = end.Sub(start)
	}
	return r
}

var uses = map[tools.Use]Kind{tools.UseSkill: Skill, tools.UseAgent: Agent, tools.UseServer: Server}

// calls counts the calls of a conversation by tool, by what they use, and by day.
func (l *collector) calls(c *normalize.Conversation) {
	for g := range c.Groups() {
		if g.Call == nil {
			continue
		}
		name := tools.NameOf(g)
		row := callRow(Tool, name, g)
		l.add(row)
		if by, stopped := permissions.DeciderOf(g); stopped {
			l.add(Row{Kind: Denied, Name: name, Detail: by.String(), Count: 1, Place: g.Call.Anchor})
		}
		if use, name := tools.UseOf(g); use != tools.NoUse {
			l.add(callRow(uses[use], name, g))
		}
		day := "" // a call without a time counts too, so that days add up to all calls
		if at := g.Call.Time(); !at.IsZero() {
			day = at.UTC().Format(time.DateOnly)
		}
		l.add(Row{Kind: Activity, Name: day, Count: 1, Failed: row.Failed})
	}
}
