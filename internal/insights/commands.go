package insights

import (
	"bytes"

	"viewer/internal/shell"
	"viewer/internal/tools"
	"viewer/normalize"
)

// Ways in which a failed command succeeded later.
const (
	MendedByChange = "after a change of files"
	MendedByRetry  = "by the same command again"
	MendedByWords  = "by other words of the command"
	NeverMended    = "not within 40 calls"
	maxCallsBefore = 40 // the number of calls within which a command has to succeed, as in NeverMended
)

// A pendingFailure is a command that failed and has not succeeded since.
type pendingFailure struct {
	call    *normalize.Group
	at      int  // which call it is
	changed bool // a call has changed a file since
}

// commands counts commands of shells, by the command that decides the exit code, and how failed ones succeeded later.
func (l *collector) commands(c *normalize.Conversation) {
	open := make(map[string]*pendingFailure)
	settle := func(name, how string) {
		l.add(Row{Kind: Mended, Name: name, Detail: how, Count: 1, Place: open[name].call.Call.Anchor})
		delete(open, name)
	}
	shells := tools.ShellsOf(c, nil)
	n := 0
	for g := range c.Groups() {
		if g.Call == nil {
			continue
		}
		n++
		if changesFiles(g) {
			for _, p := range open {
				p.changed = true
			}
		}
		sh := shells.Of(g)
		if sh.Script { // its end is not that of its commands
			for _, given := range sh.Commands {
				if name := shell.Name(given.Text); name != "" {
					l.add(Row{Kind: Command, Name: name, Count: 1, Place: g.Call.Anchor})
				}
			}
			continue
		}
		name := shell.Name(sh.Text())
		if name == "" {
			continue
		}
		row := Row{Kind: Command, Name: name, Count: 1, Time: sh.Took(), Place: g.Call.Anchor}
		state := sh.State()
		if state == normalize.Failed || state == normalize.Blocked {
			row.Failed = 1
		}
		l.add(row)
		switch p := open[name]; {
		case p != nil && n-p.at > maxCallsBefore:
			settle(name, NeverMended)
		case p != nil && state == normalize.Done && !sh.Unclear():
			how := MendedByWords
			if p.changed {
				how = MendedByChange
			} else if bytes.Equal(p.call.Call.Block.Input, g.Call.Block.Input) {
				how = MendedByRetry
			}
			settle(name, how)
		}
		if state == normalize.Failed && open[name] == nil {
			open[name] = &pendingFailure{call: g, at: n}
		}
	}
	for name := range open {
		settle(name, NeverMended)
	}
}
