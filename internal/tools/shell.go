package tools

import (
	"bytes"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/stats"
	"viewer/internal/transcript"
	"viewer/normalize"
)

// A Given is a command that a call gives to a shell.
type Given struct {
	Text        string
	Folder      string // that it runs in, as in the log; "" for the usual one
	Unconfined  bool   // it asks to run outside of the sandbox
	Explanation string // why, in the words of the model; "" for none
}

// A Shell is a call that ran commands in shells. Later calls may have waited for their end.
type Shell struct {
	Commands   []Given // nil if the call ran none
	Script     bool    // the commands are from a script: how it ended says nothing about them
	Start, End *normalize.Group
	all        *Shells
}

// Shells are the calls of a conversation that ran commands. Everything that reads commands asks them, so that no reader
// leaves out the commands of scripts, or takes the start of a command for its end.
type Shells struct {
	spilled func(file string) ([]byte, bool)
	later   map[*normalize.Group][]*normalize.Group // the calls that waited for commands that kept running
	apart   map[*normalize.Group][]string           // commands of scripts that the log also has as calls of their own
	exits   Ends                                    // of commands that ran on after their calls
}

// ShellsOf returns the calls of a conversation, without those of its agents. spilled returns long outputs in files
// beside the session; it may be nil.
func ShellsOf(c *normalize.Conversation, spilled func(file string) ([]byte, bool)) *Shells {
	all := &Shells{spilled: spilled, exits: backgroundEnds(c)}
	open := make(map[string]*normalize.Group) // by the id of the command
	var script *normalize.Group               // the last one
	for g := range c.Groups() {
		if g.Call == nil {
			continue
		}
		t := toolOf(g.Call.Name, g.Call.Block.Input)
		if t == nil || t.Action != Run && t.Continue == "" {
			continue
		}
		if t.Script != nil {
			script = g
		} else if script != nil {
			if command := CommandsOf(g); command != "" {
				if all.apart == nil {
					all.apart = make(map[*normalize.Group][]string)
				}
				all.apart[script] = append(all.apart[script], command)
			}
		}
		if g.Result == nil {
			continue
		}
		start := g
		if t.Continue != "" {
			if s := open[transcript.TextOf(transcript.Field(g.Call.Block.Input, t.Continue))]; s != nil {
				start = s
				if all.later == nil {
					all.later = make(map[*normalize.Group][]*normalize.Group)
				}
				all.later[start] = append(all.later[start], g)
				if exit := transcript.TextOf(transcript.Field(g.Result.Structured(), "exitCode")); exit != "" {
					all.exits[start] = exit
				}
			}
		}
		if id := running(g.Result.Structured()); id != "" {
			open[id] = start
		}
	}
	return all
}

// Of returns what a call ran. Commands of a script that follow as calls of their own are left to those.
func (all *Shells) Of(g *normalize.Group) Shell {
	s := Shell{Start: g, End: g, all: all}
	if later := all.later[g]; len(later) > 0 {
		s.End = later[len(later)-1]
	}
	s.Commands, s.Script = commandsOf(g)
	for _, command := range all.apart[g] {
		is := func(c Given) bool { return c.Text == command }
		if i := slices.IndexFunc(s.Commands, is); i >= 0 {
			s.Commands = slices.Delete(s.Commands, i, i+1)
		}
	}
	return s
}

// commandsOf returns the commands that a call gives to shells, and whether they are from a script. It does not decode
// the rest of the input.
func commandsOf(g *normalize.Group) (commands []Given, script bool) {
	if g.Call == nil {
		return nil, false
	}
	input := g.Call.Block.Input
	t := toolOf(g.Call.Name, input)
	if t == nil {
		return nil, false
	}
	if t.Script != nil {
		return t.Script(input), true
	}
	command := ""
	if t.Commands != nil {
		command = t.Commands(input)
	} else if t.Command != "" {
		command = commandText(transcript.Field(input, t.Command))
	}
	if command == "" {
		return nil, false
	}
	return []Given{given(input, command)}, false
}

// given returns a command with what else its arguments say.
func given(args jsontext.Value, command string) Given {
	g := Given{Text: command}
	for _, name := range []string{"workdir", "working_directory", "dir_path"} {
		if g.Folder == "" && bytes.Contains(args, []byte(name)) {
			g.Folder = transcript.String(transcript.Field(args, name))
		}
	}
	if !bytes.Contains(args, []byte("andbox")) && !bytes.Contains(args, []byte("escalated")) {
		return g
	}
	isTrue := func(name string) bool { return transcript.Kind(transcript.Field(args, name)) == 't' }
	if g.Unconfined = isTrue("dangerouslyDisableSandbox") || isTrue("with_escalated_permissions") ||
		transcript.String(transcript.Field(args, "sandbox_permissions")) == "require_escalated"; g.Unconfined {
		g.Explanation = transcript.String(transcript.Field(args, "justification"))
	}
	return g
}

// joinedCommands returns the texts of commands, each on lines of its own.
func joinedCommands(all []Given) string {
	if len(all) == 1 {
		return all[0].Text
	}
	texts := make([]string, len(all))
	for i, c := range all {
		texts[i] = c.Text
	}
	return strings.Join(texts, "\n")
}

// Commands returns the commands that the call gives to shells, those of a script included, each on lines of its own; ""
// for none.
func (c *Call) Commands() string {
	if c.Command != "" {
		return c.Command
	}
	return CommandsOf(c.group)
}

// CommandsOf returns the commands that a call gives to shells, each on lines of its own, without decoding the rest of
// the input; "" for none.
func CommandsOf(g *normalize.Group) string {
	commands, _ := commandsOf(g)
	return joinedCommands(commands)
}

// Text returns the commands, each on lines of its own.
func (s Shell) Text() string { return joinedCommands(s.Commands) }

// Runs reports whether the log does not have the end of the commands.
func (s Shell) Runs() bool {
	if s.End.Result == nil || s.Exit() != "" {
		return false
	}
	return backgroundTask(s.End) != "" || running(s.End.Result.Structured()) != ""
}

// Exit returns the exit code of a command that ran on after its call, "" if it is unknown or did not.
func (s Shell) Exit() string {
	if exit := s.all.exits[s.Start]; exit != Stopped {
		return exit
	}
	return ""
}

// State returns how the last command ended, as far as the log tells.
func (s Shell) State() normalize.State {
	switch exit := s.Exit(); {
	case exit == "" || s.End.State != normalize.Done:
		return s.End.State
	case exit != "0":
		return normalize.Failed
	}
	return normalize.Done
}

// Unclear reports whether the log does not say how the commands ended, although their call succeeded.
func (s Shell) Unclear() bool { return s.State() == normalize.Done && (s.Script || s.Runs()) }

// Failed reports whether the last command failed. It is not known for a script, unless the script runs a single command
// and prints what that returned.
func (s Shell) Failed() (failed, known bool) {
	if !s.Script {
		failed = s.State() == normalize.Failed
		return failed, failed || s.State() == normalize.Done
	}
	exit := ""
	for _, g := range append([]*normalize.Group{s.Start}, s.all.later[s.Start]...) {
		if g.Result == nil {
			continue
		}
		for i := range g.Result.Block.Content {
			if r := returnOf(g.Result.Block.Content[i].Text); r.exit != "" {
				if exit != "" {
					return false, false
				}
				exit = r.exit
			}
		}
	}
	known = exit != "" && len(s.Commands) == 1 && len(s.all.apart[s.Start]) == 0
	return known && exit != "0", known
}

// TimedOut reports whether the commands were stopped at the time limit of their call.
func (s Shell) TimedOut() bool {
	if s.State() != normalize.Failed {
		return false
	}
	_, output := cutExit(s.Output())
	return strings.HasPrefix(output, "Command timed out after ")
}

// Took returns how long the commands ran, until the last call that waited for them; 0 if unknown.
func (s Shell) Took() time.Duration {
	start, end, ok := stats.CallTime(s.Start)
	if s.End != s.Start {
		if _, last, known := stats.CallTime(s.End); known {
			end = last
		}
	}
	if !ok {
		return 0
	}
	return end.Sub(start)
}

// Output returns what the commands printed.
func (s Shell) Output() string {
	later := s.all.later[s.Start]
	if len(later) == 0 {
		return s.output(s.Start)
	}
	var b strings.Builder
	b.WriteString(s.output(s.Start))
	for _, g := range later {
		b.WriteString(s.output(g))
	}
	return b.String()
}

// output returns what a single call printed.
func (s Shell) output(g *normalize.Group) string {
	all := s.all
	if all.spilled != nil {
		if whole, ok := all.spilled(normalize.SpilledOutput(g)); ok {
			return string(whole)
		}
	}
	if g.Result == nil {
		return ""
	}
	var b strings.Builder
	for i := range g.Result.Block.Content {
		text := g.Result.Block.Content[i].Text
		if s.Script {
			text = returnOf(text).output
		}
		b.WriteString(text)
		b.WriteByte('\n')
	}
	output, _ := normalize.ResultText(b.String())
	return output
}

// running returns the id of the command that still runs after a call, given the structured result of the call; "" for
// none.
func running(result jsontext.Value) string {
	for _, name := range []string{"session", "cell"} {
		if id := transcript.TextOf(transcript.Field(result, name)); id != "" {
			return id
		}
	}
	return ""
}
