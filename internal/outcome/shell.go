package outcome

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/tools"
	"viewer/internal/transcript"
	"viewer/normalize"
)

// A shell is a call that ran commands in a shell. Later calls may have waited for their end.
type shell struct {
	command    string // "" if the call ran none
	script     bool   // the commands are from a script: how it ended says nothing about them
	start, end *normalize.Group
	all        *shellCalls
}

// shellCalls are the calls of shells of a conversation.
type shellCalls struct {
	spilled map[string][]byte
	later   map[*normalize.Group][]*normalize.Group // the calls that waited for commands that kept running
}

func shellsOf(c *normalize.Conversation, spilled map[string][]byte) *shellCalls {
	all := &shellCalls{spilled, make(map[*normalize.Group][]*normalize.Group)}
	open := make(map[string]*normalize.Group) // by the id of the command
	for g := range c.Groups() {
		if g.Call == nil || g.Result == nil {
			continue
		}
		start := g
		if id := tools.Continued(g.Call.Name, g.Call.Block.Input); open[id] != nil {
			start = open[id]
			all.later[start] = append(all.later[start], g)
		}
		if id := tools.Running(g.Result.Structured()); id != "" {
			open[id] = start
		}
	}
	return all
}

// of returns what a call ran.
func (all *shellCalls) of(g *normalize.Group) shell {
	s := shell{start: g, end: g, all: all}
	if g.Call == nil {
		return s
	}
	if later := all.later[g]; len(later) > 0 {
		s.end = later[len(later)-1]
	}
	if command, ok := tools.CommandOf(g.Call.Name, g.Call.Block.Input); ok {
		s.command = command
		return s
	}
	s.command, s.script = strings.Join(tools.ScriptOf(g.Call.Name, g.Call.Block.Input), "\n"), true
	return s
}

// runs reports whether the log does not have the end of the commands.
func (s shell) runs() bool {
	if s.end.Result == nil {
		return false
	}
	result := s.end.Result.Structured()
	return hasMember(result, "backgroundTaskId") || tools.Running(result) != ""
}

// output returns what the commands printed.
func (s shell) output() string {
	later := s.all.later[s.start]
	if len(later) == 0 {
		return s.all.output(s.start)
	}
	var b strings.Builder
	b.WriteString(s.all.output(s.start))
	for _, g := range later {
		b.WriteString(s.all.output(g))
	}
	return b.String()
}

// output returns what a single call printed.
func (all *shellCalls) output(g *normalize.Group) string {
	if whole, ok := all.spilled[normalize.SpilledOutput(g)]; ok {
		return string(whole)
	}
	if g.Result == nil {
		return ""
	}
	var b strings.Builder
	for i := range g.Result.Block.Content {
		b.WriteString(g.Result.Block.Content[i].Text)
		b.WriteByte('\n')
	}
	output, _ := normalize.ResultText(b.String())
	return output
}

// hasMember reports whether an object has a member that is not null.
func hasMember(v jsontext.Value, name string) bool {
	kind := transcript.Kind(transcript.Field(v, name))
	return kind != 0 && kind != 'n'
}
