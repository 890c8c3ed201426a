package changes

import (
	"slices"
	"time"

	"viewer/internal/tools"
)

// A Call is the place of a tool call in a session.
type Call struct {
	ID      string // from the log
	Anchor  string // of the call on its page
	Agent   string // id of the agent that made the call; "" for the session itself
	Tool    string
	Turn    int       // index of the turn of the session, from 0
	Prompt  int       // number of the last prompt on pages, from 1; 0 before the first
	Command string    // that started the turn after that prompt, "" if none did
	Time    time.Time // of its result, or of the call if there is none; zero if unknown
}

// A Step is one call that touched files. Steps are in the order in which they happened.
type Step struct {
	Call
	Ops []tools.FileOp // paths are absolute, or relative to the folder of the session
}

// ReadStep returns a step without a call at which a file had a text.
func ReadStep(path, text string) Step {
	return Step{Ops: []tools.FileOp{{
		Kind: tools.ReadFile, Path: path, Load: func() tools.FileTexts { return tools.FileTexts{Before: &text} },
	}}}
}

// RenameStep returns a step without a call at which a file was renamed.
func RenameStep(from, to string) Step {
	return Step{Ops: []tools.FileOp{{Kind: tools.RenameFile, Path: from, To: to}}}
}

// OnlyReads reports whether the step is not known to have changed the first of its files.
func (s *Step) OnlyReads() bool {
	return s.Ops[0].Kind == tools.ReadFile || s.Ops[0].Kind == tools.AlterFile
}

// Writes reports whether the step wrote to a file, and not only removed, renamed or restored files.
func (s *Step) Writes() bool {
	return slices.ContainsFunc(s.Ops, func(op tools.FileOp) bool { return op.Kind == tools.ChangeFile })
}

// IsCopyOf reports whether two steps with the same id are one call. Some models number their calls anew in each
// session, and some programs give the calls that they copy into another log new times.
func (s *Step) IsCopyOf(other Step) bool {
	return s.Time.Equal(other.Time) || slices.EqualFunc(s.Ops, other.Ops, tools.FileOp.IsSameChange)
}
