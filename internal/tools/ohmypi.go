package tools

import (
	"strconv"
	"strings"

	"viewer/internal/fields"
	"viewer/internal/words"
)

// The tools of Oh My Pi whose input differs from that of other tools of the same name.
var (
	_ = register(Tool{Name: "todo", Icon: "todo", Label: "Todos", Action: Plan, Describe: describePhases})
	_ = register(Tool{
		Name: "task", Has: "tasks", Icon: "agent", Label: "Agents", Action: Delegate, Describe: describePiTasks,
	})
	_ = register(Tool{
		Name: "task", Has: "assignment", Icon: "agent", Label: "Agent", Action: Delegate, Describe: describePiTasks,
	})
)

// A piPhase is a part of a list of things to do.
type piPhase struct {
	Name  fields.Text
	Tasks fields.List[struct{ Content, Status, Blocker fields.Text }]
}

// describePhases describes a change of a list of things to do. The whole list is in the result.
func describePhases(c *Call) error {
	var in struct {
		Op, Task, Phase, Reason fields.Text
		Ops, List, Items        fields.Ignored
		fields.Extra
	}
	if err := c.input(&in); err != nil {
		return err
	}
	var res struct{ Phases fields.List[piPhase] }
	if !c.result(&res) || len(res.Phases) == 0 {
		c.listed("op")
		return nil
	}
	c.Prose, c.Rest = true, in.Rest
	var items []Item
	for _, p := range res.Phases {
		for _, t := range p.Tasks {
			what := string(t.Content)
			if len(res.Phases) > 1 && p.Name != "" {
				what = words.Line(string(p.Name), 60) + ": " + what
			}
			status := string(t.Status)
			switch {
			case status == "abandoned":
				status = "deleted"
			case t.Blocker != "":
				what += " (waits: " + words.Line(string(t.Blocker), 100) + ")"
			}
			items = append(items, NewItem(what, status))
		}
	}
	c.Target = progress(items)
	if changed := strings.Join(words.NonEmpty(string(in.Op), string(in.Task), string(in.Phase)), " "); changed != "" {
		c.given(Section{Shape: Note, Text: words.Line(changed, 200)})
	}
	c.given(Section{Shape: Prose, Text: string(in.Reason)})
	c.read(Section{Shape: Items, Items: items})
	return nil
}

// describePiTasks describes one or several agents with their tasks.
func describePiTasks(c *Call) error {
	type task struct{ ID, Agent, Description, Assignment, Task fields.Text }
	var in struct {
		task
		Context fields.Text
		Tasks   fields.List[task]
		fields.Extra
	}
	if err := c.input(&in); err != nil {
		return err
	}
	c.Prose, c.Rest = true, in.Rest
	all := []task(in.Tasks)
	if len(all) == 0 {
		all = append(all, in.task)
	}
	var names []string
	for _, t := range all {
		names = append(names, strings.Join(words.NonEmpty(string(t.ID), string(t.Description)), ": "))
	}
	c.Target = words.Line(strings.Join(words.NonEmpty(string(in.Agent), strings.Join(names, ", ")), ": "), 160)
	c.given(Section{Shape: Prose, Text: string(in.Context), Label: "Context", Name: "c"})
	for i, t := range all {
		label := "Task"
		if names[i] != "" {
			label = words.Line(names[i], 100)
		}
		c.given(Section{Shape: Prose, Text: string(t.Assignment + t.Task), Label: label, Name: "p" + strconv.Itoa(i)})
	}
	if !c.answered() {
		return nil
	}
	var res struct {
		TotalDurationMs fields.Number
		Results         fields.List[struct{ ID, Agent fields.Text }]
	}
	if c.result(&res) && res.TotalDurationMs > 0 {
		c.lasted(float64(res.TotalDurationMs))
	}
	if n := len(res.Results); n > 1 {
		c.fact(words.Plural(n, "agent", "agents"))
	}
	c.read(Section{Shape: Prose, Text: c.text(), Label: "Answer", Name: "a"})
	return nil
}
