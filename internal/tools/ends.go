package tools

import (
	"maps"

	"viewer/internal/fields"
	"viewer/internal/words"
	"viewer/normalize"
)

// Ends has the exit codes of commands that ran on after the results of their calls, by these calls, or Stopped. The log
// has them in a later call or in a report of the program.
type Ends map[*normalize.Group]string

// Stopped is the end of a command, an agent or a workflow that a call or a person stopped.
const Stopped = "stopped"

// EndsOf returns the ends in a conversation and all inside it.
func EndsOf(c *normalize.Conversation) Ends {
	ends := make(Ends)
	for inner := range c.All() {
		maps.Copy(ends, ShellsOf(inner, nil).exits)
	}
	return ends
}

// runsOn notes that a command ran on after the result of its call, and how it ended.
func (c *Call) runsOn(how string) {
	c.Background = true
	exit := c.context.Ends[c.group]
	if exit == Stopped {
		c.mark(Stopped, Neutral)
		return
	}
	c.mark(how, Neutral)
	c.exit(fields.Text(exit))
	if exit != "0" {
		c.Exit = words.Line(exit, 20)
	}
}
