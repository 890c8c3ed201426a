package facts

import (
	"slices"

	"viewer/internal/tools"
	"viewer/normalize"
)

// A Call is a row of the table of calls. Tags name the columns, which are described in docs/formats.md.
type Call struct {
	Page         string `parquet:"page,dict"`
	Link         string `parquet:"link"`
	ID           string `parquet:"session,dict"`
	Project      string `parquet:"project,dict"`
	Agent        string `parquet:"agent,dict"`
	Subagent     string `parquet:"subagent,dict"`
	SubagentType string `parquet:"subagent_type,dict"`
	Turn         int64  `parquet:"turn"`
	Time         int64  `parquet:"time,optional,timestamp(millisecond)"` // 0 if unknown
	Milliseconds int64  `parquet:"milliseconds,optional"`                // 0 if unknown
	Model        string `parquet:"model,dict"`
	Tool         string `parquet:"tool,dict"`
	Action       string `parquet:"action,dict"`
	Target       string `parquet:"target"`
	Path         string `parquet:"path,dict"`
	Command      string `parquet:"command"`
	State        string `parquet:"state,dict"`
	Exit         string `parquet:"exit,dict"`
	Added        int64  `parquet:"added"`
	Removed      int64  `parquet:"removed"`
	TakenBack    bool   `parquet:"taken_back"`
}

// actions are the values of the column "action", by tools.Action.
var actions = [...]string{
	tools.Other: "other", tools.Read: "read", tools.Write: "write", tools.Edit: "edit", tools.Delete: "delete",
	tools.Move: "move", tools.Run: "run", tools.Search: "search", tools.Fetch: "fetch", tools.Ask: "ask",
	tools.Delegate: "delegate", tools.Plan: "plan",
}

// CallsOf returns the rows of the calls of a session in reading order, including calls of agents and of attempts that
// were taken back: as many as its totals count. They lack the columns that come from the row of the session. pageOf
// returns the page with an anchor, below the folder of the session.
func CallsOf(c *normalize.Conversation, pageOf func(anchor string) string) []Call {
	w := callWalk{context: tools.Context{
		Folder: c.Facts.CWD, Tasks: tools.TasksOf(c), Ends: tools.EndsOf(c),
	}, pageOf: pageOf}
	w.conversation(c, Call{})
	return w.rows
}

// A callWalk collects the calls of a session.
type callWalk struct {
	context tools.Context
	pageOf  func(anchor string) string
	rows    []Call
}

// conversation adds the calls of a conversation and of all inside it. where has the columns that they share.
func (w *callWalk) conversation(c *normalize.Conversation, where Call) {
	for _, t := range c.Turns {
		if w.asked(t, where) {
			where.Turn++
		}
		for _, item := range t.Items {
			if g, ok := item.(*normalize.Group); ok && g.Call != nil {
				w.call(g, where)
			}
		}
	}
	for b := range c.Branches() {
		inside := where
		inside.TakenBack = true
		w.conversation(b.Conversation, inside)
	}
	for _, a := range slices.Concat(c.Agents, c.Unseen) {
		w.agent(a, where)
	}
}

// asked reports whether a prompt counts. The prompts that agents are started with do not.
func (w *callWalk) asked(t *normalize.Turn, where Call) bool {
	return where.Subagent == "" && !where.TakenBack && t.Asked()
}

func (w *callWalk) agent(a *normalize.Agent, where Call) {
	where.Subagent, where.SubagentType = text(a.ID), text(a.Type)
	w.conversation(a.Conversation, where)
}

func (w *callWalk) call(g *normalize.Group, row Call) {
	c := tools.Describe(g, w.context)
	link := "#" + g.Call.Anchor
	if page := w.pageOf(g.Call.Anchor); page != "" {
		link = page + link
	}
	inside := row
	row.Link, row.Time, row.Milliseconds = link, millis(g.Call.Time()), c.Took().Milliseconds()
	if m := g.Call.Record.Message; m != nil {
		row.Model = text(m.Model)
	}
	row.Tool, row.Action = text(c.Tool), actions[c.Action]
	row.Target, row.Path, row.Command = text(c.Target), text(c.Path), text(c.Commands())
	row.State, row.Exit = g.State.String(), text(c.Exit)
	for _, change := range c.Changes {
		if g.State == normalize.Done {
			row.Added, row.Removed = row.Added+int64(change.Added), row.Removed+int64(change.Removed)
		}
	}
	w.rows = append(w.rows, row)
	for _, a := range g.Agents {
		w.agent(a, inside)
	}
}
