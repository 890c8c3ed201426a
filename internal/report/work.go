package report

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/export"
	"viewer/internal/transcript"
	"viewer/normalize"
)

// A File is one that the run changed with the tools that are there for it; what
// commands did to files no log tells.
type File struct {
	Path    string `json:"path"` // below the folder of the run where it lies there
	Edits   int    `json:"edits"`
	Added   int    `json:"added"` // lines, as far as the log tells
	Removed int    `json:"removed"`
	Created bool   `json:"created"`
	Anchor  string `json:"anchor"` // of the first change
}

// A Command is one that the run gave to a shell.
type Command struct {
	Command     string  `json:"command"`
	Description string  `json:"description,omitempty"`
	State       string  `json:"state"`
	Exit        string  `json:"exit,omitempty"` // of one that failed, where the log has it
	Seconds     float64 `json:"seconds"`
	Output      string  `json:"output,omitempty"` // of one that failed
	Anchor      string  `json:"anchor"`
	Mended      bool    `json:"mended"` // it failed, and the same command succeeded later

	group *normalize.Group
}

// A Denial is a call that was not allowed.
type Denial struct {
	Tool   string `json:"tool"`
	Target string `json:"target,omitempty"`
	Anchor string `json:"anchor,omitempty"`

	id string // of the call
}

// lookAt goes over the calls of a session, those of agents included; what was
// taken back did not happen.
func (r *Run) lookAt(c *normalize.Conversation) {
	files := make(map[string]int)
	succeeded := make(map[string]int) // commands, by the place of their last success
	for inner := range all(c) {
		for g := range inner.Groups() {
			if g.Call == nil {
				continue
			}
			d := export.DeedOf(g, r.session.Spilled)
			switch g.State {
			case normalize.CallDenied, normalize.CallDeclined:
				r.Denied = append(r.Denied, Denial{d.Tool, target(d, c), g.Head().Anchor, g.Call.Block.ID})
			case normalize.Done:
				if d.Changes && d.Path != "" {
					r.change(files, d, export.Relative(d.Path, c.Facts.CWD), g.Head().Anchor)
				}
				if d.Command != "" {
					succeeded[d.Command] = len(r.Commands)
				}
			}
			if d.Command != "" {
				cmd := Command{
					Command:     d.Command,
					Description: transcript.String(transcript.Field(g.Call.Block.Input, "description")),
					State:       g.State.String(), Exit: d.Exit, Seconds: d.Took.Seconds(), Anchor: g.Head().Anchor,
					group: g,
				}
				if g.State == normalize.Failed {
					cmd.Output = clip(strings.TrimSpace(d.Output), 4000)
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

func (c Command) failed() bool { return c.State == normalize.Failed.String() }

// change adds what a call did to a file.
func (r *Run) change(files map[string]int, d export.Deed, path, anchor string) {
	at, known := files[path]
	if !known {
		at = len(r.Files)
		files[path] = at
		r.Files = append(r.Files, File{Path: path, Anchor: anchor, Created: d.Created})
	}
	f := &r.Files[at]
	f.Edits++
	f.Added += d.Added
	f.Removed += d.Removed
}

// deny notes a denial that the end of the run tells, unless its call did.
func (r *Run) deny(v jsontext.Value, anchor string) {
	id := transcript.String(transcript.Field(v, "tool_use_id"))
	for _, d := range r.Denied {
		if id != "" && d.id == id {
			return
		}
	}
	in := transcript.Field(v, "tool_input")
	what := ""
	for _, name := range []string{"command", "file_path", "url", "path", "pattern"} {
		if what = oneLine(transcript.TextOf(transcript.Field(in, name))); what != "" {
			break
		}
	}
	if what == "" && len(in) > 2 {
		what = oneLine(string(in))
	}
	r.Denied = append(r.Denied, Denial{oneLine(transcript.String(transcript.Field(v, "tool_name"))), what, anchor, id})
}

func target(d export.Deed, c *normalize.Conversation) string {
	if d.Path != "" {
		return export.Relative(d.Path, c.Facts.CWD)
	}
	return d.Target
}

// all yields a conversation and those of its agents, in reading order, without
// what was taken back.
func all(c *normalize.Conversation) func(func(*normalize.Conversation) bool) {
	return func(yield func(*normalize.Conversation) bool) {
		for inner := range c.All() {
			if !inner.Rewound && !yield(inner) {
				return
			}
		}
	}
}
