package changes

import (
	"cmp"
	"slices"
	"time"

	"viewer/internal/tools"
	"viewer/normalize"
)

// Steps returns the calls of a session and its agents that touched files, in the order of their results. Calls that
// failed or did not run and attempts that were taken back are left out.
//
// The texts of whole files before an edit are there only if the log was read with transcript.Options.Originals.
func Steps(c *normalize.Conversation) []Step {
	var w walker
	prompt := 0
	for _, t := range c.Turns {
		if prompt += t.Skipped; t.Asked() {
			prompt++
		}
		start := turnStart{t.Index, prompt, t.Command(), t.Head().Time()}
		w.starts = append(w.starts, start)
		w.turn(t, "", start)
	}
	w.flush(time.Time{})
	for _, a := range c.Agents { // without a known call
		w.agent(a, w.during(a.Conversation), time.Time{})
	}
	slices.SortStableFunc(w.all, func(a, b Step) int { return a.Time.Compare(b.Time) })
	return w.all
}

// A walker collects the steps of conversations, one after the other.
type walker struct {
	all    []Step
	own    []placed // steps of the current conversation
	agents []func()
	starts []turnStart

	saved bool // commands have staged, committed or stashed files
}

type turnStart struct {
	turn, prompt int
	command      string
	time         time.Time
}

// call returns a call of the turn.
func (s turnStart) call(anchor, agent string, at time.Time) Call {
	return Call{Anchor: anchor, Agent: agent, Turn: s.turn, Prompt: s.prompt, Command: s.command, Time: at}
}

// A placed is a step and the place in the file of the record that reports it.
type placed struct {
	Step
	offset int64
}

// turn adds the steps of a turn, which for an agent is its whole conversation.
func (w *walker) turn(t *normalize.Turn, agent string, in turnStart) {
	for _, item := range t.Items {
		switch it := item.(type) {
		case *normalize.Group:
			w.group(it, agent, in)
			for _, a := range it.Agents {
				at := it.Head().Time()
				w.agents = append(w.agents, func() { w.agent(a, in, at) })
			}
		case *normalize.Message:
			w.attached(it, agent, in)
		}
	}
}

// agent adds the steps of an agent and of those that it started.
func (w *walker) agent(a *normalize.Agent, in turnStart, from time.Time) {
	for _, t := range a.Conversation.Turns {
		w.turn(t, a.ID, in)
	}
	w.flush(from)
}

// flush sorts the steps of one conversation, and gives them times that do not decrease, as those of logs may.
func (w *walker) flush(from time.Time) {
	slices.SortStableFunc(w.own, func(a, b placed) int { return cmp.Compare(a.offset, b.offset) })
	for _, s := range w.own {
		if s.Time.Before(from) {
			s.Time = from
		}
		from = s.Time
		w.all = append(w.all, s.Step)
	}
	agents := w.agents
	w.own, w.agents = nil, nil
	for _, run := range agents {
		run()
	}
}

// during returns the turn that was running when a conversation began.
func (w *walker) during(c *normalize.Conversation) (in turnStart) {
	for _, s := range w.starts {
		if !s.time.IsZero() && !c.Facts.Start.IsZero() && s.time.After(c.Facts.Start) {
			break
		}
		in = s
	}
	return in
}

// savers are commands of git after which a file may be restored to another text than that at the beginning.
var savers = []string{"stash", "commit", "add", "git rm", "git mv"}

func (w *walker) group(g *normalize.Group, agent string, in turnStart) {
	ops := tools.FileOps(g)
	w.saved = w.saved || slices.ContainsFunc(savers, func(c string) bool { return tools.MayRunGit(g, c) })
	for i := range ops { // which text a file is restored to, and whether it stays so, is unknown
		if w.saved && ops[i].Kind == tools.RestoreFile {
			ops[i].Kind = tools.AlterFile
		}
	}
	if len(ops) == 0 {
		return
	}
	at := g.Result.Time()
	if at.IsZero() {
		at = g.Call.Time()
	}
	call := in.call(g.Call.Anchor, agent, at)
	call.ID, call.Tool = g.Call.Block.ID, g.Call.Name
	w.own = append(w.own, placed{Step{call, ops}, g.Result.Record.Pos.Offset})
}

// attached adds a file that a prompt mentioned and that was read for it.
func (w *walker) attached(m *normalize.Message, agent string, in turnStart) {
	if ops := tools.MentionedFile(m); ops != nil {
		w.own = append(w.own, placed{Step{in.call(m.Anchor, agent, m.Time()), ops}, m.Record.Pos.Offset})
	}
}
