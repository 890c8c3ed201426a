package tools

import (
	"maps"

	"viewer/internal/fields"
	"viewer/internal/transcript"
	"viewer/normalize"
)

// Ends has the exit codes of commands that ran on after the results of their calls, by these calls. The log has them in
// a later call or in a report of the program.
type Ends map[*normalize.Group]string

// EndsOf returns the ends in a conversation and all inside it.
func EndsOf(c *normalize.Conversation) Ends {
	ends := make(Ends)
	for inner := range c.All() {
		all := ShellsOf(inner, nil)
		maps.Copy(ends, all.exits)
		for start, later := range all.later {
			last := later[len(later)-1].Result.Structured()
			if exit := transcript.TextOf(transcript.Field(last, "exitCode")); exit != "" {
				ends[start] = exit
			}
		}
	}
	return ends
}

// runsOn notes that a command ran on after the result of its call, and how it ended.
func (c *Call) runsOn(words string) {
	c.Background = true
	c.mark(words, Neutral)
	exit := c.context.Ends[c.group]
	c.exit(fields.Text(exit))
	if exit != "0" {
		c.Exit = exit
	}
}
