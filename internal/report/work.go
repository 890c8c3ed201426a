package report

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/changes"
	"viewer/internal/tools"
	"viewer/internal/transcript"
	"viewer/internal/words"
	"viewer/normalize"
)

// A File is a file that calls of the run changed. Of commands, those count that changes.Steps knows.
type File struct {
	Path    string `json:"path"` // relative to the folder of the run if it is in it
	Edits   int    `json:"edits"`
	Added   int    `json:"added"` // net number of lines that calls added, as far as the log tells
	Removed int    `json:"removed"`
	Created bool   `json:"created"`
	Deleted bool   `json:"deleted,omitzero"`
	Anchor  string `json:"anchor"` // of the first change

	path   string // in the form of changes.Clean
	undone bool   // nothing is left of the changes
}

// A Command is a call that ran commands in a shell: one, or those of a script.
type Command struct {
	Command     string  `json:"command"`
	Description string  `json:"description,omitempty"`
	State       string  `json:"state"`
	Unclear     bool    `json:"unclear,omitzero"` // the state is that of its call: the log does not have that of the command
	Exit        string  `json:"exit,omitempty"`   // of a failed command, if the log has it
	Seconds     float64 `json:"seconds"`
	Output      string  `json:"output,omitempty"` // of a failed command
	Anchor      string  `json:"anchor"`
	Mended      bool    `json:"mended"` // it failed, and the same command succeeded later
}

// A Denial is a call that was not allowed.
type Denial struct {
	Tool   string `json:"tool"`
	Target string `json:"target,omitempty"`
	Anchor string `json:"anchor,omitempty"`

	id string // of the call
}

// collectWork collects what the calls of a session did, including those of agents and without attempts that were taken
// back.
func (r *Run) collectWork(c *normalize.Conversation) {
	files := make(map[string]int)
	succeeded := make(map[string]int) // by command: the index of its last success
	context := tools.Context{Folder: c.Facts.CWD, Spilled: tools.SpilledFrom(r.session.Spilled)}
	for inner := range c.Kept() {
		shells := tools.ShellsOf(inner, context.Spilled)
		for g := range inner.Groups() {
			if g.Call == nil {
				continue
			}
			call := tools.Describe(g, context)
			switch g.State {
			case normalize.CallDenied, normalize.CallDeclined:
				r.Denied = append(r.Denied, Denial{call.Tool, target(call), g.Head().Anchor, g.Call.Block.ID})
			case normalize.Done:
				for _, ch := range call.Changes {
					if ch.Path != "" {
						r.change(files, ch, call.Short(ch.Path), g.Head().Anchor)
					}
				}
			}
			if sh := shells.Of(g); len(sh.Commands) > 0 {
				cmd := commandOf(call, sh, context)
				if cmd.State == normalize.Done.String() && !cmd.Unclear {
					succeeded[cmd.Command] = len(r.Commands)
				}
				r.Commands = append(r.Commands, cmd)
			}
		}
	}
	for i := range r.Commands {
		last, ok := succeeded[r.Commands[i].Command]
		r.Commands[i].Mended = r.Commands[i].failed() && ok && last > i
	}
}

func commandOf(call *tools.Call, sh tools.Shell, context tools.Context) Command {
	cmd := Command{
		Command: sh.Text(), Description: call.Description, State: sh.State().String(), Unclear: sh.Unclear(),
		Exit: call.Exit, Seconds: call.Took().Seconds(), Anchor: sh.Start.Head().Anchor,
	}
	output := call.Output
	switch {
	case sh.End != sh.Start:
		cmd.Exit, cmd.Seconds = tools.Describe(sh.End, context).Exit, sh.Took().Seconds()
		output = sh.Output
	case call.Background: // it was only started
		cmd.Seconds = 0
	}
	switch exit := sh.Exit(); {
	case cmd.failed() && exit != "" && sh.End == sh.Start: // the log has the output elsewhere, if at all
		cmd.Exit = exit
	case cmd.failed():
		cmd.Output = words.Clip(strings.TrimSpace(output()), 4000)
	}
	return cmd
}

func (c Command) failed() bool { return c.State == normalize.Failed.String() }

// change adds a change of a file.
func (r *Run) change(files map[string]int, ch tools.Change, path, anchor string) {
	at, known := files[path]
	if !known {
		at = len(r.Files)
		files[path] = at
		r.Files = append(r.Files, File{
			Path: path, Anchor: anchor, Created: ch.Created,
			path: changes.Clean(ch.Path, r.session.Conversation.Facts.CWD),
		})
	}
	f := &r.Files[at]
	f.Edits++
	f.Added += ch.Added
	f.Removed += ch.Removed
}

// netLines replaces the sums of all edits of a file by its net change, and adds the files that only commands changed.
func (r *Run) netLines() {
	known := make(map[string]int, len(r.Files))
	for i := range r.Files {
		known[r.Files[i].path] = i
	}
	folder := r.session.Conversation.Facts.CWD
	for i := range r.changed {
		net := &r.changed[i]
		at, ok := known[net.Path]
		if !ok && net.Left() {
			at, ok = len(r.Files), true
			first := &r.steps[net.Steps[0]]
			r.Files = append(r.Files, File{
				Path: tools.Short(net.Path, folder), Edits: len(net.Steps), Anchor: first.Anchor, path: net.Path,
			})
		}
		if !ok || net.Large {
			continue
		}
		f := &r.Files[at]
		f.Added, f.Removed = net.ByCalls()
		f.Created = (f.Created || net.Created()) && !net.Gone()
		f.Deleted, f.undone = net.Gone(), !net.Left()
	}
}

// deny adds a denial that the last record of the run lists, unless its call was counted.
func (r *Run) deny(v jsontext.Value, anchor string) {
	id := transcript.String(transcript.Field(v, "tool_use_id"))
	for _, d := range r.Denied {
		if id != "" && d.id == id {
			return
		}
	}
	in := transcript.Field(v, "tool_input")
	tool := transcript.String(transcript.Field(v, "tool_name"))
	call := tools.DescribeInput(tool, in, r.session.Conversation.Facts.CWD)
	what := target(call)
	if what == "" && len(in) > 2 {
		what = words.OneLine(string(in))
	}
	r.Denied = append(r.Denied, Denial{call.Tool, what, anchor, id})
}

// target returns what a call is about, such as a whole command or address.
func target(call *tools.Call) string {
	switch {
	case call.Commands() != "":
		return words.OneLine(call.Commands())
	case call.Address != "":
		return words.OneLine(call.Address)
	}
	return call.Target
}
