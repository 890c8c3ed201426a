package insights

import (
	"bytes"

	"viewer/internal/outcome"
	"viewer/internal/tools"
	"viewer/normalize"
)

// Ways in which a failed command succeeded later.
const (
	MendedByChange = "after a change of files"
	MendedByRetry  = "by the same command again"
	MendedByWords  = "by other words of the command"
	NeverMended    = "not again"
	maxCallsBefore = 40 // the number of calls within which a command has to succeed
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
		command, ok := tools.CommandOf(g.Call.Name, g.Call.Block.Input)
		name := ""
		if ok {
			name = outcome.CommandName(command)
		}
		if name == "" {
			continue
		}
		l.add(callRow(Command, name, g))
		switch p := open[name]; {
		case p != nil && n-p.at > maxCallsBefore:
			settle(name, NeverMended)
		case p != nil && g.State == normalize.Done:
			how := MendedByWords
			if p.changed {
				how = MendedByChange
			} else if bytes.Equal(p.call.Call.Block.Input, g.Call.Block.Input) {
				how = MendedByRetry
			}
			settle(name, how)
		}
		if g.State == normalize.Failed && open[name] == nil {
			open[name] = &pendingFailure{call: g, at: n}
		}
	}
	for name := range open {
		settle(name, NeverMended)
	}
}
